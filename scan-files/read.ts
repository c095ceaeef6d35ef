import { exact } from '../domain/figures.ts';
import { GAMES, type GameId } from '../domain/games/games.ts';
import { t } from '../domain/language/text.ts';
import { type HeaderMapping, isHeader, type Mapping, noDialect } from '../domain/scans/dialect.ts';
import type { FileScan, LineCounts, Problem } from '../domain/scans/file-scan.ts';
import { WRITTEN_BY_US } from '../domain/scans/foreign.ts';
import { isOwnHeader } from '../domain/scans/layouts.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { restored } from '../domain/scans/spreadsheet.ts';
import { csvSteps, delimiterOf } from './csv.ts';
import { begins, type Encoding, encodingOf, headOf, textsOf } from './encoding.ts';
import { kingdomIn, momentIn, momentOfNumber, momentOfSheet, momentsIn } from './file-name.ts';
import { JsonHeaders, type JsonRow, JsonScanner } from './json.ts';
import {
  MAX_COLUMNS,
  MAX_FILE_BYTES,
  MAX_FILE_ROWS,
  MAX_PROBLEMS,
  MAX_SCANS,
  ScanFileRefused,
  sentence,
} from './limits.ts';
import { Sheet } from './sheet.ts';
import { HeaderSearch, isRegrouped, isSummary, kingdomOfSheet } from './sheet-choice.ts';
import type { OnLine, Workbook } from './sheets.ts';
import { TEXT_WORK, Work } from './work.ts';
import { openWorkbook } from './workbook.ts';

/** A scan file of another tool after reading. */
export interface FileReading {
  game: GameId;
  /** Display name of the tool that writes such files. */
  dialect: string;
  /** Days over which the figures are summed, null if the file's name does not say them; null for single readings. */
  range: { from: number | null; to: number | null } | null;
  /** False if names may be damaged because the file uses a code page. */
  utf8: boolean;
  /** A snapshot for each kingdom and time, in the file's order. */
  scans: FileScan[];
  /**
   * How each header was interpreted. If there are several sheets, these are the first one's headers and the additional
   * ones of the others.
   */
  mapping: HeaderMapping[];
  unknown_headers: string[];
  lines: LineCounts;
  /** The first hundred, in the file's order. */
  problems: Problem[];
  problem_count: number;
  /** Why the end of the file may be missing, as a sentence; null if it is complete. A truncated workbook is refused. */
  cut: string | null;
}

export interface FileOptions {
  /** Kingdom of rows that do not name one; takes precedence over the file's name. */
  kingdom?: number | null | undefined;
  /** Time in epoch milliseconds; takes precedence over the file and its name. */
  captured_at?: number | null | undefined;
  /** The user's choice of columns for headers. */
  mapping?: Mapping | undefined;
  /** Defaults to 20 MB. */
  maxBytes?: number;
  /** Defaults to 300. */
  maxScans?: number;
}

/** Extensions of files that are read; other files in a folder are ignored. */
export const SCAN_FILE = /\.(csv|tsv|txt|xlsx|ods|jsonl|ndjson|json)$/i;

/**
 * Reads the scans in a file. `name` is the file's name without folders, which may contain kingdom and time. The file's
 * type is detected from its bytes. Throws `ScanFileRefused` with a sentence if the file has no scan or exceeds a limit.
 * Flaws of single lines are listed as problems.
 */
export async function readScanFile(name: string, bytes: Uint8Array, options: FileOptions = {}): Promise<FileReading> {
  const maxBytes = options.maxBytes ?? MAX_FILE_BYTES;
  if (bytes.length > maxBytes)
    throw new ScanFileRefused(t('The file is larger than {size} MB.', { size: maxBytes / 1e6 }));
  if (bytes.length === 0) throw new ScanFileRefused(t('The file is empty.'));
  refuseOthers(bytes);
  const file = new FileReader(name, options);
  if (begins(bytes, 0x50, 0x4b)) await readWorkbook(file, bytes);
  else await readText(file, bytes);
  return file.finish();
}

