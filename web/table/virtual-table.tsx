import { useElementScrollRestoration } from '@tanstack/react-router';
import { FlexRender, type Header, type RowData, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { type ColumnLook, definitionOf, type Features, features, type TableColumn } from './features.ts';
import { roomIn, surelyFits } from './fits.ts';
import type { PageSort } from './page-table.tsx';
import { BLOCK, useVisibleRows } from './use-visible-rows.ts';
import styles from './virtual-table.module.css';

/** The library gets the columns and the sort state, but no rows. */
const NONE: never[] = [];

/** Height in px of a row with one line, and with a two-line first cell. */
const ROW_HEIGHT = { single: 36, double: 52 } as const;

/**
 * A virtual table: only the visible rows are in the DOM, between two spacers. It is a native table, so that screen
 * readers relate headers and cells. Header and sticky column stay in place. `data` must be in the order of `sort`.
 */
export function VirtualTable<Row extends RowData>({
  label,
  columns,
  data,
  sort,
  onSort,
  lines = 'single',
  empty,
}: {
  label: string;
  columns: TableColumn<Row>[];
  data: readonly Row[];
  /** Null if the rows are not sorted by a column. */
  sort: PageSort | null;
  onSort: (sort: PageSort) => void;
  lines?: keyof typeof ROW_HEIGHT;
  /** Shown if there are no rows. */
  empty: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // Restores the scroll position on return, even if the rows had to be fetched again.
  const left = useElementScrollRestoration({ id: label });
  const height = ROW_HEIGHT[lines];
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const { first, end } = useVisibleRows(scroller, {
    rowHeight: height,
    rows: data,
    width,
    from: left?.scrollY ?? 0,
  });
  return (
    <section
      ref={scroller}
      className={`${styles.scroller} ${styles[lines]}`}
      aria-label={label}
      data-scroll-restoration-id={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <table className={styles.table} style={{ minWidth: width }} aria-rowcount={data.length + 1}>
        <Head scroller={scroller} columns={columns} sort={sort} onSort={onSort} />
        <Spacer height={first * height} columns={columns.length} />
        {blocksOf(first, end).map(([block, from, to]) => (
          <Block key={block} data={data} from={from} to={to} columns={columns} />
        ))}
        {/* A new spacer for each end, because a moving one would count as a layout shift. */}
        <Spacer key={`from ${end}`} height={(data.length - end) * height} columns={columns.length} />
      </table>
      {data.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

interface HeadProps<Row extends RowData> {
  scroller: RefObject<HTMLElement | null>;
  columns: TableColumn<Row>[];
  sort: PageSort | null;
  onSort: (sort: PageSort) => void;
}

/** Column widths and headers. Memoized, because scrolling does not change them. */
const Head = memo(function Head<Row extends RowData>({ scroller, columns, sort, onSort }: HeadProps<Row>) {
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const sorting = sort ? [{ id: sort.id, desc: !sort.ascending }] : [];
  const table = useTable({
    features,
    columns: definitions,
    data: NONE,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      if (next) onSort({ id: next.id, ascending: !next.desc });
      scroller.current?.scrollTo({ top: 0 });
    },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });
  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  return (
    <>
      <colgroup>
        {headers.map(({ id, column: { columnDef } }) => (
          <col key={id} style={{ width: columnDef.meta?.grow ? undefined : columnDef.meta?.width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {headers.map((header) => (
            <SortHeader key={header.id} header={header}>
              <FlexRender header={header} />
            </SortHeader>
          ))}
        </tr>
      </thead>
    </>
  );
}) as <Row extends RowData>(props: HeadProps<Row>) => ReactNode;

/** Returns the number and the row range of each block. */
const blocksOf = (first: number, end: number): [block: number, from: number, to: number][] => {
  const start = Math.floor(first / BLOCK);
  return Array.from({ length: Math.ceil(end / BLOCK) - start }, (_, place) => {
    const block = start + place;
    return [block, Math.max(first, block * BLOCK), Math.min(end, (block + 1) * BLOCK)];
  });
};

interface BlockProps<Row extends RowData> {
  data: readonly Row[];
  from: number;
  to: number;
  columns: TableColumn<Row>[];
}

/** A block of rows. Memoized, because scrolling changes only few blocks. */
const Block = memo(function Block<Row extends RowData>({ data, from, to, columns }: BlockProps<Row>) {
  return (
    <tbody className={styles.block}>
      {data.slice(from, to).map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reusing elements for other rows is faster than creating new ones.
        <BodyRow key={from + place} row={row} index={from + place} columns={columns} />
      ))}
    </tbody>
  );
}) as <Row extends RowData>(props: BlockProps<Row>) => ReactNode;

interface BodyRowProps<Row extends RowData> {
  row: Row;
  index: number;
  /** New columns render the row again. */
  columns: TableColumn<Row>[];
}

/** Memoized, so that rows stay when others around them change. */
const BodyRow = memo(function BodyRow<Row extends RowData>({ row, index, columns }: BodyRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} className={styles.row}>
      {columns.map((column) => (
        <td key={column.id} className={cellClass(column, isCut(column, row))} title={column.hint?.(row)}>
          {column.show(row, index)}
        </td>
      ))}
    </tr>
  );
}) as <Row extends RowData>(props: BodyRowProps<Row>) => ReactNode;

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 && (
    <tbody aria-hidden>
      <tr>
        <td colSpan={columns} className={styles.spacer} style={{ height }} />
      </tr>
    </tbody>
  );

/**
 * Returns whether a cell needs truncation. Each truncated cell is a layer, and a scrolling table has five hundred
 * cells.
 */
const isCut = <Row,>({ words, text, width }: TableColumn<Row>, row: Row): boolean =>
  words === true && !(text && surelyFits(text(row), roomIn(width)));

const cellClass = (look: ColumnLook | undefined, cut = look?.words): string | undefined =>
  [look?.figures && styles.figures, cut && styles.words, look?.sticky && styles.sticky].filter(Boolean).join(' ') ||
  undefined;

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

function SortHeader<Row extends RowData>({ header, children }: { header: Header<Features, Row>; children: ReactNode }) {
  const { column } = header;
  const look = column.columnDef.meta;
  const direction = column.getIsSorted();
  return (
    <th scope="col" className={cellClass(look)} aria-sort={direction ? ARIA_SORT[direction] : undefined}>
      {column.getCanSort() ? (
        <button type="button" className={styles.sort} onClick={column.getToggleSortingHandler()} title={look?.about}>
          {children}
          {direction === 'asc' && <Icon of={ArrowUp} size={12} />}
          {direction === 'desc' && <Icon of={ArrowDown} size={12} />}
        </button>
      ) : (
        <span className={styles.sort} title={look?.about}>
          {children}
        </span>
      )}
    </th>
  );
}
