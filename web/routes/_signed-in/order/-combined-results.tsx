import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import type { Kind } from '../../../../domain/scans/layouts.ts';
import { MAX_SHOWN_ROWS, ROWS_AT_ONCE } from '../../../../domain/scans/results.ts';
import { type Combined, combinedQuery, type Part, rowsQuery } from '../../../api/results.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Failure } from '../../../components/failure.tsx';
import { useLiveOrder } from '../../../components/live-orders.tsx';
import { Page } from '../../../components/page.tsx';
import { ResultsView, type View } from '../../../components/results/results-view.tsx';
import { shownSums } from '../../../components/results/shown-sums.ts';
import { SumsPanel } from '../../../components/results/stats-panel.tsx';
import { capital, counted, exact } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { KingdomSums, Titled } from './-kingdom-sums.tsx';
import { PagedResults } from './-paged-results.tsx';

/** The results of every item of an order in one table, with the kingdom in each row. */
export function CombinedResults({ orderId, view }: { orderId: string; view: View }) {
  const { data, isError, error, refetch, isFetching } = useQuery(combinedQuery(orderId));
  useLiveOrder(data?.order_id);
  return (
    <Page
      title={`Order #${data?.order_id ?? orderId}`}
      about={<p>{data ? aboutOf(data) : 'Combined results'}</p>}
      actions={
        data?.downloadable === false ? (
          <p>Too many results, not downloadable.</p>
        ) : (
          <DownloadLinks id={orderId} all what={`order ${orderId}`} />
        )
      }
    >
      {isError && !data ? (
        <Failure error={error} retry={refetch} busy={isFetching} />
      ) : data ? (
        <Shown combined={data} orderId={orderId} view={view} />
      ) : (
        <>
          <Loading what="results" />
          <Skeleton height="10rem" />
          <Skeleton height="36rem" />
        </>
      )}
    </Page>
  );
}

/** Sums by kingdom, and the rows: all at once where a browser can hold them, otherwise page by page. */
function Shown({ combined, orderId, view }: { combined: Combined; orderId: string; view: View }) {
  if (combined.rows > MAX_SHOWN_ROWS) return <TooMany rows={combined.rows} />;
  const paged = combined.rows > ROWS_AT_ONCE;
  const [first] = combined.totals;
  // Scans and histories, or two games, add up to nothing together.
  const mixed = combined.totals.length > 1;
  const game = GAMES[first?.game ?? 'rok'];
  return (
    <>
      {combined.totals.map((total) => (
        <KindSums
          key={`${total.game} ${total.kind}`}
          total={total}
          parts={combined.parts.filter(({ game: id, kind }) => id === total.game && kind === total.kind)}
          title={mixed ? capital(placesOf(total)) : `All ${game.kingdom.many}`}
          panel={paged || mixed}
          chosen={view.search.kingdom}
        />
      ))}
      {paged ? (
        <PagedResults
          id={orderId}
          all
          game={game}
          rows={combined.rows}
          usual={first?.kind === 'history' ? null : 'power'}
          {...view}
        />
      ) : (
        <AllRows
          orderId={orderId}
          game={game.id}
          kind={combined.totals.every(({ kind }) => kind === 'history') ? 'history' : 'scan'}
          addedUp={!mixed}
          view={view}
        />
      )}
    </>
  );
}

interface KindSumsProps {
  total: Combined['totals'][number];
  parts: readonly Part[];
  title: string;
  /** Their statistics do not follow below. */
  panel: boolean;
  chosen: number | undefined;
}

/** The sums of all results of one kind, by kingdom and together. */
function KindSums({ total, parts, title, panel, chosen }: KindSumsProps) {
  const game = GAMES[total.game];
  return (
    <>
      <KingdomSums parts={parts} chosen={chosen} />
      <Titled title={title} count={counted(total.sums.count, game.governor.one, game.governor.many)}>
        {panel && <SumsPanel game={game} sums={shownSums(total.sums)} label={`Statistics: ${title}`} />}
      </Titled>
    </>
  );
}

const TooMany = ({ rows }: { rows: number }) => (
  <Notice
    action={
      <Link to="/orders" className={buttonClass()}>
        Orders
      </Link>
    }
  >
    {exact(rows)} rows are more than the {exact(MAX_SHOWN_ROWS)} that can be shown together. Open the items of the order
    one by one.
  </Notice>
);

interface AllRowsProps {
  orderId: string;
  game: GameId;
  kind: Kind;
  addedUp: boolean;
  view: View;
}

function AllRows({ orderId, game, kind, addedUp, view }: AllRowsProps) {
  const rows = useQuery(rowsQuery(orderId, true));
  if (rows.isError) return <Failure error={rows.error} retry={rows.refetch} busy={rows.isFetching} />;
  const heading = `Order #${orderId}`;
  const shown = { game: GAMES[game], kind, rows: rows.data ?? null, heading, addedUp };
  return <ResultsView combined {...shown} {...view} />;
}

/** '12 kingdoms of Rise of Kingdoms'. */
function placesOf({ game, kind, kingdom_count }: Combined['totals'][number]): string {
  const { kingdom, name } = GAMES[game];
  const places = `${counted(kingdom_count, kingdom.one, kingdom.many)} of ${name}`;
  return kind === 'history' ? `the history of ${places}` : places;
}

const aboutOf = ({ totals, item_count }: Combined): string =>
  totals.length > 0
    ? `Combined results of ${totals.map(placesOf).join(' and ')}`
    : `Combined results of ${counted(item_count, 'item')}`;
