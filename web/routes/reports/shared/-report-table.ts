import type { SharedReport } from '../../../api/compare-reports.ts';
import { RowIndex } from '../../../table/row-index.ts';

type Table = Pick<SharedReport, 'columns' | 'rows'>;

/** Builds the report's search and sort index. */
export function reportIndex({ columns, rows }: Table): RowIndex {
  const places = columns.flatMap(({ key, type }, place) => (type === 'text' || key === 'id' ? [place] : []));
  const text = (row: number) => places.map((place) => rows[row]?.[place] ?? '').join(' ');
  const words = columns.flatMap(({ key, type }, place) =>
    type === 'text' ? [[key, (row: number) => String(rows[row]?.[place] ?? '')] as const] : [],
  );
  return new RowIndex(rows.length, text, Object.fromEntries(words));
}

/** Returns what a column sorts by; null if the report has no such column. */
export function valuesBy(index: RowIndex, { columns, rows }: Table, id: string): Float64Array | null {
  const place = columns.findIndex(({ key }) => key === id);
  return place < 0 ? null : index.values(id, (row) => (rows[row]?.[place] as number | null) ?? null);
}
