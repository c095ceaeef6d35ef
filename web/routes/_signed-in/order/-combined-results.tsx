import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GAMES } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { MAX_SHOWN_ROWS, ROWS_AT_ONCE } from '../../../../domain/scans/results.ts';
import { type Combined, combinedQuery, downloadUrl, editionOf, type Part, rowsQuery } from '../../../api/results.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Failure } from '../../../components/failure.tsx';
import { useLiveOrder } from '../../../components/live-orders.tsx';
import { Page } from '../../../components/page.tsx';
import { PagedResults } from '../../../components/results/lazy-paged.tsx';
import { ResultsView } from '../../../components/results/results-view.tsx';
import type { View, ViewSearch } from '../../../components/results/search.ts';
import { shownSums } from '../../../components/results/shown-sums.ts';
import { SumsPanel } from '../../../components/results/stats-panel.tsx';
import { capital, counted, exact } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import tabs from '../../../ui/tabs.module.css';
import { T } from '../../../ui/text.tsx';
import styles from './-combined-results.module.css';
import { KingdomSums, Titled } from './-kingdom-sums.tsx';
import { ShareResults } from './-share.tsx';

/** Results of all items of an order in one table, with a kingdom column. */
export function CombinedResults({ orderId, view }: { orderId: string; view: View }) {
  const { data, isError, error, refetch, isFetching } = useQuery(combinedQuery(orderId));
  useLiveOrder(data?.own ? data.order_id : undefined);
  return (
    <Page
      title={t('Order #{value}', { value: String(data?.order_id ?? orderId) })}
      about={<p>{data ? aboutOf(data) : t('Combined results')}</p>}
      actions={
        data && (
          <>
            {data.own && <ShareCombined combined={data} />}
            {data.downloadable ? (
              <DownloadLinks id={orderId} all what={t('order {orderId}', { orderId })} />
            ) : (
              <p>{t('Too many results, not downloadable.')}</p>
            )}
          </>
        )
      }
    >
      {isError && !data ? (
        <Failure error={error} retry={refetch} busy={isFetching} />
      ) : data ? (
        <Shown combined={data} orderId={orderId} view={view} />
      ) : (
        <Skeletons what={t('results')} heights={['10rem', '36rem']} />
      )}
    </Page>
  );
}

/** Shares all results of the order, or those of one kingdom. */
function ShareCombined({ combined: { order_id, parts } }: { combined: Combined }) {
  const each = parts.map(({ item_id, game, kingdom_id, kind }) => ({
    id: item_id,
    name:
      kind === 'history'
        ? t('{game, select, cod {Server} other {Kingdom}} {id}, history', { game, id: String(kingdom_id) })
        : t('{game, select, cod {Server} other {Kingdom}} {id}', { game, id: String(kingdom_id) }),
  }));
  return each.length > 0 && <ShareResults items={[{ id: String(order_id), name: t('All of this order') }, ...each]} />;
}

/** The rows with their totals, and a tab with totals by kingdom. */
function Shown({ combined, orderId, view }: { combined: Combined; orderId: string; view: View }) {
  if (combined.rows > MAX_SHOWN_ROWS) return <TooMany rows={combined.rows} />;
  const sums = view.search.sums === true;
  return (
    <>
      <PartTabs rows={GAMES[combined.totals[0]?.game ?? 'rok'].governor.many} sums={sums} />
      {sums ? (
        <AllSums combined={combined} orderId={orderId} view={view} />
      ) : (
        <AllRows combined={combined} orderId={orderId} view={view} />
      )}
    </>
  );
}

interface ShownProps {
  combined: Combined;
  orderId: string;
  view: View;
}

/** Returns whether the results mix scans and histories, or games, which cannot be added up. */
const isMixed = ({ totals }: Combined): boolean => totals.length > 1;

const isPaged = ({ rows }: Combined): boolean => rows > ROWS_AT_ONCE;

function AllSums({ combined, orderId, view }: ShownProps) {
  const mixed = isMixed(combined);
  const apart = mixed || isPaged(combined);
  return combined.totals.map((total) => (
    <KindSums
      key={`${total.game} ${total.kind}`}
      total={total}
      parts={combined.parts.filter(({ game: id, kind }) => id === total.game && kind === total.kind)}
      title={
        mixed ? capital(placesOf(total)) : t('All {game, select, cod {servers} other {kingdoms}}', { game: total.game })
      }
      chosen={view.search.kingdom}
    >
      {apart ? (
        <TotalSums total={total} />
      ) : (
        <FetchedRows combined={combined} orderId={orderId} part="sums" view={view} />
      )}
    </KindSums>
  ));
}

