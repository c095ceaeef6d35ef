import { type Table as TableOf, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { type MouseEvent, memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { words } from '../../domain/language/text.ts';
import { Icon } from '../ui/icon.tsx';
import { isPlainClick } from '../ui/plain-click.ts';
import { useLocale } from '../ui/use-locale.ts';
import { type Column, definitionOf, type Features, features, type Held, type Sort } from './column.ts';
import styles from './table.module.css';
import { type SortAhead, useAhead } from './use-ahead.ts';

/** Rows rendered at once, about a phone's screen; the rest follow in a second render. */
const AT_ONCE = 12;
/** About the height of a row, in px. */
const ABOUT = 44;
export const NO_ROWS: readonly never[] = [];

/** A smaller second line of a cell, for data that has no column on phones. `narrow` shows it only there. */
export const Under = ({ narrow, children }: { narrow?: boolean; children: ReactNode }) => (
  <span className={narrow ? `${styles.under} ${styles.narrow}` : styles.under}>{children}</span>
);

/**
 * A table that renders all given rows, so it should get one page at a time. With `onSort`, callers sort the rows;
 * otherwise the table sorts them itself, starting with `sort`.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowId,
  sort,
  onSort,
  sortHref,
  sortAhead,
  waiting = 0,
  detail,
  pinned = NO_ROWS,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string | number;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  /** Address of an order; if set, headers are links, which work before the page's script does. */
  sortHref?: (sort: Sort) => string;
  /** Loads an order's rows before its header is pressed. */
  sortAhead?: SortAhead | undefined;
  /** Number of skeleton rows while loading. */
  waiting?: number;
  /** Expanded content below a row, across all columns; null if collapsed. */
  detail?: (row: Row) => ReactNode;
  /** Rows shown above the others in any order. */
  pinned?: readonly Row[];
}) {
  const table = useSortable({ columns, rows, sort, onSort });
  const isManual = onSort !== undefined;
  const { rows: modelled } = table.getRowModel();
  const sorted = useMemo(
    () => (isManual ? rows : modelled.map(({ original }) => original.row)),
    [rows, modelled, isManual],
  );
  const { first, rest, isBehind } = useInSteps(sorted, columns, sort);
  const drawn = (row: Row, index: number, columns: readonly Column<Row>[]) => {
    const isPinned = index < 0;
    // A pinned row that is also listed expands only in the list.
    const below = isPinned && rows.includes(row) ? null : detail?.(row);
    const id = `${isPinned ? 'pinned ' : ''}${rowId(row)}`;
    return (
      // Reusing the elements for other rows of a sorted table is faster than creating new ones.
      <Line key={onSort && !isPinned ? index : id} row={row} index={index} columns={columns} below={below || null} />
    );
  };
  const all = rows.length + waiting;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={`${styles.scroller} ${styles.flowing}`} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <Headers
            table={table}
            sortable={sort !== undefined || onSort !== undefined}
            sortHref={sortHref}
            sortAhead={sortAhead}
          />
        </thead>
        <tbody>
          {pinned.map((row) => drawn(row, -1, columns))}
          {first.map((row, index) => drawn(row, index, columns))}
          {skeletons(first.length, Math.min(AT_ONCE, all), columns.length)}
        </tbody>
        {isBehind && <Spacer height={rest.rows.length * ABOUT} columns={columns.length} />}
        {all > AT_ONCE && (
          <tbody data-behind={isBehind || undefined}>
            {rest.rows.map((row, index) => drawn(row, AT_ONCE + index, rest.columns))}
            <Later rows={all - AT_ONCE - rest.rows.length} columns={columns.length} />
          </tbody>
        )}
      </table>
    </section>
  );
}

/** Returns a skeleton for each place without a row. It keeps its place, because moving would be a layout shift. */
const skeletons = (from: number, end: number, columns: number): ReactNode =>
  Array.from({ length: Math.max(0, end - from) }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above.
    <tr key={`waiting ${from + place}`} aria-hidden>
      <td colSpan={columns} className={styles.waiting}>
        <span />
      </td>
    </tr>
  ));

/** One skeleton for rows below the first ones, because a slow phone lays out each row for a millisecond. */
const Later = ({ rows, columns }: { rows: number; columns: number }) =>
  rows > 0 && (
    <tr aria-hidden>
      <td colSpan={columns}>
        <svg className={styles.later} height={rows * ABOUT} />
      </td>
    </tr>
  );

/** Rows in place of which the page keeps its height. */
export const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 && (
    <tbody aria-hidden>
      <tr>
        <td colSpan={columns} className={styles.spacer} style={{ height }} />
      </tr>
    </tbody>
  );

