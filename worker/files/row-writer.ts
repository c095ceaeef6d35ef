import type { Column } from '../../domain/games/games.ts';
import type { Numbers, Table, Texts } from '../../domain/scans/rows.ts';
import type { Bytes } from './bytes.ts';

/** Writes row `row` of the table it was made for; `number` counts the rows of the whole file from 0. */
export type WriteRow = (out: Bytes, row: number, number: number) => void;

/** One format's way with the rows of a table. Columns that the table lacks come out empty. */
export type RowWriter = (table: Table) => WriteRow;

/** A column's cells in one table; neither where the table has no such column: combined files may mix two games. */
export interface Cells {
  numbers: Numbers | null;
  texts: Texts | null;
}

/** The cells of each column. Numbers and texts are kept apart so that reading a number makes no object of it. */
export const cellsIn = (table: Table, columns: readonly Column[]): Cells[] =>
  columns.map(({ key }) => ({ numbers: table.numbers[key] ?? null, texts: table.texts[key] ?? null }));
