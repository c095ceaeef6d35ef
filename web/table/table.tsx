import { type Table as TableOf, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import { type Column, definitionOf, type Features, features, type Held, type Sort } from './column.ts';
import styles from './table.module.css';

/** Rows rendered at once, about a phone's screen; the rest follow in a second render. */
const AT_ONCE = 12;
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
  const ready = useInSteps(sorted);
  const drawn = (row: Row, index: number) => {
    const isPinned = index < 0;
    // A pinned row that is also listed expands only in the list.
    const below = isPinned && rows.includes(row) ? null : detail?.(row);
    const id = `${isPinned ? 'pinned ' : ''}${rowId(row)}`;
    return (
      // Reusing the elements for other rows of a sorted table is faster than creating new ones.
      <Line key={onSort && !isPinned ? index : id} row={row} index={index} columns={columns} below={below || null} />
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={`${styles.scroller} ${styles.flowing}`} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <Headers table={table} sortable={sort !== undefined || onSort !== undefined} />
        </thead>
        <tbody>
          {pinned.map((row) => drawn(row, -1))}
          {ready.map(drawn)}
          {Array.from({ length: rows.length - ready.length + waiting }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places without rows never move.
            <tr key={`waiting ${index}`} aria-hidden>
              <td colSpan={columns.length} className={styles.waiting}>
                <span />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

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

/**
 * Returns the rows to render now. When they change, the first ones change at once and the others in a later render, so
 * that a press on a header shows its effect sooner.
 */
function useInSteps<Row>(rows: readonly Row[]): readonly Row[] {
  const later = useDeferredValue(rows, NO_ROWS);
  return later === rows ? rows : [...rows.slice(0, AT_ONCE), ...later.slice(AT_ONCE, rows.length)];
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
  rowIndex,
}: {
  table: TableOf<Features, Held<Row>>;
  sortable: boolean;
  /** For tables that render some of their rows. */
  rowIndex?: number;
}) => (
  <tr aria-rowindex={rowIndex}>
    {table.getFlatHeaders().map(({ id, column }) => {
      const look = column.columnDef.meta as Column<never>;
      const direction = column.getIsSorted();
      return (
        <th key={id} scope="col" className={classOf(look)} aria-sort={direction ? ARIA_SORT[direction] : undefined}>
          {sortable && column.getCanSort() ? (
            <button type="button" className={styles.head} onClick={column.getToggleSortingHandler()} title={look.about}>
              {look.title}
              {direction && <Icon of={direction === 'asc' ? ArrowUp : ArrowDown} size={12} />}
            </button>
          ) : (
            <span className={styles.head} title={look.about}>
              {look.title}
            </span>
          )}
        </th>
      );
    })}
  </tr>
);