/** The rows and their totals: all rows if the browser can hold them, otherwise paged. */
function AllRows({ combined, orderId, view }: ShownProps) {
  const [first] = combined.totals;
  return (
    <div className={styles.beside}>
      <div className={layout.stack}>
        {isPaged(combined) ? (
          <PagedResults
            file={downloadUrl(orderId, 'json', true)}
            all
            game={GAMES[first?.game ?? 'rok']}
            rows={combined.rows}
            edition={editionOf(combined)}
            usual={first?.kind === 'history' ? null : 'power'}
            {...view}
          />
        ) : (
          <FetchedRows combined={combined} orderId={orderId} part="rows" view={view} />
        )}
      </div>
      <div className={styles.sums}>
        {combined.totals.map((total) => (
          <TotalSums key={`${total.game} ${total.kind}`} total={total} />
        ))}
      </div>
    </div>
  );
}

const TotalSums = ({ total }: { total: Combined['totals'][number] }) => (
  <SumsPanel
    game={GAMES[total.game]}
    sums={shownSums(total.sums)}
    label={t('Statistics: {total}', { total: placesOf(total) })}
  />
);

interface KindSumsProps {
  total: Combined['totals'][number];
  parts: readonly Part[];
  title: string;
  chosen: number | undefined;
  children: ReactNode;
}

/** Totals of all results of one kind, overall and by kingdom. */
function KindSums({ total, parts, title, chosen, children }: KindSumsProps) {
  const { governor } = GAMES[total.game];
  return (
    <>
      <Titled title={title} count={counted(total.sums.count, governor.one, governor.many)}>
        {children}
      </Titled>
      <KingdomSums parts={parts} chosen={chosen} />
    </>
  );
}

const TooMany = ({ rows }: { rows: number }) => (
  <Notice
    action={
      <Link to="/orders" className={buttonClass()}>
        {t('Orders')}
      </Link>
    }
  >
    <T
      of="{rows} rows are too many to show together; the limit is {MAX_SHOWN_ROWS}. Open the items of the order one by one."
      rows={exact(rows)}
      MAX_SHOWN_ROWS={exact(MAX_SHOWN_ROWS)}
    />
  </Notice>
);

function FetchedRows({ combined, orderId, part, view }: ShownProps & { part: 'rows' | 'sums' }) {
  const rows = useQuery(rowsQuery(orderId, { all: true, edition: editionOf(combined) }));
  if (rows.isError) return <Failure error={rows.error} retry={rows.refetch} busy={rows.isFetching} />;
  const kind = combined.totals.every((total) => total.kind === 'history') ? 'history' : 'scan';
  const game = GAMES[combined.totals[0]?.game ?? 'rok'];
  const shown = {
    game,
    kind,
    rows: rows.data ?? null,
    heading: t('Order #{order_id}', { order_id: String(combined.order_id) }),
    part,
  } as const;
  return <ResultsView combined {...shown} {...view} />;
}

/** Returns text such as '12 kingdoms of Rise of Kingdoms'. */
function placesOf({ game, kind, kingdom_count }: Combined['totals'][number]): string {
  const { kingdom, name } = GAMES[game];
  const values = { kingdoms: counted(kingdom_count, kingdom.one, kingdom.many), name };
  return kind === 'history' ? t('the history of {kingdoms} of {name}', values) : t('{kingdoms} of {name}', values);
}

const aboutOf = ({ totals, item_count }: Combined): string =>
  t('Combined results of {places}', {
    places:
      totals.length === 0
        ? counted(item_count, 'item')
        : totals.map(placesOf).reduce((first, second) => t('{first} and {second}', { first, second })),
  });

/** Switches between the rows of several results and their sums. `rows` is the game's plural for players. */
const PartTabs = ({ rows, sums }: { rows: string; sums: boolean }) => (
  <nav className={`${tabs.tabs} ${styles.parts}`} aria-label={t('Shown')}>
    {([undefined, true] as const).map((each) => (
      <Link
        key={String(each)}
        to="."
        search={(before: ViewSearch) => ({ ...before, sums: each })}
        resetScroll={false}
        className={tabs.tab}
        data-on={(each ?? false) === sums || undefined}
        aria-current={(each ?? false) === sums ? 'page' : undefined}
      >
        {each ? t('Sums') : words(capital(rows))}
      </Link>
    ))}
  </nav>
);
