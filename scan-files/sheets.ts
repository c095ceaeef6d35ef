import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_TITLE } from './limits.ts';

/** A workbook's sheets as lines of cells, without styles. Formulas give the values stored when the file was saved. */
export interface Workbook {
  sheets: string[];
  /** Sheets that a spreadsheet does not show. */
  hidden: ReadonlySet<string>;
  /** True if days are counted from 1904, as on old Macs. */
  from1904: boolean;
  /**
   * Passes the non-empty lines of each sheet to its `OnLine` until that returns false. The array of cells is reused
   * for the next line. Throws if a sheet does not exist, is damaged or is too large.
   */
  read(wanted: ReadonlyMap<string, OnLine>): Promise<void>;
}

export type OnLine = (line: number, cells: Cell[]) => unknown;

/** Returns what receives the first lines of a sheet while the workbook is opened, or null. */
export type Look = (sheet: string) => OnLine | null;

export const MAX_SHEETS = 500;
/** Returns a sheet's title, limited to Excel's length. Duplicates get a number. */
export function freeTitle(said: string, taken: ReadonlyMap<string, string>): string {
  const title = said.slice(0, MAX_TITLE).toWellFormed();
  if (!taken.has(title)) return title;
  for (let number = 2; ; number++) {
    const mark = ` (${number})`;
    const numbered = `${title.slice(0, MAX_TITLE - mark.length).toWellFormed()}${mark}`;
    if (!taken.has(numbered)) return numbered;
  }
}
