import { searchKey } from '../../../../domain/search.ts';
import type { SharedReport } from '../../../api/compare-reports.ts';
import { RowIndex } from '../../../table/row-index.ts';
import type { ReportSearch } from './-report-search.ts';

/** Search and sorting of a shared report. Separate from the search parameters, which every page loads. */

export type Cells = SharedReport['rows'][number];

type Table = Pick<SharedReport, 'columns' | 'rows'>;

/** Builds the report's search and sort index. */
export function reportIndex({ columns, rows }: Table): RowIndex<Cells> {
  const places = columns.flatMap(({ key, type }, place) => (type === 'text' || key === 'id' ? [place] : []));
  const text = (row: Cells) => searchKey(places.map((place) => row[place] ?? '').join(' '));
  const words = columns.flatMap(({ key, type }, place) =>
    type === 'text' ? [[key, (row: Cells) => String(row[place] ?? '')] as const] : [],
  );
  return new RowIndex(rows, text, Object.fromEntries(words));
}

export const foundCells = (index: RowIndex<Cells>, rows: readonly Cells[], q: string): readonly Cells[] =>
  index.found(rows, searchKey(q));

/** Sorts rows by a column. Unknown values come last either way; the sort is stable. */
export function sortedCells(
  index: RowIndex<Cells>,
  { columns, rows }: Table,
  { sort, ascending }: ReportSearch,
): readonly Cells[] {
  const place = columns.findIndex(({ key }) => key === sort);
  if (sort === undefined || place < 0) return rows;
  return index.ordered(rows, sort, (row) => (row[place] as number | null) ?? null, ascending === true);
}
