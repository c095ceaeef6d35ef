import { Columns3, Copy, ListFilter } from 'lucide';
import { Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { type Kind, type Layout, layoutOf } from '../../../domain/scans/layouts.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { counted, exact } from '../../format.ts';
import { type Sort, VirtualTable } from '../../table/virtual-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import listing from '../listing.module.css';
import { choiceOf, chosenColumns, rememberColumns, useRememberedColumns } from './column-choice.ts';
import { FilterChips } from './filter-chips.tsx';
import { FlawNotice } from './flaws.tsx';
import { ColumnChooser, FilterDialog, FlawDialog, MailDialog, useDialogsAhead } from './lazy-dialogs.ts';
import { tableColumns } from './result-columns.tsx';
import { cellIn, type Filters, flawsOf, isFiltering, matching, ordered, passing, Results } from './results.ts';
import styles from './results-view.module.css';
import type { ViewSearch } from './search.ts';
import { statsOf } from './stats.ts';
import { StatsPanel } from './stats-panel.tsx';

/** How the results are looked at, and what changes that: the address of the page. */
export interface View {
  search: ViewSearch;
  /** Changes parts of the address in place. */
  change: (part: Partial<ViewSearch>) => void;
}

interface Props extends View {
  game: Game;
  /** Null while they are fetched. */
  rows: Row[] | null;
  combined: boolean;
  /** Histories have columns of their own, so a choice of columns is remembered for them apart. */
  kind?: Kind;
  /** What the rows are of, for a mail about them: 'Kingdom 1042, 21 Nov 2026'. */
  heading?: string;
  /** Rows under their statistics, or one of the two alone. */
  part?: 'both' | 'rows' | 'sums';
  /** The page offers to have misread rows read again. */
  repairable?: boolean;
}

const NO_FILTERS: Filters = {
  alliances: undefined,
  hallFrom: undefined,
  hallTo: undefined,
  powerFrom: undefined,
  powerTo: undefined,
  flawed: undefined,
};

/** Statistics, filters, search and table of results; the page's address holds how they are looked at. */
export function ResultsView({
  game,
  rows,
  combined,
  kind = 'scan',
  heading = game.name,
  part = 'both',
  repairable = false,
  search,
  change,
}: Props) {
  const [open, setOpen] = useState<'columns' | 'filters' | 'mail' | null>(null);
  const [asked, setAsked] = useState<Row | null>(null);
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q }));
  const { row } = layoutOf({ game: game.id, kind });
  const memory = kind === 'scan' ? game.id : `${game.id}:${kind}`;
  useRememberedColumns(memory, combined, search, change);
  const { results, all, chosen, found, sort, stats } = useChosenRows(game, rows, useDeferredValue(query), search);
  const digits = search.digits === true;
  const narrow = useNarrow();
  const shown = useMemo(
    () => chosenColumns(results.columns, search.columns, combined),
    [results, search.columns, combined],
  );
  const columns = useMemo(
    () => tableColumns(shown, { cell: (row, id) => results.cell(row, id), digits, narrow, ask: setAsked }),
    [results, shown, digits, narrow],
  );
  const data = useMemo(() => Array.from(found, (row) => results.rows[row] ?? {}), [found, results]);
  const flaws = useMemo(() => flawsOf(results, all), [results, all]);
  const setColumns = (choice: string | undefined) => {
    rememberColumns(memory, combined, choice);
    change({ columns: choice });
  };
  const clear = () => change(NO_FILTERS);
  // A chip goes away under the finger that presses it; what is focused then must not be lost.
  const toFilters = useRef<HTMLButtonElement>(null);
  const dropFilters = (part: Filters) => {
    change(part);
    toFilters.current?.focus();
  };
  const close = () => setOpen(null);
  const ready = rows !== null;
  useDialogsAhead(ready);
  const filtered = isFiltering(search);
  const chips = <FilterChips game={game} filters={search} change={dropFilters} clear={() => dropFilters(NO_FILTERS)} />;
  const panel = (
    <StatsPanel
      game={game}
      stats={stats}
      of={ready && filtered ? filteredText(chosen.length, all.length, row) : null}
      chart={search.chart ?? 'rank'}
      setChart={(chart) => change({ chart: chart === 'rank' ? undefined : chart })}
    />
  );
  if (part === 'sums')
    return (
      <>
        {chips}
        {panel}
      </>
    );
  return (
    <>
      <FlawNotice
        flaws={flaws}
        only={search.flawed === true}
        setOnly={(only) => change({ flawed: only || undefined })}
        many={game.governor.many}
        repairable={repairable}
      />
      {part === 'both' && panel}
      <section className={listing.listing} aria-label="Results">
        <div className={listing.toolbar}>
          <SearchInput
            label={`Search ${game.governor.many} by name, id or alliance tag`}
            placeholder="Name, id or tag"
            value={query}
            onChange={setQuery}
          />
          <p className={listing.count} role="status">
            {ready && foundText(found.length, all.length, row)}
          </p>
          <div className={styles.tools}>
            <Button
              ref={toFilters}
              onClick={() => setOpen('filters')}
              disabled={!ready}
              data-on={filtered || undefined}
            >
              <Icon of={ListFilter} size={16} />
              Filters
            </Button>
            <Button onClick={() => setOpen('columns')} disabled={!ready}>
              <Icon of={Columns3} size={16} />
              Columns
            </Button>
            <Button onClick={() => setOpen('mail')} disabled={!ready || found.length === 0}>
              <Icon of={Copy} size={16} />
              Copy<span className="visually-hidden"> as text for in-game mail</span>
            </Button>
            <label className={styles.digits}>
              <input
                type="checkbox"
                checked={digits}
                onChange={(event) => change({ digits: event.target.checked || undefined })}
              />
              Every digit
            </label>
          </div>
        </div>
        {chips}
        {ready ? (
          <VirtualTable
            label={`${game.governor.many} of the scan`}
            columns={columns}
            data={data}
            rowId={rowId}
            sort={sort}
            onSort={({ id, desc }: Sort) => change({ sort: id, ascending: desc ? undefined : true })}
            lines={narrow ? 'double' : 'single'}
            empty={
              <NothingFound
                query={query}
                filtered={filtered}
                clear={() => {
                  setQuery('');
                  clear();
                }}
              />
            }
          />
        ) : (
          <TableSkeleton />
        )}
      </section>
      <Suspense>
        {open === 'columns' && (
          <ColumnChooser
            results={results}
            shown={shown}
            choose={(ids) => setColumns(choiceOf(ids, results.columns, combined))}
            reset={() => setColumns(undefined)}
            close={close}
          />
        )}
        {open === 'filters' && (
          <FilterDialog
            game={game}
            results={results}
            filters={search}
            found={chosen.length}
            change={change}
            clear={clear}
            close={close}
          />
        )}
        {open === 'mail' && (
          <MailDialog
            results={results}
            rows={found}
            heading={heading}
            sort={sort.id}
            combined={combined}
            close={close}
          />
        )}
        {asked && <FlawDialog row={asked} close={() => setAsked(null)} />}
      </Suspense>
    </>
  );
}

