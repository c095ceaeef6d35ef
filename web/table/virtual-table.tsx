import { useElementScrollRestoration } from '@tanstack/react-router';
import {
  type ColumnDef,
  constructRow,
  FlexRender,
  type Header,
  type RowData,
  type SortingState,
  type Row as TableRow,
  useTable,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { type Features, features } from './features.ts';
import { useRowsInSight } from './use-rows-in-sight.ts';
import styles from './virtual-table.module.css';

/** The table itself knows of no rows: they are made one by one. */
const NONE: never[] = [];

/** Pixels of a row of one line, and of one whose first cell has two. */
const ROW_HEIGHT = { single: 36, double: 52 } as const;
export interface Sort {
  id: string;
  desc: boolean;
}

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
  columns: ColumnDef<Features, Row>[];
  data: readonly Row[];
  rowId: (row: Row, index: number) => string;
  /** Null where the rows stand in an order of their own. */
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  lines?: keyof typeof ROW_HEIGHT;
  /** Shown in place of rows where there are none. */
  empty: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const sorting: SortingState = sort ? [sort] : [];
  const table = useTable({
    features,
    columns,
    data: NONE,
    state: { sorting },
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change;
      if (next) onSort(next);
      scroller.current?.scrollTo({ top: 0 });
    },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: true,
  });
  // A row of the table is made when it first comes into sight: for twenty thousand of them a letter of a search would wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other cells.
  const made = useMemo(() => new WeakMap<Row & object, TableRow<Features, Row>>(), [columns]);
  const rowAt = (index: number): TableRow<Features, Row> | null => {
    const original = data[index] as (Row & object) | undefined;
    if (!original) return null;
    const row = made.get(original) ?? constructRow(table, rowId(original, index), original, index, 0);
    made.set(original, row);
    return row;
  };
  // Who comes back to the page finds the table as he left it, also where its rows had to be fetched again.
  const left = useElementScrollRestoration({ id: label });
  const height = ROW_HEIGHT[lines];
  const { first, end } = useRowsInSight(scroller, { rowHeight: height, count: data.length, from: left?.scrollY ?? 0 });
  const [headers] = table.getHeaderGroups();
  const looks = table.getAllColumns().map((column) => column.columnDef.meta);
  const width = looks.reduce((sum, look) => sum + (look?.width ?? 0), 0);
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
        <Head headers={headers?.headers ?? []} sorted={sort ? `${sort.id} ${sort.desc}` : ''} columns={columns} />
        <tbody>
          <Spacer height={first * height} columns={looks.length} />
          {Array.from({ length: end - first }, (_, place) => {
            const index = first + place;
            const row = rowAt(index);
            return row && <BodyRow key={row.id} row={row} index={index} columns={columns} />;
          })}
          <Spacer height={(data.length - end) * height} columns={looks.length} />
        </tbody>
      </table>
      {data.length === 0 && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

interface HeadProps<Row extends RowData> {
  headers: readonly Header<Features, Row>[];
  /** The headers themselves stay the same when they are sorted by another, or shown otherwise. */
  sorted: string;
  columns: ColumnDef<Features, Row>[];
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

interface BodyRowProps<Row extends RowData> {
  row: TableRow<Features, Row>;
  index: number;
  /** Other columns draw the row anew; the row itself stays the same while the table scrolls. */
  columns: ColumnDef<Features, Row>[];
}

/** One row in sight. Scrolling moves all rows and changes few, so a row is drawn once and then left alone. */
const BodyRow = memo(function BodyRow<Row extends RowData>({ row, index }: BodyRowProps<Row>) {
  return (
    <tr aria-rowindex={index + 2} className={styles.row}>
      {row.getAllCells().map((cell) => (
        <td key={cell.id} className={cellClass(cell.column.columnDef.meta)}>
          <FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  );
}) as <Row extends RowData>(props: BodyRowProps<Row>) => ReactNode;

const Spacer = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={columns} className={styles.spacer} style={{ height }} />
    </tr>
  );

const cellClass = (look: { figures?: boolean; sticky?: boolean } | undefined): string =>
  `${look?.figures ? styles.figures : ''} ${look?.sticky ? styles.sticky : ''}`;

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
