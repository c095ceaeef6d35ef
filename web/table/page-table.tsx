import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, startTransition, useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './page-table.module.css';

/** A column of a `PageTable`. */
export interface PageColumn<Row> {
  id: string;
  title: string;
  /** Full title, if the title is short. */
  about?: string;
  cell: (row: Row) => ReactNode;
  figures?: boolean;
  /** Stays visible while the table scrolls sideways. */
  sticky?: boolean;
  /** Takes the remaining width. */
  grow?: boolean;
  /** Wraps long text instead of truncating it. */
  wraps?: boolean;
  /** Sorts ascending first. */
  ascending?: boolean;
  unsorted?: boolean;
}

export interface PageSort {
  id: string;
  ascending: boolean;
}

/** Rows rendered first, about a phone's screen; the rest follow in a second render. */
const AT_FIRST = 12;

/** A smaller second line of a cell, for data that has no column on phones. */
export const Under = ({ children }: { children: ReactNode }) => <span className={styles.under}>{children}</span>;

/**
 * A table that renders all given rows, so it should get one page at a time. It needs no table library, which keeps the
 * first load of public pages small. Callers sort the rows.
 */
export function PageTable<Row>({
  label,
  columns,
  rows,
  rowId,
  sort,
  onSort,
  waiting = 0,
  detail,
  pinned = [],
}: {
  label: string;
  columns: readonly PageColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string | number;
  sort?: PageSort;
  onSort?: (sort: PageSort) => void;
  /** Number of skeleton rows while loading. */
  waiting?: number;
  /** Expanded content below a row, across all columns; null if collapsed. */
  detail?: (row: Row) => ReactNode;
  /** Rows shown above the others in any order. */
  pinned?: readonly Row[];
}) {
  const ready = usePainted(rows.length > 0) ? rows : rows.slice(0, AT_FIRST);
  const drawn = (row: Row, isPinned: boolean) => {
    // A pinned row that is also listed expands only in the list.
    const below = isPinned && rows.includes(row) ? null : detail?.(row);
    return (
      <Line
        key={`${isPinned ? 'pinned ' : ''}${rowId(row)}`}
        row={row}
        columns={columns}
        isPinned={isPinned}
        below={below || null}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={classOf(column)}
                aria-sort={sort?.id === column.id ? (sort.ascending ? 'ascending' : 'descending') : undefined}
              >
                {onSort && !column.unsorted ? (
                  <SortButton column={column} sort={sort} onSort={onSort} />
                ) : (
                  <span className={styles.head} title={column.about}>
                    {column.title}
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pinned.map((row) => drawn(row, true))}
          {ready.map((row) => drawn(row, false))}
          {Array.from({ length: rows.length - ready.length + waiting }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places without rows never move.
            <tr key={index} aria-hidden>
              <td colSpan={columns.length} className={styles.waiting}>
                <span style={{ width: `${94 - ((index * 7) % 29)}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns true once a render with `ready` has been painted. */
function usePainted(ready: boolean): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (ready) startTransition(() => setSeen(true));
  }, [ready]);
  return seen;
}

function AnyLine<Row>({
  row,
  columns,
  isPinned,
  below,
}: {
  row: Row;
  columns: readonly PageColumn<Row>[];
  isPinned: boolean;
  below: ReactNode;
}) {
  return (
    <>
      <tr data-pinned={isPinned || undefined} data-open={below ? true : undefined}>
        {columns.map((column) => (
          <td key={column.id} className={classOf(column)}>
            {column.cell(row)}
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

const classOf = ({
  figures,
  sticky,
  grow,
  wraps,
}: Pick<PageColumn<never>, 'figures' | 'sticky' | 'grow' | 'wraps'>): string =>
  [figures && styles.figures, sticky && styles.sticky, grow && styles.grow, wraps && styles.wraps]
    .filter(Boolean)
    .join(' ');

function SortButton<Row>({
  column,
  sort,
  onSort,
}: {
  column: PageColumn<Row>;
  sort: PageSort | undefined;
  onSort: (sort: PageSort) => void;
}) {
  const active = sort?.id === column.id;
  const ascending = active ? !sort.ascending : column.ascending === true;
  return (
    <button
      type="button"
      className={styles.head}
      title={column.about}
      onClick={() => onSort({ id: column.id, ascending })}
    >
      {column.title}
      {active && <Icon of={sort.ascending ? ArrowUp : ArrowDown} size={12} />}
    </button>
  );
}
