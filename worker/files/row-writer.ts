import type { Column } from '../../domain/games/games.ts';
import type { Numbers, Table, Texts } from '../../domain/scans/rows.ts';
import type { Bytes } from './bytes.ts';

/** Writes row `row` of its table. `number` counts the rows of the whole file from 0. */
export type WriteRow = (out: Bytes, row: number, number: number) => void;

/** Creates the row writer of a format for a table. Columns that the table lacks come out empty. */
export type RowWriter = (table: Table) => WriteRow;

/** A column's cells in one table. Both null if the table lacks the column, because combined files may mix two games. */
export interface Cells {
  numbers: Numbers | null;
  texts: Texts | null;
}

/** Returns the cells of each column. Numbers and texts are separate, so that reading a number allocates no object. */
export const cellsIn = (table: Table, columns: readonly Column[]): Cells[] =>
  columns.map(({ key }) => ({ numbers: table.numbers[key] ?? null, texts: table.texts[key] ?? null }));
