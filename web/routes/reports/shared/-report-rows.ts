import { searchKey } from '../../../../domain/search.ts';
import type { SharedReport } from '../../../api/compare-reports.ts';
import { inOrder } from '../../../collate.ts';
import type { ReportSearch } from './-report-search.ts';

/** Which rows of a shared report show, and in which order. Apart from the address, which every page has to know. */

export type Cells = SharedReport['rows'][number];

/** What a search looks through: each row's texts and its id, in the search's own form. */
export function searchedCells({ columns, rows }: Pick<SharedReport, 'columns' | 'rows'>): Map<Cells, string> {
  const places = columns.flatMap(({ key, type }, place) => (type === 'text' || key === 'id' ? [place] : []));
  return new Map(rows.map((row) => [row, searchKey(places.map((place) => row[place] ?? '').join(' '))]));
}

/** The rows that a search finds. */
export function foundCells(rows: readonly Cells[], keys: ReadonlyMap<Cells, string>, q: string): readonly Cells[] {
  const wanted = searchKey(q);
  return wanted === '' ? rows : rows.filter((row) => keys.get(row)?.includes(wanted));
}

/** The rows by a column; what is unknown stands last either way, and equals stay in the order of the report. */
export function sortedCells(
  { columns, rows }: Pick<SharedReport, 'columns' | 'rows'>,
  { sort, ascending }: ReportSearch,
): readonly Cells[] {
  const place = columns.findIndex(({ key }) => key === sort);
  if (place < 0) return rows;
  const way = ascending ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[place] ?? null, other[place] ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return way * (typeof a === 'number' && typeof b === 'number' ? a - b : inOrder(String(a), String(b)));
  });
}
