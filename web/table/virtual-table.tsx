import { useElementScrollRestoration } from '@tanstack/react-router';
import { memo, type ReactNode, type RefObject, useRef } from 'react';
import { useLocale } from '../ui/use-locale.ts';
import type { Column, Sort } from './column.ts';
import { roomIn, surelyFits } from './fits.ts';
import styles from './table.module.css';
import { classOf, Headers, NO_ROWS, Spacer, useSortable } from './table.tsx';
import { BLOCK, useVisibleRows } from './use-visible-rows.ts';

/** Height in px of a row with one line, and with a two-line first cell. */
const ROW_HEIGHT = { single: 36, double: 52 } as const;

/**
 * A `Table` for thousands of rows: only the visible ones are in the DOM, between two spacers. It is a native table, so
 * that screen readers relate headers and cells. Header and sticky column stay in place. `rows` must be in the order of
 * `sort`.
 */
export function VirtualTable<Row>({
  label,
  columns,
  rows,
  sort,
  onSort,
  lines = 'single',
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Null if the rows are not sorted by a column. */
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  lines?: keyof typeof ROW_HEIGHT;
  /** Shown if there are no rows. */
  empty: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // Restores the scroll position on return, even if the rows had to be fetched again.
  const left = useElementScrollRestoration({ id: label });
  const height = ROW_HEIGHT[lines];
  const width = columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
  const { first, end } = useVisibleRows(scroller, { rowHeight: height, rows, width, from: left?.scrollY ?? 0 });
  return (
    <section
      ref={scroller}
      className={`${styles.scroller} ${styles.virtual} ${styles[lines]}`}
      aria-label={label}
      data-scroll-restoration-id={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={styles.table} style={{ minWidth: width }} aria-rowcount={rows.length + 1}>
        <Head scroller={scroller} columns={columns} sort={sort} onSort={onSort} />
        <Spacer height={first * height} columns={columns.length} />
        {blocksOf(first, end).map(([block, from, to]) => (
          <Block key={block} rows={rows} from={from} to={to} columns={columns} />
        ))}
        {/* A new spacer for each end, because a moving one would count as a layout shift. */}
        <Spacer key={`from ${end}`} height={(rows.length - end) * height} columns={columns.length} />
      </table>
      {rows.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

interface HeadProps<Row> {
  scroller: RefObject<HTMLElement | null>;
  columns: readonly Column<Row>[];
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

/** Column widths and headers. Memoized, because scrolling does not change them. */
const Head = memo(function Head<Row>({ scroller, columns, sort, onSort }: HeadProps<Row>) {
  useLocale();
  const table = useSortable<Row>({
    columns,
    rows: NO_ROWS,
    sort,
    onSort: (next) => {
      onSort(next);
      scroller.current?.scrollTo({ top: 0 });
    },
  });
  return (
    <>
      <colgroup>
        {columns.map(({ id, grow, width }) => (
          <col key={id} style={{ width: grow ? undefined : width }} />
        ))}
      </colgroup>
      <thead>
        <Headers table={table} sortable rowIndex={1} />
      </thead>
    </>
  );
}) as <Row>(props: HeadProps<Row>) => ReactNode;

/** Returns the number and the row range of each block. */
const blocksOf = (first: number, end: number): [block: number, from: number, to: number][] => {
  const start = Math.floor(first / BLOCK);
  return Array.from({ length: Math.ceil(end / BLOCK) - start }, (_, place) => {
    const block = start + place;
    return [block, Math.max(first, block * BLOCK), Math.min(end, (block + 1) * BLOCK)];
  });
};

interface BlockProps<Row> {
  rows: readonly Row[];
  from: number;
  to: number;
  columns: readonly Column<Row>[];
}

/** A block of rows. Memoized, because scrolling changes only few blocks. */
const Block = memo(function Block<Row>({ rows, from, to, columns }: BlockProps<Row>) {
  return (
    <tbody className={styles.block}>
      {rows.slice(from, to).map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reusing elements for other rows is faster than new ones.
        <BodyRow key={from + place} row={row} index={from + place} columns={columns} />
      ))}
    </tbody>
  );
}) as <Row>(props: BlockProps<Row>) => ReactNode;

interface BodyRowProps<Row> {
  row: Row;
  index: number;
  /** New columns render the row again. */
  columns: readonly Column<Row>[];
}

/** Memoized, so that rows stay when others around them change. */
const BodyRow = memo(function BodyRow<Row>({ row, index, columns }: BodyRowProps<Row>) {
  useLocale();
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map((column) => (
        <td key={column.id} className={classOf(column, isCut(column, row))} title={column.hint?.(row)}>
          {column.cell(row, index)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

/**
 * Returns whether a cell needs truncation. Each truncated cell is a layer, and a scrolling table has five hundred
 * cells.
 */
const isCut = <Row,>({ words, text, width = 0 }: Column<Row>, row: Row): boolean =>
  words === true && !(text && surelyFits(text(row), roomIn(width)));
