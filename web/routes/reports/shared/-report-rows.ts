import { searchKey } from '../../../../domain/search.ts';
import type { SharedReport } from '../../../api/compare-reports.ts';
import { RowIndex } from '../../../table/row-index.ts';
import type { ReportSearch } from './-report-search.ts';

/** Which rows of a shared report show, and in which order. Apart from the address, which every page has to know. */

export type Cells = SharedReport['rows'][number];

type Table = Pick<SharedReport, 'columns' | 'rows'>;

/** The report's rows, to be searched by their texts and ids, and sorted. */
export function reportIndex({ columns, rows }: Table): RowIndex<Cells> {
  const places = columns.flatMap(({ key, type }, place) => (type === 'text' || key === 'id' ? [place] : []));
  const text = (row: Cells) => searchKey(places.map((place) => row[place] ?? '').join(' '));
  const words = columns.flatMap(({ key, type }, place) =>
    type === 'text' ? [[key, (row: Cells) => String(row[place] ?? '')] as const] : [],
  );
  return new RowIndex(rows, text, Object.fromEntries(words));
}

/** The rows that a search finds. */
export const foundCells = (index: RowIndex<Cells>, rows: readonly Cells[], q: string): readonly Cells[] =>
  index.found(rows, searchKey(q));

/** The rows by a column; what is unknown stands last either way, and equals stay in the order of the report. */
export function sortedCells(
  index: RowIndex<Cells>,
  { columns, rows }: Table,
  { sort, ascending }: ReportSearch,
): readonly Cells[] {
  const place = columns.findIndex(({ key }) => key === sort);
  if (sort === undefined || place < 0) return rows;
  return index.ordered(rows, sort, (row) => (row[place] as number | null) ?? null, ascending === true);
}
