import { extname } from 'node:path';
import { isHeader, type Line, type Reading, readScan } from '../../domain/scans/dialect.ts';
import { kingdomIn, momentIn } from './file-name.ts';
import { csvLines, decode, jsonLines } from './text.ts';
import { openWorkbook, type Workbook } from './xlsx.ts';

/** A scan file of another tool, read in whole. */
export interface ScanFile extends Reading {
  /** Epoch milliseconds: from the file, else its name, else when it was last written. */
  captured_at: number;
  /** False where names may be damaged because the file was written in a code page. */
  utf8: boolean;
}

/** Files by these endings are read; others lie in the folder for other reasons. */
export const SCAN_FILE = /\.(csv|tsv|txt|xlsx|jsonl|ndjson)$/i;

/** The largest file that is read: a hundred times a whole kingdom's. */
export const MAX_FILE_BYTES = 50_000_000;

/**
 * The scan in a file's bytes. `name` is the file's name without folders (kingdom and moment may stand in it),
 * `written_at` (epoch milliseconds) is the moment of last resort. Throws a sentence where it holds no scan.
 */
export function readScanFile(name: string, bytes: Buffer, written_at: number): ScanFile {
  const kind = extname(name).toLowerCase();
  if (kind === '.xlsx') return readXlsx(name, bytes, written_at);
  const { text, utf8 } = decode(bytes);
  const lines = kind === '.jsonl' || kind === '.ndjson' ? jsonLines(text) : csvLines(text);
  return { ...readLines(lines, kingdomIn(name)), captured_at: momentIn(name) ?? written_at, utf8 };
}

/** How far down the headers may stand: some tools write a title above them. */
const HEADER_WITHIN = 10;

function readLines(lines: readonly Line[], kingdom: number | null): Reading {
  const found = lines.slice(0, HEADER_WITHIN).findIndex(({ cells }) => isHeader(cells));
  const header = lines[Math.max(0, found)];
  if (!header) throw new Error('The file is empty.');
  const reading = readScan(header.cells, lines.slice(Math.max(0, found) + 1), { kingdom, headerLine: header.line });
  if ('unknown' in reading) throw new Error(reading.unknown);
  return reading;
}

function readXlsx(name: string, bytes: Buffer, written_at: number): ScanFile {
  const workbook = openWorkbook(bytes);
  const sheets = scanSheets(workbook);
  const readings = sheets.map((sheet) =>
    readLines(workbook.lines(sheet), kingdomSheet(sheet) ? Number(sheet) : kingdomIn(name)),
  );
  const reading = joined(readings);
  const day = sheets.map(momentIn).find((moment) => moment !== null);
  return { ...reading, captured_at: summaryMoment(workbook) ?? day ?? momentIn(name) ?? written_at, utf8: true };
}

/** Hero Scrolls names each kingdom's sheet by its number. */
const kingdomSheet = (sheet: string): boolean => /^[1-9]\d{0,4}$/.test(sheet);
/** Hero Scrolls' sheets that say the same again in another form. */
const REGROUPED = /^(summary|top 10s|rolled up\b.*)$/i;

function scanSheets(workbook: Workbook): string[] {
  const kingdoms = workbook.sheets.filter(kingdomSheet);
  if (kingdoms.length > 0) return kingdoms;
  const others = workbook.sheets.filter((sheet) => !REGROUPED.test(sheet));
  const scan = others.find((sheet) =>
    workbook
      .lines(sheet)
      .slice(0, HEADER_WITHIN)
      .some(({ cells }) => isHeader(cells)),
  );
  if (scan === undefined) throw new Error(`No sheet with a scan among: ${workbook.sheets.join(', ').slice(0, 200)}.`);
  return [scan];
}

/** Hero Scrolls: cell F2 of `Summary`, `YYYY-MM-DD HH:MM UTC`. */
function summaryMoment(workbook: Workbook): number | null {
  if (!workbook.sheets.includes('Summary')) return null;
  const second = workbook.lines('Summary').find(({ line }) => line === 2);
  return momentIn(String(second?.cells[5] ?? ''));
}

/** Readings of several sheets of one workbook as one. */
function joined(readings: readonly Reading[]): Reading {
  const [first] = readings as [Reading];
  if (readings.length === 1) return first;
  return {
    ...first,
    columns: [...new Set(readings.flatMap(({ columns }) => columns))],
    rows: readings.flatMap(({ rows }) => rows),
    problems: readings.flatMap(({ problems }) => problems),
  };
}
