/** Limits of a scan file, checked before and while it is read, so that no file costs more. */

export const MAX_FILE_BYTES = 20_000_000;
export const MAX_FILE_ROWS = 100_000;
/**
 * Scans per file, one per kingdom and time: a war of two dozen kingdoms has a dozen times. Each becomes a file of its
 * own.
 */
export const MAX_SCANS = 300;
/** The widest real scan has 45 columns. */
export const MAX_COLUMNS = 1000;
/** Maximum length of a csv line or JSON object. An unclosed quote would otherwise turn the whole file into one. */
export const MAX_RECORD = 100_000;
/**
 * Maximum unpacked size of all sheets that are read; a sheet read twice counts twice. A hundred thousand rows of the
 * widest scan take half of it.
 */
export const MAX_SHEET_BYTES = 400_000_000;
/** Maximum ratio of unpacked to packed size beyond the first megabytes. Real files reach ten, zip bombs a thousand. */
export const MAX_GROWTH = 100;
export const FREE_GROWTH_BYTES = 20_000_000;
/** Maximum unpacked size of the lists of sheets and of parts. */
export const MAX_PART_BYTES = 5_000_000;
/** Maximum unpacked size of the shared strings, which stay in memory while sheets are read. */
export const MAX_TEXT_BYTES = 20_000_000;
/** Maximum number of distinct cell texts; the widest scan of a hundred thousand rows has fewer. */
export const MAX_TEXTS = 600_000;
/** Characters read per cell. Names and headers keep 200, and our own csv files add some apostrophes. */
export const MAX_CELL = 500;
/** Characters of a sheet's title, as in Excel. */
export const MAX_TITLE = 31;
/** Parts of a workbook, which usually has some dozens. */
export const MAX_PARTS = 5000;
/** Problems stored; further ones are only counted. */
export const MAX_PROBLEMS = 100;
/** Characters of a sentence about a file. */
export const MAX_SENTENCE = 300;

/** Shortens a sentence about a file. */
export const sentence = (text: string): string =>
  text.length <= MAX_SENTENCE ? text : `${text.slice(0, MAX_SENTENCE - 1).toWellFormed()}…`;

/** A file that cannot be read as a scan. The message is a sentence for its owner. */
export class ScanFileRefused extends Error {
  constructor(message: string) {
    super(sentence(message));
    this.name = 'ScanFileRefused';
  }
}
