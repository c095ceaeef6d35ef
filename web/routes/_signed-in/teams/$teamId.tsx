import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { labelled, t, words } from '../../../../domain/language/text.ts';
import { ROLE_WORDS } from '../../../../domain/teams/roles.ts';
import { refetchMoney } from '../../../api/balance.ts';
import { closeTeam, endMember, type Team, teamQuery, teamStatementQuery, teamsQuery } from '../../../api/teams.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Loaded, useHead } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { usd } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { TeamBalance } from './-team-balance.tsx';
import { TeamInvites } from './-team-invites.tsx';
import { TeamLibrary } from './-team-library.tsx';
import { TeamMembers } from './-team-members.tsx';
import { TeamStatement } from './-team-statement.tsx';

export const Route = createFileRoute('/_signed-in/teams/$teamId')({
  loader: ({ context, params: { teamId } }) => {
    void context.client.prefetchQuery(teamQuery(teamId));
    void context.client.prefetchInfiniteQuery(teamStatementQuery(teamId));
  },
  component: TeamPage,
});

function TeamPage() {
  const { teamId } = Route.useParams();
  const team = useQuery(teamQuery(teamId));
  const head = useHead(team.data);
  return (
    <Page
      title={head?.name ?? t('Team')}
      about={head && labelled(words(ROLE_WORDS[head.role].label), words(ROLE_WORDS[head.role].help))}
      actions={
        head && (
          <>
            {head.role !== 'viewer' && (
              <Link to="/orders/new" className={buttonClass('primary')}>
                {t('New order')}
              </Link>
            )}
            <EndButton team={head} />
          </>
        )
      }
    >
      <Loaded query={team} what={t('the team')} heights={['8rem', '12rem']}>
        {(known) => (
          <>
            <TeamLibrary team={known} />
            <TeamBalance team={known} />
            <TeamMembers team={known} />
            {known.role === 'owner' && <TeamInvites team={known} />}
            <TeamStatement teamId={teamId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Lets a member leave, or the owner close the team. */
function EndButton({ team }: { team: Team }) {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const [asking, setAsking] = useState(false);
  const owns = team.role === 'owner';
  const own = team.members.find(({ you }) => you)?.user_id ?? '';
  const ending = useMutation<unknown, Error, void>({
    mutationFn: () => (owns ? closeTeam(team.team_id) : endMember(team.team_id, own)),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: teamsQuery.queryKey, exact: true }), refetchMoney(client)]),
  });
  useOnward(ending.isSuccess, () => navigate({ to: '/teams' }));
  return (
    <>
      <Button onClick={() => setAsking(true)}>{owns ? t('Close the team') : t('Leave the team')}</Button>
      {asking && (
        <Confirmation
          title={owns ? t('Close {name}?', { name: team.name }) : t('Leave {name}?', { name: team.name })}
          action={owns ? t('Close the team') : t('Leave the team')}
          doing={ending}
          close={() => setAsking(false)}
        >
          {owns
            ? t(
                'Its {money} return to your balance, and its members no longer see it. Everybody keeps the orders that they placed. To leave without closing it, hand it over to a member first.',
                { money: usd(team.balance) },
              )
            : t('You no longer see the team or the orders of others. You keep the orders that you placed.')}
        </Confirmation>
      )}
    </>
  );
}