/** Refuses common wrong files, recognised by their first bytes. */
function refuseOthers(bytes: Uint8Array): void {
  const refuse = (sentence: string): never => {
    throw new ScanFileRefused(sentence);
  };
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    refuse(
      t('This workbook is locked with a password, or an old .xls: save it as .xlsx without a password, or as csv.'),
    );
  if (begins(bytes, 0x89, 0x50) || begins(bytes, 0xff, 0xd8, 0xff) || begins(bytes, 0x47, 0x49, 0x46))
    refuse(t('This is a picture, whatever its name says.'));
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) refuse(t('This is a PDF: export the scan as xlsx or csv.'));
  if (begins(bytes, 0x1f, 0x8b)) refuse(t('This is a packed file: unpack it first.'));
  if (begins(bytes, 0x50, 0x41, 0x52, 0x31)) refuse(t('This is a Parquet file: export the scan as xlsx, csv or json.'));
}

/** Collects what is read from a file, sheet by sheet. */
class FileReader {
  readonly name: string;
  readonly work: Work;
  readonly #options: FileOptions;
  readonly #problems: Problem[] = [];
  #problemCount = 0;
  #rows = 0;
  #blank = 0;
  #scans = 0;
  readonly #sheets: Sheet[] = [];
  utf8 = true;
  cut: string | null = null;

  constructor(name: string, options: FileOptions) {
    this.name = name;
    this.#options = options;
    this.work = new Work();
  }

  /** Adds a sheet. `kingdom` and `captured_at` are what the sheet itself contains. */
  sheet(
    named: { sheet?: string; kingdom?: number | null; captured_at?: number | null; from1904?: boolean } = {},
  ): Sheet {
    const sheet = new Sheet(this, {
      kingdom: this.#options.kingdom ?? named.kingdom ?? kingdomIn(this.name),
      chosen_at: this.#options.captured_at ?? null,
      captured_at: named.captured_at ?? momentIn(this.name),
      mapping: this.#options.mapping,
      sheet: named.sheet ?? null,
      report: (problem) => this.report(problem),
      momentIn,
      momentOf: (count) => momentOfNumber(count, named.from1904),
      before: (scans) => this.#countScans(scans),
    });
    this.#sheets.push(sheet);
    return sheet;
  }

