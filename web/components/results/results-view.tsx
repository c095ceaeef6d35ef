import { Search } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Game } from '../../../domain/games.ts';
import type { Row } from '../../../domain/rows.ts';
import { counted } from '../../format.ts';
import { type Sort, VirtualTable } from '../../table/virtual-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { resultColumns } from './result-columns.tsx';
import { matching, resultRows, statsOf } from './result-rows.ts';
import styles from './results-view.module.css';
import type { ViewSearch } from './search.ts';
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
}

/** Statistics, search and table of results; the page's address holds how they are looked at. */
export function ResultsView({ game, rows, combined, search, change }: Props) {
  const [query, setQuery] = useQueryText(search.q ?? '', change);
  const wanted = useDeferredValue(query);
  const all = useMemo(() => (rows ? resultRows(rows) : null), [rows]);
  const stats = useMemo(() => (all ? statsOf(all) : null), [all]);
  const found = useMemo(() => matching(all ?? [], wanted), [all, wanted]);
  const digits = search.digits === true;
  const narrow = useNarrow();
  const columns = useMemo(() => resultColumns(game, { combined, digits, narrow }), [game, combined, digits, narrow]);
  const onSort = ({ id, desc }: Sort) => change({ sort: id, ascending: desc ? undefined : true });
  return (
    <>
      <StatsPanel game={game} stats={stats} />
      <section className={styles.results} aria-label="Results">
        <div className={styles.toolbar}>
          <label className={styles.search}>
            <Search size={16} aria-hidden />
            <span className="visually-hidden">Search {game.governor.many} by name, id or alliance tag</span>
            <input
              type="search"
              value={query}
              placeholder="Name, id or tag"
              onChange={(event) => setQuery(event.target.value)}
            />
          </label>
          <p className={styles.count} role="status">
            {all && foundText(found.length, all.length, game)}
          </p>
          <label className={styles.digits}>
            <input
              type="checkbox"
              checked={digits}
              onChange={(event) => change({ digits: event.target.checked || undefined })}
            />
            Every digit
          </label>
        </div>
        {all ? (
          <VirtualTable
            label={`${game.governor.many} of the scan`}
            columns={columns}
            data={found}
            rowId={(row) => `${row.kingdom}-${row.id}`}
            sort={{ id: search.sort ?? 'power', desc: search.ascending !== true }}
            onSort={onSort}
            lines={narrow ? 'double' : 'single'}
            empty={<NothingFound query={wanted} clear={() => setQuery('')} />}
          />
        ) : (
          <TableSkeleton />
        )}
      </section>
    </>
  );
}

/** Milliseconds of rest after which the address takes the search text; browsers limit how often it may change. */
const REST = 300;

function useQueryText(initial: string, change: (part: Partial<ViewSearch>) => void) {
  const [query, setQuery] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing moves the address; `change` is new each time.
  useEffect(() => {
    if (query === initial) return;
    const timer = setTimeout(() => change({ q: query === '' ? undefined : query }), REST);
    return () => clearTimeout(timer);
  }, [query]);
  return [query, setQuery] as const;
}

const foundText = (found: number, all: number, { governor }: Game): string =>
  found === all
    ? counted(all, governor.one, governor.many)
    : `${found.toLocaleString('en-US')} of ${counted(all, governor.one, governor.many)}`;

const NothingFound = ({ query, clear }: { query: string; clear: () => void }) =>
  query.trim() === '' ? (
    'The scan has no rows.'
  ) : (
    <div className={styles.nothing}>
      <p>
        Nobody matches “<bdi>{query}</bdi>”.
      </p>
      <Button onClick={clear}>Clear the search</Button>
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
