import { useElementScrollRestoration } from '@tanstack/react-router';
import { FlexRender, type Header, type RowData, useTable } from '@tanstack/react-table';
import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { type ColumnLook, definitionOf, type Features, features, type TableColumn } from './features.ts';
import { roomIn, surelyFits } from './fits.ts';
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
  sort,
  onSort,
  lines = 'single',
  empty,
}: {
  label: string;
  columns: TableColumn<Row>[];
  data: readonly Row[];
  /** Null where the rows stand in an order of their own. */
  sort: PageSort | null;
  onSort: (sort: PageSort) => void;
  lines?: keyof typeof ROW_HEIGHT;
  /** Shown in place of rows where there are none. */
  empty: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // Who comes back to the page finds the table as he left it, also where its rows had to be fetched again.
  const left = useElementScrollRestoration({ id: label });
  const height = ROW_HEIGHT[lines];
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const { first, end } = useRowsInSight(scroller, {
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
        {/* Another one for each end: the same would be a part of the page that jumps as rows come. */}
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

/** Widths and headers: scrolling changes nothing in them. */
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

/** The number of each block of the rows, and from where to where it is drawn. */
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

/** Some of the rows in sight. Scrolling moves all of them and changes few, so a block is drawn once and then left alone. */
const Block = memo(function Block<Row extends RowData>({ data, from, to, columns }: BlockProps<Row>) {
  return (
    <tbody className={styles.block}>
      {data.slice(from, to).map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: other rows in a place take what is drawn there: quicker than to draw all of it anew.
        <BodyRow key={from + place} row={row} index={from + place} columns={columns} />
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
        <td key={column.id} className={cellClass(column, isCut(column, row))} title={column.hint?.(row)}>
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

/** Whatever is cut is a layer of its own, and a table in motion has five hundred cells. */
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
