import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { ApiError } from '../../../api/client.ts';
import { allianceWarsQuery } from '../../../api/events.ts';
import { allianceQuery } from '../../../api/pages.ts';
import { libraryQuery } from '../../../api/scans.ts';
import { Failure } from '../../../components/failure.tsx';
import { type PageSearch, pageSearch } from '../../../components/game-search.ts';
import { KingdomLink } from '../../../components/links.tsx';
import { NotFoundPage } from '../../../components/not-found.tsx';
import { OwnScansOf } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { AlliancePage } from './-alliance-page.tsx';

export const Route = createFileRoute('/_signed-in/alliances/$kingdomId/$tag')({
  validateSearch: (search: Record<string, unknown>): Pick<PageSearch, 'game'> => ({ game: pageSearch(search).game }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, params: { kingdomId, tag }, deps: { game = 'rok' } }) => {
    void client.prefetchQuery(allianceQuery(kingdomId, tag, game));
    const kingdom = Number(kingdomId);
    if (!(kingdom > 0)) return;
    void client.prefetchQuery(allianceWarsQuery(game, kingdom, tag));
    void client.prefetchInfiniteQuery(libraryQuery({ game, kingdom }));
  },
  component: AllianceRoute,
});

function AllianceRoute() {
  const { kingdomId, tag } = Route.useParams();
  const { game = 'rok' } = Route.useSearch();
  const alliance = useQuery(allianceQuery(kingdomId, tag, game));
  const kingdom = Number(kingdomId);
  const wars = useQuery({ ...allianceWarsQuery(game, kingdom, tag), enabled: kingdom > 0 });
  const library = useInfiniteQuery({ ...libraryQuery({ game, kingdom }), enabled: kingdom > 0 });
  const { data, error } = alliance;
  // If wars or the library came later, they would push what is below them.
  if (data && !wars.isLoading && !library.isLoading) return <AlliancePage alliance={data} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return (
      <NotFoundPage>
        <p>{error.message}</p>
        <OwnScansOf game={game} kingdom={Number(kingdomId)} />
        <p>
          <KingdomLink game={game} id={kingdomId}>
            {t('All alliances there')}
          </KingdomLink>
        </p>
      </NotFoundPage>
    );
  return (
    <Page title={`[${tag}]`}>
      {error ? (
        <Failure error={error} retry={() => void alliance.refetch()} busy={alliance.isFetching} />
      ) : (
        <Skeletons what={t('the alliance')} heights={['18rem', '24rem']} />
      )}
    </Page>
  );
}