/** TanStack's table of the given columns: headers, the sort order, and small tables' sorted rows. */
export function useSortable<Row>({
  columns,
  rows,
  sort,
  onSort,
}: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  sort: Sort | null | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}): TableOf<Features, Held<Row>> {
  const [own, setOwn] = useState(sort);
  const shown = onSort ? sort : own;
  const sorting = shown ? [{ id: shown.id, desc: !shown.ascending }] : [];
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const isManual = onSort !== undefined;
  const data = useMemo(() => (isManual ? NO_ROWS : rows.map((row) => ({ row }))), [rows, isManual]);
  return useTable<Features, Held<Row>>({
    features,
    columns: definitions,
    data,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      if (next) (onSort ?? setOwn)({ id: next.id, ascending: !next.desc });
    },
    manualSorting: isManual,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });
}

interface Lines<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** Name of their order. */
  order: string;
}

const NO_LINES = { rows: NO_ROWS, columns: NO_ROWS, order: '' };

/**
 * Returns the lines to render now. When they change, the first ones change at once and the rest in a later render, so
 * that a press on a header shows its effect sooner. `isBehind` while the rest is still in another order.
 */
function useInSteps<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null | undefined) {
  const order = sort ? `${sort.id} ${sort.ascending}` : '';
  const now = useMemo((): Lines<Row> => ({ rows, columns, order }), [rows, columns, order]);
  const later = useDeferredValue<Lines<Row>>(now, NO_LINES);
  return {
    first: rows.slice(0, AT_ONCE),
    rest: { rows: later.rows.slice(AT_ONCE, rows.length), columns: later.columns },
    isBehind: later.rows !== rows && later.order !== order,
  };
}

function AnyLine<Row>({
  row,
  index,
  columns,
  below,
}: {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  below: ReactNode;
}) {
  useLocale();
  return (
    <>
      <tr data-pinned={index < 0 || undefined} data-open={below ? true : undefined}>
        {columns.map((column) => (
          <td key={column.id} className={classOf(column)} title={column.hint?.(row)}>
            {column.cell(row, index)}
          </td>
        ))}
      </tr>
      {below && (
        <tr className={styles.detail}>
          <td colSpan={columns.length}>{below}</td>
        </tr>
      )}
    </>
  );
}

/** A row and its expanded content, memoized. */
const Line = memo(AnyLine) as typeof AnyLine;

/** Classes of a column's cells; `cut` truncates them. */
export function classOf({ figures, sticky, grow, wraps, words, wide }: Column<never>, cut = words): string | undefined {
  const names = [
    figures && styles.figures,
    sticky && styles.sticky,
    grow && (grow === 'narrow' ? styles.growNarrow : styles.grow),
    wide && styles.wide,
    wraps && styles.wraps,
    cut && styles.words,
  ];
  return names.filter(Boolean).join(' ') || undefined;
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

/** The header row. */
export const Headers = <Row,>({
  table,
  sortable,
  sortHref,
  sortAhead,
  rowIndex,
}: {
  table: TableOf<Features, Held<Row>>;
  sortable: boolean;
  sortHref?: ((sort: Sort) => string) | undefined;
  sortAhead?: SortAhead | undefined;
  /** For tables that render some of their rows. */
  rowIndex?: number;
}) => (
  <tr aria-rowindex={rowIndex}>
    {table.getAllColumns().map((column) => {
      const look = column.columnDef.meta as Column<never>;
      const direction = column.getIsSorted();
      return (
        <th
          key={column.id}
          scope="col"
          className={classOf(look)}
          aria-sort={direction ? ARIA_SORT[direction] : undefined}
        >
          <Head column={column} about={look.about} sortable={sortable} sortHref={sortHref} sortAhead={sortAhead}>
            {words(look.title)}
            {direction && <Icon of={direction === 'asc' ? ArrowUp : ArrowDown} size={12} />}
          </Head>
        </th>
      );
    })}
  </tr>
);

/** A header's text; it sorts by a press if the table can be sorted by its column. */
function Head<Row>({
  column,
  about,
  sortable,
  sortHref,
  sortAhead,
  children,
}: {
  column: ReturnType<TableOf<Features, Held<Row>>['getAllColumns']>[number];
  about: string | undefined;
  sortable: boolean;
  sortHref: ((sort: Sort) => string) | undefined;
  sortAhead: SortAhead | undefined;
  children: ReactNode;
}) {
  const next = { id: column.id, ascending: column.getNextSortingOrder() === 'asc' };
  const ahead = useAhead(next, sortAhead);
  const looks = { className: styles.head, title: about && words(about) };
  if (!sortable || !column.getCanSort()) return <span {...looks}>{children}</span>;
  const sort = column.getToggleSortingHandler();
  if (!sortHref)
    return (
      <button type="button" onClick={sort} {...looks}>
        {children}
      </button>
    );
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    sort?.(event);
  };
  return (
    <a href={sortHref(next)} onClick={follow} {...looks} {...ahead}>
      {children}
    </a>
  );
}
