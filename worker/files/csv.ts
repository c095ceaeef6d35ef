import type { Column } from '../../domain/games/games.ts';
import { defused } from '../../domain/scans/spreadsheet.ts';
import { type Bytes, utf8 } from './bytes.ts';
import { type Cells, cellsIn, type RowWriter } from './row-writer.ts';

/**
 * CSV by RFC 4180: commas, CRLF, quotes where needed, a header of column keys, or of their titles if `titled`. UTF-8
 * without a byte order mark, which scripts would read as part of the first key; Excel users have xlsx.
 */

export const csvHead = (columns: readonly Column[], titled = false): Uint8Array =>
  utf8(csvLine(columns.map(({ key, title }) => (titled ? csvText(title) : key))));

/** Joins cells, whose texts are escaped already. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

const COMMA = 0x2c;
const CR = 0x0d;
const LF = 0x0a;

export const csvRows =
  (columns: readonly Column[]): RowWriter =>
  (table) => {
    const cells = cellsIn(table, columns);
    return (out, row) => {
      for (let index = 0; index < cells.length; index++) {
        if (index > 0) out.byte(COMMA);
        const { numbers, texts } = cells[index] as Cells;
        if (numbers && !Number.isNaN(numbers[row])) out.numberAt(numbers, row);
        else writeText(out, texts?.[row] ?? '');
      }
      out.byte(CR);
      out.byte(LF);
    };
  };

const QUOTED = /[",\r\n]/;

/** Escapes a text cell and puts an apostrophe before what a spreadsheet would execute. Numbers are never changed. */
export function csvText(value: string): string {
  const safe = defused(value);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function writeText(out: Bytes, value: string): void {
  if (value !== '') out.text(csvText(value));
}