const NO_ROWS: Row[] = [];

/** The rows that the address asks for, in its order, and the sums of those that pass its filters. */
function useChosenRows(game: Game, rows: Row[] | null, query: string, search: ViewSearch) {
  const results = useMemo(() => new Results(game, rows ?? NO_ROWS), [game, rows]);
  const all = useMemo(() => passing(results, {}), [results]);
  const { alliances, hallFrom, hallTo, powerFrom, powerTo, flawed } = search;
  const wanted = alliances?.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the alliances are a new list at every look at the address.
  const chosen = useMemo(
    () => passing(results, { alliances, hallFrom, hallTo, powerFrom, powerTo, flawed }),
    [results, wanted, hallFrom, hallTo, powerFrom, powerTo, flawed],
  );
  const stats = useMemo(() => (rows ? statsOf(results, chosen) : null), [results, chosen, rows]);
  const id = results.columns.find((column) => column.id === search.sort)?.id ?? 'power';
  const ascending = search.ascending === true;
  const found = useMemo(
    () => ordered(results, matching(results, chosen, query), id, ascending),
    [results, chosen, query, id, ascending],
  );
  return { results, all, chosen, stats, found, sort: { id, desc: !ascending } };
}

/** A governor's id, which stands twice where kingdoms or days stand together. */
const rowId = (row: Row): string => ['kingdom', 'id', 'day'].map((id) => cellIn(row, id) ?? '').join('-');

const foundText = (found: number, all: number, { one, many }: Layout['row']): string =>
  found === all ? counted(all, one, many) : `${exact(found)} of ${counted(all, one, many)}`;

/** Which rows the sums are of. */
const filteredText = (...of: Parameters<typeof foundText>): string =>
  of[0] === 0 ? 'Nobody matches the filters.' : `Of the ${foundText(...of)} that match the filters.`;

const NothingFound = ({ query, filtered, clear }: { query: string; filtered: boolean; clear: () => void }) =>
  query.trim() === '' && !filtered ? (
    'The scan has no rows.'
  ) : (
    <div className={listing.nothing}>
      <p>
        {query.trim() === '' ? (
          'Nobody matches the filters.'
        ) : (
          <>
            Nobody {filtered && 'who passes the filters '}matches “<bdi>{query}</bdi>”.
          </>
        )}
      </p>
      <Button onClick={clear}>{filtered ? 'Clear search and filters' : 'Clear the search'}</Button>
    </div>
  );

const TableSkeleton = () => (
  <div className={styles.skeleton}>
    <Loading what="results" />
    {Array.from({ length: 14 }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the bones never move.
      <Skeleton key={row} height="1rem" width={`${96 - ((row * 7) % 23)}%`} />
    ))}
  </div>
);
