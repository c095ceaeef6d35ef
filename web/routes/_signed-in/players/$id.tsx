import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { ApiError } from '../../../api/client.ts';
import { governorLineQuery } from '../../../api/compare.ts';
import { governorWarsQuery } from '../../../api/events.ts';
import { governorQuery } from '../../../api/pages.ts';
import { Failure } from '../../../components/failure.tsx';
import { pageSearch } from '../../../components/game-search.ts';
import { useOwnReadings } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { GovernorPage } from './-governor-page.tsx';
import { UnknownGovernor } from './-unknown-governor.tsx';

export const Route = createFileRoute('/_signed-in/players/$id')({
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, params: { id }, deps: { game = 'rok', days = '7' } }) => {
    void client.prefetchQuery(governorQuery(id, game, days));
    const governor = Number(id);
    if (!(governor > 0)) return;
    void client.prefetchQuery(governorWarsQuery(governor));
    void client.prefetchInfiniteQuery(governorLineQuery({ game, governor, origin: 'imported' }, 1));
  },
  component: Player,
});

function Player() {
  const { id } = Route.useParams();
  const { game = 'rok', days = '7' } = Route.useSearch();
  const governor = useQuery(governorQuery(id, game, days));
  const wars = useQuery({ ...governorWarsQuery(Number(id)), enabled: Number(id) > 0 });
  const { readings } = useOwnReadings(game, id, 1);
  const { data, error } = governor;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <UnknownGovernor id={id} game={game} message={error.message} />;
  // If wars or the user's own readings came later, they would push what is below them.
  if (data && !wars.isLoading && readings) return <GovernorPage governor={data} days={days} />;
  return (
    <Page title={t('Player {id}', { id })}>
      {error ? (
        <Failure error={error} retry={() => void governor.refetch()} busy={governor.isFetching} />
      ) : (
        <Skeletons what={t('the player')} heights={['18rem', '24rem']} />
      )}
    </Page>
  );
}
