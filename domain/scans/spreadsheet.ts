import { narrow } from '../narrow.ts';

/**
 * Texts of csv files for spreadsheets (docs/decisions/csv-texts.md). Players choose names and tags, and a spreadsheet
 * executes a cell with a formula. A text that could be executed gets a leading apostrophe. Every other text stays
 * unchanged, so that a tag like `-IR-` still matches the other formats.
 */

/** Where a spreadsheet may start a new cell within a text; some treat semicolons or tabs as separators. */
const ENDS = /([;\t\r\n])/;
/** Characters that spreadsheets skip before interpreting a cell, and quotes left in a split cell. */
const PASSED_OVER = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0"]+/u;
const PASSED_OVER_AFTER = /(?<![\s\p{Cc}\p{Cf}"])[\s\p{Cc}\p{Cf}"]+$/u;
/** Characters that start a formula. Texts without them need no further check. */
const TRIGGER = /[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const BEGINS = /^[=+\-@]/;

/** A function call, a program call (DDE), or a reference to another sheet or workbook. */
const CALL = /[\p{L}\p{N}_.]\s*\(|[\p{L}\p{N}_]\s*\||[\p{L}\p{N}_'\]]!|\[/u;
/** A cell (A1, $B$2, R1C1) or columns (A:B). */
const REFERENCE =
  /(?<![\p{L}\p{N}_])(?:\$?[a-z]{1,3}\$?[1-9]\d{0,6}|r\d*c\d+|r\d+c\d*|\$?[a-z]{1,3}:\$?[a-z]{1,3})(?![\p{L}\p{N}_])/iu;
/** Arithmetic on numbers and texts. A single signed number is not a formula. */
const SUM = /^(?=\D*\d)[=+\-@\s\d.,*/^&%()<>:{}e]*$/i;
const NUMBER = /^[+-]\s*\d+(?:[.,]\d+)*%?$/;
const QUOTATION = /^=.*"/s;
/** An operator without its operand, which is not a formula even with cell references. */
const UNFINISHED = /[+\-*/^&=<>,@]$/;

function couldRun(cell: string): boolean {
  const bare = narrow(cell.replace(PASSED_OVER, '').replace(PASSED_OVER_AFTER, ''));
  if (!BEGINS.test(bare)) return false;
  if (CALL.test(bare) || QUOTATION.test(cell.replace(PASSED_OVER, ''))) return true;
  if (UNFINISHED.test(bare)) return false;
  return REFERENCE.test(bare) || (SUM.test(bare) && !NUMBER.test(bare));
}

/** Applies `change` to each cell of a text that could be executed without its leading apostrophes. */
function changed(text: string, change: (cell: string, apostrophes: number) => string): string {
  if (!TRIGGER.test(text)) return text;
  return text
    .split(ENDS)
    .map((cell) => {
      const bare = cell.replace(/^'+/, '');
      return couldRun(bare) ? change(cell, cell.length - bare.length) : cell;
    })
    .join('');
}

/** Escapes a text for csv: adds an apostrophe before anything a spreadsheet could execute. */
export const defused = (text: string): string => changed(text, (cell) => `'${cell}`);

/** Reverses `defused`. */
export const restored = (text: string): string =>
  text.includes("'") ? changed(text, (cell, apostrophes) => (apostrophes > 0 ? cell.slice(1) : cell)) : text;
