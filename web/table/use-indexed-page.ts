import { defaultStringifySearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { runWhenIdle } from '../idle-work.ts';
import type { SearchOf, TABLE } from '../search-params.ts';
import type { Sort } from './column.ts';
import type { RowIndex } from './row-index.ts';

/** The part of a URL that says which rows of a table are shown. */
type TableSearch = SearchOf<typeof TABLE> & { size?: number | undefined };

/** Returns the order that a URL asks for; `usual` if it asks for none. */
export const sortIn = <Usual extends Sort | null>({ sort, ascending }: TableSearch, usual: Usual): Sort | Usual => {
  if (sort === undefined) return usual && ascending ? { ...usual, ascending } : usual;
  return { id: sort, ascending: ascending === true };
};

/** Returns an order's part of the URL; the default order has none. */
export const sortPart = ({ id, ascending }: Sort, usual: Sort | null): TableSearch =>
  id === usual?.id && ascending === usual.ascending
    ? { sort: undefined, ascending: undefined, page: undefined }
    : { sort: id, ascending: ascending || undefined, page: undefined };

/** Returns the URL's part for a page, which counts from 1. */
const pagePart = (page: number): TableSearch => ({ page: page > 1 ? page : undefined });

/**
 * Searches, sorts and pages the rows of an index by the URL. `rows` are those that pass the filters; `values` returns
 * what a column sorts by, null if there is no such column.
 */
export function useIndexedPage<Usual extends Sort | null>({
  index,
  rows,
  values,
  query,
  search,
  change,
  usual,
  usualSize,
  total,
  before = 0,
}: {
  index: RowIndex;
  rows: Uint32Array;
  values: (id: string) => Float64Array | null;
  /** The search text as typed; the URL follows later. */
  query: string;
  search: TableSearch;
  change: (part: TableSearch) => void;
  /** The order if the URL has none; null for the rows' own order. */
  usual: Usual;
  usualSize: number;
  /** Number of rows, if the index does not have all of them yet. */
  total?: number | undefined;
  /** Rows that come before those of the index. */
  before?: number;
}) {
  // Search texts and sorted texts, before the first key press or sort.
  useEffect(() => runWhenIdle(index.ahead), [index]);
  const asked = sortIn(search, usual);
  const found = useMemo(() => index.found(rows, query), [index, rows, query]);
  const [askedId, usualId] = [asked?.id, usual?.id];
  const askedFigures = useMemo(() => (askedId && values(askedId)) || null, [values, askedId]);
  // An order by a column that does not exist counts as none.
  const sort = askedFigures ? asked : usual;
  const figures = useMemo(
    () => askedFigures ?? ((usualId && values(usualId)) || null),
    [values, askedFigures, usualId],
  );
  const ascending = sort?.ascending === true;
  const order = useMemo(
    () => (figures ? index.ordered(found, figures, ascending) : found),
    [index, found, figures, ascending],
  );
  const size = search.size ?? usualSize;
  const count = total ?? order.length;
  const pages = Math.max(1, Math.ceil(count / size));
  const page = Math.min(search.page ?? 1, pages);
  const from = (page - 1) * size;
  const shown = useMemo(
    () => [...order.subarray(Math.max(0, from - before), Math.max(0, from - before + size))],
    [order, from, before, size],
  );
  // Not by the router's `buildLocation`, which takes a phone a millisecond for each of twenty headers.
  const hrefOf = (part: TableSearch): string => defaultStringifySearch({ ...search, ...part }) || '?';
  return {
    found,
    order,
    count,
    /** Rows of the page, and how many are on the pages before. */
    shown,
    from,
    sort,
    onSort: (next: Sort) => change(sortPart(next, usual)),
    sortHref: (next: Sort) => hrefOf(sortPart(next, usual)),
    pager: {
      page,
      pages,
      size,
      change: (next: number) => change(pagePart(next)),
      hrefOf: (next: number) => hrefOf(pagePart(next)),
      resize: (next: number) => change({ size: next === usualSize ? undefined : next, page: undefined }),
    },
  };
}
