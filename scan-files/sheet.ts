import { t } from '../domain/language/text.ts';
import { dialectOf, noDialect } from '../domain/scans/dialect.ts';
import type { ReadingOptions } from '../domain/scans/file-scan.ts';
import { HeaderFinder, type Headers, joinedHeaders } from '../domain/scans/header-lines.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { ScanReading } from '../domain/scans/reading.ts';
import { ScanFileRefused } from './limits.ts';
import { HEADER_WITHIN } from './sheet-choice.ts';
import { CELL_WORK, HEADER_WORK, MAPPING_WORK, type Work } from './work.ts';

/** The file that contains a sheet. It limits the total size of its sheets. */
interface SheetFile {
  readonly work: Work;
  /** Counts a line of so many rows. */
  count(rows: number): void;
  /** Refuses so many scans if they are too many. */
  refuseScans(scans: number): void;
}

/** Takes the lines of one sheet: finds the headers, then hands on what is below them. */
export class Sheet {
  reading: ScanReading | null = null;
  dialect: string | null = null;
  range = false;
  columns = 0;
  readonly name: string | null;
  /** Cells of the line of headers, with those at its end in which none stands. */
  width = 0;
  readonly #file: SheetFile;
  readonly #options: ReadingOptions;
  #first: Cell[] | null = null;
  #passed = 0;
  readonly #finder: HeaderFinder;
  /** The headers, as long as the line below them may belong to them. */
  #above: readonly Cell[] | null = null;

  constructor(file: SheetFile, options: ReadingOptions) {
    this.#file = file;
    this.#options = options;
    this.name = options.sheet ?? null;
    this.#finder = new HeaderFinder(options.momentOf);
  }

  line(line: number, cells: Cell[]): void {
    if (!this.reading) this.#look(cells);
    else if (!this.#belongsAbove(cells)) {
      this.#file.work.spend(Math.max(cells.length, this.columns) * CELL_WORK);
      // Each has columns of its own from the first line on.
      this.#file.refuseScans(this.reading.moments);
      const before = this.reading.rows;
      this.reading.line(line, cells);
      if (this.reading.flaw) throw new ScanFileRefused(this.reading.flaw);
      this.#file.count(this.reading.rows - before);
    }
  }

  /** A line of so many cells that cannot be taken for a reason of its own. */
  drop(line: number, reason: string, cells = 0): void {
    this.#file.work.spend(cells * CELL_WORK);
    this.reading?.drop(line, reason);
    this.#file.count(1);
  }

  /** Starts with these headers; returns false if they are not those of a scan. */
  start(cells: readonly Cell[]): boolean {
    this.#file.work.spend(cells.length * HEADER_WORK);
    const dialect = dialectOf(cells);
    if (dialect) this.#begin({ dialect, cells });
    return dialect !== null;
  }

  /** True for the second of two lines of headers: the reading starts again with both. */
  #belongsAbove(cells: readonly Cell[]): boolean {
    const above = this.#above;
    if (above === null) return false;
    this.#above = null;
    this.#file.work.spend((above.length + cells.length) * HEADER_WORK);
    const headers = joinedHeaders(above, cells, this.#options.momentOf);
    if (headers) this.#begin(headers);
    return headers !== null;
  }

  #begin({ dialect, cells: headers }: Headers): void {
    let cells = headers;
    this.#file.work.spend(cells.length * MAPPING_WORK);
    this.dialect = dialect.name;
    this.range = dialect.range ?? false;
    this.width = cells.length;
    while (cells.at(-1) === null || cells.at(-1) === '') cells = cells.slice(0, -1);
    this.columns = cells.length;
    this.reading = new ScanReading(dialect, cells, this.#options);
  }

  #look(cells: Cell[]): void {
    if (this.#passed >= HEADER_WITHIN) this.refuse();
    if (!cells.some((cell) => cell !== null && cell !== '')) {
      this.#file.count(0);
      return;
    }
    this.#first ??= [...cells];
    this.#passed++;
    this.#file.work.spend(2 * cells.length * HEADER_WORK);
    const headers = this.#finder.take(cells);
    if (!headers) return;
    this.#begin({ ...headers, cells: [...headers.cells] });
    this.#above = headers.cells === cells ? [...cells] : null;
  }

  refuse(): never {
    throw new ScanFileRefused(this.#first ? noDialect(this.#first) : t('The file is empty.'));
  }
}
