import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t } from '../../../../domain/language/text.ts';
import { ApiError } from '../../../api/client.ts';
import { kingdomQuery, nearKingdomsQuery } from '../../../api/pages.ts';
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
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(kingdomQuery(params.kingdomId, deps.game ?? 'rok', deps.days ?? '7'));
  },
  component: KingdomRoute,
});

function KingdomRoute() {
  const { kingdomId } = Route.useParams();
  const { game = 'rok', days = '7' } = Route.useSearch();
  const kingdom = useQuery(kingdomQuery(kingdomId, game, days));
  const { data, error } = kingdom;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <UnknownKingdom id={kingdomId} game={game} message={error.message} />;
  if (data) return <KingdomPage kingdom={data} days={days} />;
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
  return (
    <NotFoundPage>
      <p>{message}</p>
      <OwnScansOf game={game} kingdom={Number(id)} />
      <p>
        <T of="<link>Order a scan</link> and it will be here." link={(text) => <Link to="/orders/new">{text}</Link>} />
      </p>
      {near.data && near.data.length > 0 && (
        <>
          <h2>{t('Scanned numbers nearby')}</h2>
          <ul>
            {near.data.map(({ game, kingdom_id }) => (
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
