import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t } from '../../../../domain/language/text.ts';
import { ApiError } from '../../../api/client.ts';
import { kingdomWarsQuery } from '../../../api/events.ts';
import { kingdomQuery, nearKingdomsQuery } from '../../../api/pages.ts';
import { libraryQuery } from '../../../api/scans.ts';
import { Failure } from '../../../components/failure.tsx';
import { gameSearch, pageSearch } from '../../../components/game-search.ts';
import { NotFoundPage } from '../../../components/not-found.tsx';
import { OwnScansOf } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { KingdomPage } from './-kingdom-page.tsx';

export const Route = createFileRoute('/_signed-in/kingdoms/$kingdomId')({
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { client }, params: { kingdomId }, deps: { game = 'rok', days = '7' } }) => {
    void client.prefetchQuery(kingdomQuery(kingdomId, game, days));
    const kingdom = Number(kingdomId);
    if (!(kingdom > 0)) return;
    void client.prefetchQuery(kingdomWarsQuery(game, kingdom));
    void client.prefetchInfiniteQuery(libraryQuery({ game, kingdom }));
  },
  component: KingdomRoute,
});

function KingdomRoute() {
  const { kingdomId } = Route.useParams();
  const { game = 'rok', days = '7' } = Route.useSearch();
  const kingdom = useQuery(kingdomQuery(kingdomId, game, days));
  const number = Number(kingdomId);
  const wars = useQuery({ ...kingdomWarsQuery(game, number), enabled: number > 0 });
  const library = useInfiniteQuery({ ...libraryQuery({ game, kingdom: number }), enabled: number > 0 });
  const { data, error } = kingdom;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <UnknownKingdom id={kingdomId} game={game} message={error.message} />;
  // If wars or the library came later, they would push what is below them.
  if (data && !wars.isLoading && !library.isLoading) return <KingdomPage kingdom={data} days={days} />;
  return (
    <Page title={t('Kingdom {kingdomId}', { kingdomId })}>
      {error ? (
        <Failure error={error} retry={() => void kingdom.refetch()} busy={kingdom.isFetching} />
      ) : (
        <Skeletons what={t('the kingdom')} heights={['18rem', '24rem']} />
      )}
    </Page>
  );
}

/** The not-found page of an unscanned kingdom, with scanned numbers near it. */
function UnknownKingdom({ id, game, message }: { id: string; game: GameId; message: string }) {
  const near = useQuery({ ...nearKingdomsQuery(id), enabled: /^[1-9]\d{0,4}$/.test(id) });
  // The kingdom itself is among them if its scans are no longer kept.
  const others = near.data?.filter((one) => one.game !== game || String(one.kingdom_id) !== id) ?? [];
  return (
    <NotFoundPage>
      <p>{message}</p>
      <OwnScansOf game={game} kingdom={Number(id)} />
      <p>
        <T of="<link>Order a scan</link> and it will be here." link={(text) => <Link to="/orders/new">{text}</Link>} />
      </p>
      {others.length > 0 && (
        <>
          <h2>{t('Scanned numbers nearby')}</h2>
          <ul>
            {others.map(({ game, kingdom_id }) => (
              <li key={`${game} ${kingdom_id}`}>
                <Link to="/kingdoms/$kingdomId" params={{ kingdomId: String(kingdom_id) }} search={gameSearch(game)}>
                  {kingdom_id}
                </Link>
                {' · '}
                {GAMES[game].name}
              </li>
            ))}
          </ul>
        </>
      )}
    </NotFoundPage>
  );
}
