import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t, words } from '../../../../domain/language/text.ts';
import { MAX_TEAM_NAME, ROLE_WORDS } from '../../../../domain/teams/roles.ts';
import { type ListedTeam, makeTeam, teamsQuery } from '../../../api/teams.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded, useSettled } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { counted, usd } from '../../../format.ts';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { T } from '../../../ui/text.tsx';
import lists from '../account/-security/lists.module.css';

export const Route = createFileRoute('/_signed-in/teams/')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(teamsQuery);
  },
  component: Teams,
});

function Teams() {
  const teams = useQuery(teamsQuery);
  // The form waits for the list, which would push it down.
  const isSettled = useSettled(teams);
  return (
    <Page
      title={t('Teams')}
      about={t('A team of leaders orders scans from one shared balance, and all of its members read the results.')}
    >
      <Panel title={t('Your teams')}>
        <Loaded query={teams} what={t('your teams')} heights={['4rem']}>
          {(own) =>
            own.length === 0 ? (
              <Nothing>{t('You are in no team. Create one below, or open the invite link of another.')}</Nothing>
            ) : (
              <ul className={lists.list}>
                {own.map((team) => (
                  <TeamLine key={team.team_id} team={team} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {isSettled && <NewTeam />}
    </Page>
  );
}

const TeamLine = ({ team }: { team: ListedTeam }) => (
  <li className={lists.line}>
    <div className={lists.words}>
      <p className={lists.title}>
        <Link to="/teams/$teamId" params={{ teamId: team.team_id }}>
          {team.name}
        </Link>
        <span className={lists.badge}>{words(ROLE_WORDS[team.role].label)}</span>
      </p>
      <p className={layout.quiet}>
        <T
          of="{members} · owned by {value}"
          members={counted(team.members, 'member')}
          value={team.role === 'owner' ? t('you') : team.owner}
        />
      </p>
    </div>
    <span className="tabular">
      <span className="visually-hidden">{t('Shared balance')} </span>
      {usd(team.balance)}
    </span>
  </li>
);

function NewTeam() {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const making = useMutation({
    mutationFn: makeTeam,
    onSettled: () => client.invalidateQueries({ queryKey: teamsQuery.queryKey }),
  });
  useOnward(making.isSuccess, () => navigate({ to: '/teams/$teamId', params: { teamId: making.data?.team_id ?? '' } }));
  return (
    <FormCard
      title={t('New team')}
      about={t('You own it: you fill its balance, set its limit and invite its members.')}
      action={t('Create the team')}
      sending={{ ...making, isPending: making.isPending || making.isSuccess }}
      onSubmit={(form) => making.mutate(textOf(form, 'name'))}
    >
      <TextField
        label={t('Name')}
        name="name"
        autoComplete="off"
        required
        maxLength={MAX_TEAM_NAME}
        placeholder={t('War council of 1001')}
      />
    </FormCard>
  );
}
