/** What a scan file may be at most: checked before and while it is read, so that no file costs more than this. */

export const MAX_FILE_BYTES = 20_000_000;
export const MAX_ROWS = 100_000;
/** Scans in a file, one for each kingdom and moment: a war of two dozen kingdoms has a dozen moments. Each is a file of its own. */
export const MAX_SCANS = 300;
/** Columns past this are no scan: the widest real one has 45. */
export const MAX_COLUMNS = 1000;
/** A line of csv or an object of JSON; a quote that is never closed would make one of the whole file. */
export const MAX_RECORD = 100_000;
/**
 * What a workbook's sheets may unpack to together, one that is read twice counted twice: a hundred thousand rows of the
 * widest scan are half of it.
 */
export const MAX_SHEET_BYTES = 400_000_000;
/** Past the first megabytes they may unpack to so many times the file: real ones take ten times, bombs a thousand. */
export const MAX_GROWTH = 100;
export const FREE_GROWTH_BYTES = 20_000_000;
/** What the list of its sheets and that of its parts may unpack to. */
export const MAX_PART_BYTES = 5_000_000;
/** What the texts of all its cells may unpack to: they stay in memory while the sheets are read. */
export const MAX_TEXT_BYTES = 20_000_000;
/** Different texts of a workbook's cells: the widest scan of a hundred thousand rows has fewer. */
export const MAX_TEXTS = 600_000;
/** Characters of a cell that are read: names and headers keep 200, and our own csv files hold some marks beside them. */
export const MAX_CELL = 500;
/** Characters of a sheet's title, as in Excel. */
export const MAX_TITLE = 31;
/** Parts of a workbook, which has some dozens. */
export const MAX_PARTS = 5000;
/** Problems that are kept; more are only counted. */
export const MAX_PROBLEMS = 100;
/** Characters of a sentence about a file. */
export const MAX_SENTENCE = 300;

/** A sentence about a file at its longest. */
export const sentence = (text: string): string =>
  text.length <= MAX_SENTENCE ? text : `${text.slice(0, MAX_SENTENCE - 1).toWellFormed()}…`;

/** A file that is no scan, or none that is read here; the message is a sentence for whoever brought it. */
export class ScanFileRefused extends Error {
  constructor(message: string) {
    super(sentence(message));
    this.name = 'ScanFileRefused';
  }
}
