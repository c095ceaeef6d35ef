import { ArrowDown, ArrowUp } from 'lucide';
import { memo, type ReactNode, startTransition, useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './page-table.module.css';

/** A column of a table that is drawn a page at a time. */
export interface PageColumn<Row> {
  id: string;
  title: string;
  /** The title in full where it is short. */
  about?: string;
  cell: (row: Row) => ReactNode;
  figures?: boolean;
  /** Stays in sight while the table scrolls sideways. */
  sticky?: boolean;
  /** Takes the width that is left. */
  grow?: boolean;
  /** Long words go on in another line instead of being cut. */
  wraps?: boolean;
  /** First sorted from the least. */
  ascending?: boolean;
  unsorted?: boolean;
}

export interface PageSort {
  id: string;
  ascending: boolean;
}

/** Rows that are drawn as soon as there are any, a phone’s screen of them: the others follow once these are seen. */
const AT_FIRST = 12;

/** The second line of a cell, smaller: what a phone has no columns for. */
export const Under = ({ children }: { children: ReactNode }) => <span className={styles.under}>{children}</span>;

/**
 * A table of a page of rows, all of them in the document: short enough to need no virtual rows, and without a table
 * library in the first load of a public page. Sorting is the caller's, who has every row.
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
  /** Rows whose place is kept while they are fetched. */
  waiting?: number;
  /** What opens under a row, over its whole width; null for rows that are shut. */
  detail?: (row: Row) => ReactNode;
  /** Rows that stand above the others whatever the order. */
  pinned?: readonly Row[];
}) {
  const ready = useSeen(rows.length > 0) ? rows : rows.slice(0, AT_FIRST);
  const drawn = (row: Row, isPinned: boolean) => {
    // What stands in its own place as well opens there, and once.
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

/** False until something has been seen that was drawn with `ready`. */
function useSeen(ready: boolean): boolean {
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

/** A row and what is open under it, drawn again only where one of them is another one. */
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
