import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_COLUMNS, MAX_RECORD, ScanFileRefused } from './limits.ts';

/** A line of a file: its number (from 1) and its cells, which belong to the reader and change with the next line. */
export type OnLine = (line: number, cells: Cell[], ended: boolean) => void;

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;
/** Numbers of so many digits are exact whatever the digits are. */
const EXACT_DIGITS = 15;
/** Engines keep a piece of a text by keeping all of it, from this length on. */
const SHARED_LENGTH = 13;

/**
 * Reads csv piece by piece: fields by RFC 4180 and what people's tools make of it (any line end, quotes inside of
 * fields, quotes that are never closed, which count as characters then). Plain digits come as numbers.
 */
export class CsvScanner {
  readonly #delimiter: number;
  readonly #onLine: OnLine;
  readonly #cells: Cell[] = [];
  #rest = '';
  #line = 1;
  #lines = 0;
  #at = 0;

  constructor(delimiter: string, onLine: OnLine) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#onLine = onLine;
  }

  push(text: string): void {
    this.#scan(this.#rest + text, false);
  }

  end(): void {
    this.#scan(this.#rest, true);
  }

  /** Takes the records of a text; what may still go on in the next piece is kept for it. */
  #scan(text: string, last: boolean): void {
    let start = 0;
    while (start < text.length) {
      this.#cells.length = 0;
      this.#lines = 0;
      this.#at = start;
      const ended = this.#record(text, last);
      if (ended === null) {
        if (text.length - start > MAX_RECORD) throw new ScanFileRefused(`Line ${this.#line} is too long for a scan.`);
        break;
      }
      this.#onLine(this.#line, this.#cells, ended);
      this.#line += this.#lines + 1;
      start = this.#at;
    }
    this.#rest = last ? '' : text.slice(start);
  }

  /** Reads one record; true where a line end closed it, null where more text is needed to say. */
  #record(text: string, last: boolean): boolean | null {
    for (;;) {
      if (!this.#field(text, last)) return null;
      if (this.#cells.length > MAX_COLUMNS)
        throw new ScanFileRefused(`Line ${this.#line} has more than ${MAX_COLUMNS.toLocaleString('en-US')} columns.`);
      const at = this.#at;
      if (at >= text.length) return last ? false : null;
      const mark = text.charCodeAt(at);
      if (mark === this.#delimiter) {
        this.#at = at + 1;
        continue;
      }
      if (mark === CR && at + 1 === text.length && !last) return null;
      this.#at = mark === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
      return true;
    }
  }

  #field(text: string, last: boolean): boolean {
    const start = this.#at;
    if (text.charCodeAt(start) === QUOTE) {
      const closed = this.#quoted(text, last);
      if (closed !== false) return closed === true;
    }
    let at = start;
    let value = 0;
    for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) {
      value = value * 10 + (code - ZERO);
      at++;
    }
    const digits = at - start;
    if (at < text.length && !this.#ends(text.charCodeAt(at))) {
      while (at < text.length && !this.#ends(text.charCodeAt(at))) at++;
      this.#cells.push(owned(text.slice(start, at)));
    } else if (digits === 0) this.#cells.push('');
    else if (digits <= EXACT_DIGITS && (digits === 1 || text.charCodeAt(start) !== ZERO)) this.#cells.push(value);
    else this.#cells.push(owned(text.slice(start, at)));
    this.#at = at;
    return true;
  }

  #ends(code: number): boolean {
    return code === this.#delimiter || code === LF || code === CR;
  }

  /** A field in quotes: true where it was read, null where more text is needed, false where no quote closes it. */
  #quoted(text: string, last: boolean): boolean | null {
    let from = this.#at + 1;
    let value = '';
    for (;;) {
      const quote = text.indexOf('"', from);
      if (quote < 0 || quote - this.#at > MAX_RECORD) return last || text.length - this.#at > MAX_RECORD ? false : null;
      if (quote + 1 === text.length && !last) return null;
      value += text.slice(from, quote);
      from = quote + 1;
      if (text.charCodeAt(from) !== QUOTE) break;
      value += '"';
      from++;
    }
    let at = from;
    while (at < text.length && !this.#ends(text.charCodeAt(at))) at++;
    if (at > from) value += text.slice(from, at);
    this.#lines += lineEnds(value);
    this.#cells.push(owned(value));
    this.#at = at;
    return true;
  }
}

/** A text of its own: one cut out of a piece of the file would keep that piece in memory. */
const owned = (text: string): string => (text.length < SHARED_LENGTH ? text : ` ${text}`.slice(1));

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Excel's own word on it, on a line before the headers. */
const STATED = /^\ufeff?sep=(.)\r?\n/i;

/**
 * What separates the cells: what the file says, else the mark by which one of the first lines becomes headers of a
 * scan, else the one that stands there most often.
 */
export function delimiterOf(head: string, isHeader: (cells: readonly Cell[]) => boolean): string {
  const stated = STATED.exec(head)?.[1];
  if (stated) return stated;
  const lines = head.split(/\r\n|\n|\r/, 10);
  const headers = DELIMITERS.find((mark) =>
    lines.some((line) => isHeader(line.split(mark).map((cell) => cell.replace(/^\ufeff?"|"$/g, '')))),
  );
  if (headers) return headers;
  const times = (mark: string) => Math.max(...lines.map((line) => line.split(mark).length));
  return DELIMITERS.reduce((best, mark) => (times(mark) > times(best) ? mark : best));
}
