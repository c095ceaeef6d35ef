import { Columns3, Copy, ListFilter } from 'lucide';
import { type ReactNode, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import type { Kind } from '../../../domain/scans/layouts.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import type { Sort } from '../../table/column.ts';
import { VirtualTable } from '../../table/virtual-table.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import listing from '../listing.module.css';
import { choiceOf, chosenColumns, rememberColumns, useRememberedColumns } from './column-choice.ts';
import { FilterChips } from './filter-chips.tsx';
import { ColumnChooser, CopyDialog, FilterDialog, FlawDialog, useDialogsAhead } from './lazy-dialogs.ts';
import { placed, tableColumns } from './result-columns.tsx';
import styles from './result-rows.module.css';
import { type Filters, isFiltering, type Results } from './results.ts';
import { foundText } from './rows-text.ts';
import type { View, ViewSearch } from './search.ts';

export const NO_FILTERS: Filters = {
  alliances: undefined,
  hallFrom: undefined,
  hallTo: undefined,
  powerFrom: undefined,
  powerTo: undefined,
  flawed: undefined,
};

/**
 * Rows that pass the filters, with search, sorting, table and copying. A key press in the search renders only this
 * component.
 */
export function ResultRows({
  game,
  kind,
  combined,
  heading,
  results,
  chosen,
  ready: fetched,
  waiting = <TableSkeleton />,
  search,
  change,
}: View & {
  game: Game;
  kind: Kind;
  combined: boolean;
  heading: string;
  results: Results;
  /** Rows that pass the filters. */
  chosen: Uint32Array;
  /** False while the rows load. */
  ready: boolean;
  /** Shown instead of the table until then. */
  waiting?: ReactNode;
}) {
  // Deferred separately, after the totals of the same rows.
  const ready = useDeferredValue(fetched, false);
  const [open, setOpen] = useState<'columns' | 'filters' | 'copy' | null>(null);
  const [asked, setAsked] = useState<Row | null>(null);
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q }));
  const memory = kind === 'scan' ? game.id : `${game.id}:${kind}`;
  useRememberedColumns(memory, combined, search, change);
  const { found, data, sort } = useFoundRows(results, chosen, query, search);
  const digits = search.digits === true;
  const narrow = useNarrow();
  const shown = useMemo(
    () => chosenColumns(results.columns, search.columns, combined),
    [results, search.columns, combined],
  );
  const columns = useTextMemo(
    () =>
      placed(tableColumns(shown, { cell: (row, id) => results.cell(row, id), digits, narrow, ask: setAsked }), narrow),
    [results, shown, digits, narrow],
  );
  const setColumns = (choice: string | undefined) => {
    rememberColumns(memory, combined, choice);
    change({ columns: choice });
  };
  const clear = () => change(NO_FILTERS);
  // A removed chip disappears under the pointer, so move the focus to the filter button.
  const toFilters = useRef<HTMLButtonElement>(null);
  const dropFilters = (part: Filters) => {
    change(part);
    toFilters.current?.focus();
  };
  const close = () => setOpen(null);
  useDialogsAhead(ready);
  const filtered = isFiltering(search);
  const chips = <FilterChips game={game} filters={search} change={dropFilters} clear={() => dropFilters(NO_FILTERS)} />;
  return (
    <>
      <section className={listing.listing} aria-label={t('Results')}>
        <div className={listing.toolbar}>
          <SearchInput
            label={t('Search {many} by name, id or alliance tag', { many: words(game.governor.many) })}
            placeholder={t('Name, id or tag')}
            value={query}
            onChange={setQuery}
          />
          <p className={listing.count} role="status">
            {ready && foundText(results, found)}
          </p>
          <div className={styles.tools}>
            <Button
              ref={toFilters}
              onClick={() => setOpen('filters')}
              disabled={!ready}
              data-on={filtered || undefined}
            >
              <Icon of={ListFilter} size={16} />
              <T of="Filters" />
            </Button>
            <Button onClick={() => setOpen('columns')} disabled={!ready}>
              <Icon of={Columns3} size={16} />
              <T of="Columns" />
            </Button>
            <Button onClick={() => setOpen('copy')} disabled={!ready || found.length === 0}>
              <Icon of={Copy} size={16} />
              <T
                of="Copy<span>for mail, spreadsheets or Discord</span>"
                span={(text) => <span className="visually-hidden">{text}</span>}
              />
            </Button>
            <label className={styles.digits}>
              <input
                type="checkbox"
                checked={digits}
                onChange={(event) => change({ digits: event.target.checked || undefined })}
              />
              <T of="Every digit" />
            </label>
          </div>
        </div>
        {chips}
        {ready ? (
          <VirtualTable
            label={t('{many} of the scan', { many: words(game.governor.many) })}
            columns={columns}
            rows={data}
            sort={sort}
            onSort={({ id, ascending }) => change({ sort: id, ascending: ascending || undefined })}
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
          waiting
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
        {open === 'copy' && (
          <CopyDialog
            results={results}
            shown={shown}
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

/** Returns the rows that match the search, in the URL's order. */
function useFoundRows(results: Results, chosen: Uint32Array, query: string, search: ViewSearch) {
  const id = results.columns.find((column) => column.id === search.sort)?.id ?? 'power';
  const ascending = search.ascending === true;
  const found = useMemo(
    () => results.index.ordered(results.index.found(chosen, query), results.values(id), ascending),
    [results, chosen, query, id, ascending],
  );
  const data = useMemo(() => Array.from(found, (row) => results.rows[row] ?? {}), [found, results]);
  const sort: Sort = { id, ascending };
  return { found, data, sort };
}

const NothingFound = ({ query, filtered, clear }: { query: string; filtered: boolean; clear: () => void }) =>
  query.trim() === '' && !filtered ? (
    t('The scan has no rows.')
  ) : (
    <div className={listing.nothing}>
      <p>
        {query.trim() === '' ? (
          t('Nobody matches the filters.')
        ) : (
          <T
            of={
              filtered ? message('Nobody who passes the filters matches “{bdi}”.') : message('Nobody matches “{bdi}”.')
            }
            bdi={<bdi>{query}</bdi>}
          />
        )}
      </p>
      <Button onClick={clear}>{filtered ? t('Clear search and filters') : t('Clear the search')}</Button>
    </div>
  );

/** As tall as a table longer than the screen, so that scroll position and content below do not shift. */
const TableSkeleton = () => <Skeletons what={t('results')} heights={['calc(100dvh - var(--nav) - 5rem)']} />;
