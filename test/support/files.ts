import { parse } from 'csv-parse/sync';

/** Rows of a csv file, read with another parser than the product's writer; the cells are text. */
export const csvRows = (bytes: Uint8Array): Record<string, string>[] =>
  parse(Buffer.from(bytes), { columns: true, bom: true, skip_empty_lines: true });

/** A cell as text, so that files with and without types compare: no value is ''. */
const cell = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The given columns of each row as text, by the text of the column `id`. */
export const byId = (
  rows: readonly Record<string, unknown>[],
  id: string,
  keys: readonly string[],
): Map<string, string[]> => new Map(rows.map((row) => [cell(row[id]), keys.map((key) => cell(row[key]))]));
