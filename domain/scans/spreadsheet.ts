import { narrow } from './narrow.ts';

/**
 * Texts of csv files that people open in spreadsheets (docs/decisions/csv-texts.md). Players choose names and tags, and
 * a spreadsheet runs a cell that is a formula. A text that could run gets an apostrophe before it; every other text
 * stays as it is, so that a tag like `-IR-` joins with the other formats.
 */

/** Where a spreadsheet may begin a new cell inside a text: some take semicolons or tabs for the file's separator. */
const ENDS = /([;\t\r\n])/;
/** What spreadsheets pass over before they look at what a cell is, and the quotes that a split cell keeps. */
const PASSED_OVER = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0"]+/u;
const PASSED_OVER_AFTER = /(?<![\s\p{Cc}\p{Cf}"])[\s\p{Cc}\p{Cf}"]+$/u;
/** What begins a formula; nothing without one of these needs a closer look. */
const TRIGGER = /[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const BEGINS = /^[=+\-@]/;

/** A name with a bracket right behind it, a program with a channel to it (DDE), another sheet or book. */
const CALL = /[\p{L}\p{N}_.]\s*\(|[\p{L}\p{N}_]\s*\||[\p{L}\p{N}_'\]]!|\[/u;
/** A cell (A1, $B$2, R1C1) or columns (A:B). */
const REFERENCE =
  /(?<![\p{L}\p{N}_])(?:\$?[a-z]{1,3}\$?[1-9]\d{0,6}|r\d*c\d+|r\d+c\d*|\$?[a-z]{1,3}:\$?[a-z]{1,3})(?![\p{L}\p{N}_])/iu;
/** Numbers and texts to work out. One number with its sign is no formula. */
const SUM = /^(?=\D*\d)[=+\-@\s\d.,*/^&%()<>:{}e]*$/i;
const NUMBER = /^[+-]\s*\d+(?:[.,]\d+)*%?$/;
const QUOTATION = /^=.*"/s;
/** An operator without what it works on: no formula, though cells stand in it. */
const UNFINISHED = /[+\-*/^&=<>,@]$/;

function couldRun(cell: string): boolean {
  const bare = narrow(cell.replace(PASSED_OVER, '').replace(PASSED_OVER_AFTER, ''));
  if (!BEGINS.test(bare)) return false;
  if (CALL.test(bare) || QUOTATION.test(cell.replace(PASSED_OVER, ''))) return true;
  if (UNFINISHED.test(bare)) return false;
  return REFERENCE.test(bare) || (SUM.test(bare) && !NUMBER.test(bare));
}

/** Cells of a text, each changed where it could run once the apostrophes before it are off. */
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

/** A text as csv files hold it: an apostrophe before what a spreadsheet could run. */
export const defused = (text: string): string => changed(text, (cell) => `'${cell}`);

/** The text that `defused` made this of. */
export const restored = (text: string): string =>
  text.includes("'") ? changed(text, (cell, apostrophes) => (apostrophes > 0 ? cell.slice(1) : cell)) : text;
