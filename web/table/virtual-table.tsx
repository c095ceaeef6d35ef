import { useElementScrollRestoration } from '@tanstack/react-router';
import { FlexRender, type Header, type RowData, type SortingState, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { type ColumnLook, definitionOf, type Features, features, type TableColumn } from './features.ts';
import type { PageSort } from './page-table.tsx';
import { BLOCK, useRowsInSight } from './use-rows-in-sight.ts';
import styles from './virtual-table.module.css';

/** The library knows the columns and what they are sorted by; of the rows only those in sight are drawn. */
const NONE: never[] = [];

/** Pixels of a row of one line, and of one whose first cell has two. */
const ROW_HEIGHT = { single: 36, double: 52 } as const;

/**
 * A table of thousands of rows of which only those in sight are in the document: rows in the middle of two spacers, in
 * a native table, so that headers and cells stay tied for those who listen. Header and sticky column stay in place. Rows
 * come in the order of `sort`.
 */
export function VirtualTable<Row extends RowData>({
  label,
  columns,
  data,
  rowId,
  sort,
  onSort,
  lines = 'single',
  empty,
}: {
  label: string;
  columns: TableColumn<Row>[];
  data: readonly Row[];
  rowId: (row: Row, index: number) => string;
  /** Null where the rows stand in an order of their own. */
  sort: PageSort | null;
  onSort: (sort: PageSort) => void;
  lines?: keyof typeof ROW_HEIGHT;
  /** Shown in place of rows where there are none. */
  empty: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columns.map(definitionOf), [columns]);
  const sorting: SortingState = sort ? [{ id: sort.id, desc: !sort.ascending }] : [];
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
  // Who comes back to the page finds the table as he left it, also where its rows had to be fetched again.
  const left = useElementScrollRestoration({ id: label });
  const height = ROW_HEIGHT[lines];
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const { first, end } = useRowsInSight(scroller, {
    rowHeight: height,
    count: data.length,
    width,
    from: left?.scrollY ?? 0,
  });
  const [headers] = table.getHeaderGroups();
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
        <Head headers={headers?.headers ?? []} sorted={sort ? `${sort.id} ${sort.ascending}` : ''} columns={columns} />
        <Spacer height={first * height} columns={columns.length} />
        {blocksOf(first, end).map(([from, to]) => (
          <Block key={from} data={data} from={from} to={to} rowId={rowId} columns={columns} />
        ))}
        <Spacer height={(data.length - end) * height} columns={columns.length} />
      </table>
      {data.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

interface HeadProps<Row extends RowData> {
  headers: readonly Header<Features, Row>[];
  /** The headers themselves stay the same when they are sorted by another, or shown otherwise. */
  sorted: string;
  columns: TableColumn<Row>[];
}

/** Widths and headers: scrolling changes nothing in them. */
const Head = memo(function Head<Row extends RowData>({ headers }: HeadProps<Row>) {
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

/** From where to where each block of the rows goes. */
const blocksOf = (first: number, end: number): [from: number, to: number][] =>
  Array.from({ length: Math.ceil((end - first) / BLOCK) }, (_, block) => {
    const from = first + block * BLOCK;
    return [from, Math.min(end, from + BLOCK)];
  });

interface BlockProps<Row extends RowData> {
  data: readonly Row[];
  from: number;
  to: number;
  rowId: (row: Row, index: number) => string;
  columns: TableColumn<Row>[];
}

/** Some of the rows in sight. Scrolling moves all of them and changes few, so a block is drawn once and then left alone. */
const Block = memo(function Block<Row extends RowData>({ data, from, to, rowId, columns }: BlockProps<Row>) {
  return (
    <tbody className={styles.block}>
      {data.slice(from, to).map((row, place) => (
        <BodyRow key={rowId(row, from + place)} row={row} index={from + place} columns={columns} />
      ))}
    </tbody>
  );
}) as <Row extends RowData>(props: BlockProps<Row>) => ReactNode;

interface BodyRowProps<Row extends RowData> {
  row: Row;
  index: number;
  /** Other columns draw the row anew. */
  columns: TableColumn<Row>[];
}

/** A row stays as it is where other rows come to stand around it. */
const BodyRow = memo(function BodyRow<Row extends RowData>({ row, index, columns }: BodyRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} className={styles.row}>
      {columns.map((column) => (
        <td key={column.id} className={cellClass(column)} title={column.hint?.(row)}>
          {column.show(row)}
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

const cellClass = (look: ColumnLook | undefined): string | undefined =>
  [look?.figures && styles.figures, look?.words && styles.words, look?.sticky && styles.sticky]
    .filter(Boolean)
    .join(' ') || undefined;

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
