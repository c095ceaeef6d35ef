import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { t, words } from '../../../../domain/language/text.ts';
import { ROLE_WORDS } from '../../../../domain/teams/roles.ts';
import { messageOf } from '../../../api/client.ts';
import { acceptInvite, inviteQuery, teamsQuery } from '../../../api/teams.ts';
import { Card } from '../../../components/form-card.tsx';
import { Page } from '../../../components/page.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { counted, inSentence } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';

export const Route = createFileRoute('/_signed-in/teams/invites/$token')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(inviteQuery(params.token));
  },
  component: Invitation,
});

/** The page behind an invite link. */
function Invitation() {
  const { token } = Route.useParams();
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const { data: offer, error } = useQuery(inviteQuery(token));
  const accepting = useMutation({
    mutationFn: () => acceptInvite(token),
    onSettled: () => client.invalidateQueries({ queryKey: teamsQuery.queryKey }),
  });
  useOnward(accepting.isSuccess, () =>
    navigate({ to: '/teams/$teamId', params: { teamId: accepting.data?.team_id ?? '' }, replace: true }),
  );
  return (
    <Page title={t('Invitation to a team')}>
      {error ? (
        <>
          <Notice tone="danger">{messageOf(error)}</Notice>
          <p>
            <Link to="/teams">{t('Your teams')}</Link>
          </p>
        </>
      ) : offer ? (
        <Card
          title={offer.name}
          about={t('{members} · owned by {owner}', { members: counted(offer.members, 'member'), owner: offer.owner })}
        >
          {offer.joined ? (
            <>
              <p>{t('You are a member of this team.')}</p>
              <p>
                <Link to="/teams/$teamId" params={{ teamId: offer.team_id }} className={buttonClass('primary')}>
                  {t('Open the team')}
                </Link>
              </p>
            </>
          ) : (
            <>
              <p>
                <T
                  of="{owner} invites you as a {label}. {help}"
                  owner={offer.owner}
                  label={inSentence(words(ROLE_WORDS[offer.role].label))}
                  help={words(ROLE_WORDS[offer.role].help)}
                />
              </p>
              <p>
                <T
                  of="Other members see your username and what you order from the shared balance. Your own orders, scans and balance stay private. The invite works until {time}, for one person."
                  time={<Time at={offer.expires_at} />}
                />
              </p>
              {accepting.error && <Notice tone="danger">{messageOf(accepting.error)}</Notice>}
              <p>
                <Button
                  look="primary"
                  busy={accepting.isPending || accepting.isSuccess}
                  onClick={() => accepting.mutate()}
                >
                  <T of="Join {name}" name={offer.name} />
                </Button>
              </p>
            </>
          )}
        </Card>
      ) : (
        <Skeletons what={t('the invite')} heights={['14rem']} />
      )}
    </Page>
  );
}