  report(problem: Problem): void {
    if (this.#problemCount++ < MAX_PROBLEMS) this.#problems.push({ ...problem, reason: sentence(problem.reason) });
  }

  /** Reports a sheet that is not read. */
  leave(sheet: string | null, reason: string): void {
    this.report({ line: null, sheet, column: null, reason, dropped: false });
  }

  #countScans(scans: number): void {
    this.#scans += scans;
    this.refuseScans(this.#scans);
  }

  /** Refuses the file if it has more scans than allowed. */
  refuseScans(scans: number): void {
    const { maxScans = MAX_SCANS } = this.#options;
    if (scans > maxScans)
      throw new ScanFileRefused(
        t('The file holds more than {most} scans, one for each kingdom and time: please split it.', {
          most: exact(maxScans),
        }),
      );
  }

  /**
   * Counts a line, which has one row per stage. Throws when the whole file exceeds the limit of rows or of blank lines.
   */
  count(rows: number): void {
    this.#rows += rows;
    if (this.#rows > MAX_FILE_ROWS)
      throw new ScanFileRefused(
        rows > 1
          ? t('The file has more than {most} rows, each counted once per time in it.', { most: exact(MAX_FILE_ROWS) })
          : t('The file has more than {most} rows.', { most: exact(MAX_FILE_ROWS) }),
      );
    if (rows === 0 && ++this.#blank > MAX_FILE_ROWS)
      throw new ScanFileRefused(t('The file has more than {most} blank lines.', { most: exact(MAX_FILE_ROWS) }));
  }

  finish(): FileReading {
    const read = this.#sheets.flatMap(({ reading, dialect, range, name }) =>
      reading && dialect ? [{ reading, dialect, range, name }] : [],
    );
    const [first] = read;
    if (!first) return this.#sheets[0]?.refuse() as never;
    const { game } = first.reading;
    const sheets = read.filter(({ reading }) => reading.game === game).map(({ reading }) => reading.finish());
    for (const { reading, name } of read)
      if (reading.game !== game)
        this.leave(
          name,
          t("The sheet '{sheet}' was not read. It is of {game}.", {
            sheet: name ?? '',
            game: GAMES[reading.game].name,
          }),
        );
    const mapping = sheets.flatMap((sheet) => sheet.mapping);
    const known = new Set<string>();
    const lines = { read: 0, kept: 0, dropped: 0 };
    for (const sheet of sheets) for (const key of ['read', 'kept', 'dropped'] as const) lines[key] += sheet.lines[key];
    const unique = mapping.filter(({ header }) => !known.has(header) && known.add(header));
    if (unique.length > MAX_COLUMNS)
      throw new ScanFileRefused(
        t('The sheets have more than {most} different headers together.', { most: exact(MAX_COLUMNS) }),
      );
    const days = momentsIn(this.name);
    const summary = sheets.flatMap((sheet) => sheet.summary);
    return {
      game: first.reading.game,
      dialect: first.dialect,
      range: first.range ? { from: days[0] ?? null, to: days[1] ?? null } : null,
      utf8: this.utf8,
      scans: sheets.flatMap(({ scans }) => scans),
      mapping: unique,
      unknown_headers: unique.filter(({ why }) => why === 'unknown').map(({ header }) => header),
      lines,
      problems: [...summary, ...this.#problems].slice(0, MAX_PROBLEMS),
      problem_count: this.#problemCount + summary.length,
      cut: this.cut,
    };
  }
}

async function readText(file: FileReader, bytes: Uint8Array): Promise<void> {
  const encoding = encodingOf(bytes);
  file.utf8 = encoding !== 'windows-1252';
  const head = headOf(bytes, encoding);
  if (/^\s*[[{]/.test(head)) await readJson(file, textsOf(bytes, encoding));
  else await readCsv(file, bytes, encoding, head);
}

async function readCsv(file: FileReader, bytes: Uint8Array, encoding: Encoding, head: string): Promise<void> {
  const sheet = file.sheet();
  let ours = false;
  let wide: boolean | null = null;
  let lastCell: Cell | undefined;
  const onLine = (line: number, cells: Cell[], ended: boolean) => {
    const unended = !ended && cells.some((cell) => String(cell).trim() !== '');
    // Many tools write no line end after the last line, which is whole if its last cell is there.
    const isComplete = () => sheet.reading && cells.length >= sheet.columns && isWhole(cells.at(-1), lastCell);
    if (unended && !isComplete()) file.cut = t('The file ends in the middle of line {line}.', { line });
    lastCell = cells.at(-1);
    if (!sheet.reading) ours = isOwnHeader(cells) || cells.at(-1) === WRITTEN_BY_US;
    else if (ours) restoreTexts(cells);
    // If the first line has as many cells as the header line, the trailing ones are columns without a header.
    if (sheet.reading !== null && cells.length > 1) wide ??= cells.length === sheet.width;
    const columns = wide ? sheet.width : sheet.columns;
    const extra = sheet.reading !== null && hasMore(cells, columns);
    if (extra)
      sheet.drop(
        line,
        t('{cells} cells where the headers are {headers}: is there a separator inside a name?', {
          cells: cells.length,
          headers: sheet.columns,
        }) + t(' The line is left out.'),
        cells.length,
      );
    else if (unended && sheet.reading && cells.length < sheet.columns)
      sheet.drop(line, t('The file ends in the middle of this line; it is left out.'));
    else sheet.line(line, cells);
  };
  for (const read of csvSteps(bytes, encoding, delimiterOf(head, isHeader), onLine)) {
    file.work.spend(read * TEXT_WORK);
    await file.work.pause();
  }
}

/** Returns whether a line has a value after its first `columns` cells. */
function hasMore(cells: readonly Cell[], columns: number): boolean {
  for (let index = columns; index < cells.length; index++) if (cells[index] !== '') return true;
  return false;
}

/** Returns whether the last cell of a line is complete, compared with that of the line before. */
function isWhole(last: Cell | undefined, before: Cell | undefined): boolean {
  const text = String(last ?? '');
  return text === '' ? before === '' : !text.startsWith('"');
}

/** Removes the apostrophes with which our own files escape formulas. */
function restoreTexts(cells: Cell[]): void {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index];
    if (typeof cell === 'string') cells[index] = restored(cell);
  }
}

/** Objects whose keys are collected before the dialect is chosen, because tools omit what they did not read. */
const KEYS_FROM = 100;

/** Characters that are read at once. Small objects cost as much as a row of all columns each. */
const JSON_STEP = 16_384;

async function readJson(file: FileReader, texts: Iterable<string>): Promise<void> {
  const sheet = file.sheet();
  const headers = new JsonHeaders();
  let waiting: JsonRow[] | null = [];
  const take = ({ line, object }: JsonRow) => sheet.line(line, headers.cells(object));
  const start = () => {
    if (!waiting) return;
    if (!sheet.start(headers.names))
      throw new ScanFileRefused(headers.names.length > 0 ? noDialect(headers.names) : t('The file is empty.'));
    waiting.forEach(take);
    waiting = null;
  };
  const scanner = new JsonScanner(
    (row) => {
      const fresh = headers.learn(row.object);
      if (waiting) {
        waiting.push(row);
        if (waiting.length >= KEYS_FROM) start();
      } else {
        for (const key of fresh) sheet.reading?.addHeader(key);
        take(row);
      }
    },
    (line, inObject) => {
      start();
      file.cut = t('The file ends in line {line} before its list does.', { line });
      if (inObject) sheet.drop(line, t('The file ends in the middle of an object; it is left out.'));
      else
        file.report({
          line,
          sheet: null,
          column: null,
          reason: t('The file ends in line {line} before its list does. Rows may be missing.', { line }),
          dropped: false,
        });
    },
  );
  for (const text of texts)
    for (let at = 0; at < text.length; at += JSON_STEP) {
      const piece = text.slice(at, at + JSON_STEP);
      scanner.push(piece);
      file.work.spend(piece.length * TEXT_WORK);
      await file.work.pause();
    }
  scanner.end();
  start();
}

async function readWorkbook(file: FileReader, bytes: Uint8Array): Promise<void> {
  const search = new HeaderSearch(file.work);
  const workbook = await openWorkbook(bytes, file.work, (sheet) => search.look(sheet));
  const sheets = search.scans(workbook);
  const summary = await summaryMoment(workbook);
  const { from1904 } = workbook;
  const wanted = new Map<string, OnLine>();
  for (const name of sheets) {
    const captured_at = summary ?? momentOfSheet(name, file.name);
    const sheet = file.sheet({ sheet: name, kingdom: kingdomOfSheet(name), captured_at, from1904 });
    wanted.set(name, (line, cells) => sheet.line(line, cells));
  }
  await workbook.read(wanted);
  for (const name of workbook.sheets)
    if (!sheets.includes(name) && !isRegrouped(name))
      file.leave(
        name,
        workbook.hidden.has(name)
          ? t("The sheet '{sheet}' was not read. It is hidden.", { sheet: name })
          : t("The sheet '{sheet}' was not read.", { sheet: name }),
      );
}

/** Reads the time in our own or a Hero Scrolls file: cell F2 of the summary, `YYYY-MM-DD HH:MM UTC`. */
async function summaryMoment(workbook: Workbook): Promise<number | null> {
  const summary = workbook.sheets.find(isSummary);
  if (summary === undefined) return null;
  let moment: number | null = null;
  const onLine: OnLine = (line, cells) => {
    if (line === 2) moment = momentIn(String(cells[5] ?? ''));
    return line < 2;
  };
  await workbook.read(new Map([[summary, onLine]]));
  return moment;
}
