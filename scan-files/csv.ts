import { Buffer } from 'node:buffer';
import { exact } from '../domain/figures.ts';
import { t } from '../domain/language/text.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import type { Encoding } from './encoding.ts';
import { begins, textsOf } from './encoding.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_RECORD, ScanFileRefused } from './limits.ts';

/**
 * Receives a line: its number (from 1) and its cells. The array is reused for the next line. `ended` is false if the
 * file ends without a line end.
 */
export type OnCsvLine = (line: number, cells: Cell[], ended: boolean) => void;

const QUOTE = 0x22;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;
const ZERO = 0x30;
const NINE = 0x39;
/** Bytes from here on are part of multi-byte characters. */
const HIGH = 0x80;
/** Bytes read per step. */
const STEP_BYTES = 16_384;
/** Characters of UTF-16 that are converted in the time that it takes to read one. */
const CONVERTED_FOR_ONE = 8;
/** Numbers with up to this many digits are always exact. */
const EXACT_DIGITS = 15;

/** Reads the lines of a csv file. */
export function readCsvLines(bytes: Uint8Array, encoding: Encoding, delimiter: string, onLine: OnCsvLine): void {
  for (const _ of csvSteps(bytes, encoding, delimiter, onLine));
}

/** Reads the lines of a csv file in steps of some milliseconds. Each step yields the number of bytes that it read. */
export function* csvSteps(
  bytes: Uint8Array,
  encoding: Encoding,
  delimiter: string,
  onLine: OnCsvLine,
): Generator<number, void, undefined> {
  if (encoding === 'windows-1252') {
    const decoder = new TextDecoder(encoding);
    yield* new CsvScanner(bytes, delimiter, onLine, (from, to) => decoder.decode(bytes.subarray(from, to))).read();
  } else {
    const utf8 = encoding === 'utf-8' ? bytes : yield* utf8Steps(bytes, encoding);
    yield* new CsvScanner(utf8, delimiter, onLine).read();
  }
}

/** Converts UTF-16 to UTF-8; two bytes become three at most. */
function* utf8Steps(bytes: Uint8Array, encoding: Encoding): Generator<number, Uint8Array, undefined> {
  const utf8 = Buffer.allocUnsafe(Math.ceil(bytes.length / 2) * 3);
  let length = 0;
  for (const text of textsOf(bytes, encoding)) {
    length += utf8.write(text, length);
    yield Math.ceil(text.length / CONVERTED_FOR_ONE);
  }
  return utf8.subarray(0, length);
}

/**
 * Reads csv as bytes, so that figures never become strings. Fields follow RFC 4180 and common deviations: any line end,
 * quotes within fields, and unclosed quotes, which count as characters. Plain digits become numbers.
 */
class CsvScanner {
  readonly #bytes: Buffer;
  readonly #delimiter: number;
  readonly #onLine: OnCsvLine;
  readonly #decode: (from: number, to: number) => string;
  readonly #cells: Cell[] = [];
  #count = 0;
  #line = 1;
  /** Line ends within the record's fields. */
  #lines = 0;
  #at = 0;

  constructor(
    bytes: Uint8Array,
    delimiter: string,
    onLine: OnCsvLine,
    decode = (from: number, to: number): string => this.#bytes.toString('utf8', from, to),
  ) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#delimiter = delimiter.charCodeAt(0);
    this.#onLine = onLine;
    this.#decode = decode;
  }

  *read(): Generator<number, void, undefined> {
    const { length } = this.#bytes;
    if (begins(this.#bytes, 0xef, 0xbb, 0xbf)) this.#at = 3;
    let step = this.#at;
    while (this.#at < length) {
      if (this.#at - step >= STEP_BYTES) {
        yield this.#at - step;
        step = this.#at;
      }
      this.#count = 0;
      this.#lines = 0;
      const ended = this.#record();
      // Setting the final length keeps the array's capacity for the next line; emptying it first would not.
      this.#cells.length = this.#count;
      this.#onLine(this.#line, this.#cells, ended);
      this.#line += this.#lines + 1;
    }
  }

  /** Reads one record. Returns true if a line end closed it, false if the file ended. */
  #record(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    for (;;) {
      this.#field();
      const at = this.#at;
      if (this.#count > MAX_COLUMNS)
        throw new ScanFileRefused(
          t('Line {line} has more than {most} columns.', { line: this.#line, most: exact(MAX_COLUMNS) }),
        );
      if (at - start > MAX_RECORD)
        throw new ScanFileRefused(t('Line {line} is too long for a scan.', { line: this.#line }));
      if (at >= bytes.length) return false;
      const mark = bytes[at];
      this.#at = mark === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
      if (mark !== this.#delimiter) return true;
      // If the file ends after a separator, one empty field follows.
    }
  }

  #field(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    if (bytes[start] === QUOTE && this.#quoted()) return;
    const { length } = bytes;
    const delimiter = this.#delimiter;
    let at = start;
    let value = 0;
    while (at < length) {
      const digit = bytes[at] as number;
      if (digit < ZERO || digit > NINE) break;
      value = value * 10 + (digit - ZERO);
      at++;
    }
    const digits = at - start;
    let seen = 0;
    while (at < length) {
      const byte = bytes[at] as number;
      if (byte === delimiter || byte === LF || byte === CR) break;
      seen |= byte;
      at++;
    }
    this.#at = at;
    const isFigure =
      at - start === digits && digits > 0 && digits <= EXACT_DIGITS && (digits === 1 || bytes[start] !== ZERO);
    this.#cells[this.#count++] = isFigure ? value : this.#text(start, at, seen);
  }

  /**
   * Reads a quoted field. Returns false if the quote belongs to a name: no quote closes it, or text follows the closing
   * quote in a file with tabs or on a later line.
   */
  #quoted(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let from = start + 1;
    let value = '';
    for (;;) {
      const quote = bytes.indexOf(QUOTE, from);
      if (quote < 0 || quote - start > MAX_RECORD) return false;
      if (value.length < MAX_CELL) value += this.#text(from, quote, HIGH);
      from = quote + 1;
      if (bytes[from] !== QUOTE) break;
      if (value.length < MAX_CELL) value += '"';
      from++;
    }
    let at = from;
    while (at < bytes.length && !this.#ends(bytes[at] as number)) at++;
    if (at > from && (this.#delimiter === TAB || this.#hasLineEnd(start, from))) return false;
    if (at > from) value += this.#text(from, at, HIGH);
    for (let place = start; place < at; place++) if (bytes[place] === LF) this.#lines++;
    this.#cells[this.#count++] = value.slice(0, MAX_CELL);
    this.#at = at;
    return true;
  }

  #hasLineEnd(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#bytes[at] === LF || this.#bytes[at] === CR) return true;
    return false;
  }

  #ends(byte: number): boolean {
    return byte === this.#delimiter || byte === LF || byte === CR;
  }

  /** Decodes the first characters of a range. `seen` is the bitwise OR of its bytes. */
  #text(from: number, to: number, seen: number): string {
    if (from === to) return '';
    if (seen < HIGH) return this.#bytes.toString('latin1', from, Math.min(to, from + MAX_CELL));
    // A character has four bytes at most.
    return this.#decode(from, Math.min(to, from + MAX_CELL * 4)).slice(0, MAX_CELL);
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Excel's own declaration of the separator, on a line before the headers. */
const STATED = /^\ufeff?sep=([\t -~])\r?\n/i;

/**
 * Returns the separator between cells: the one declared in the file, else the one that turns one of the first lines
 * into headers of a scan, else the most frequent.
 */
export function delimiterOf(head: string, isHeader: (cells: readonly Cell[]) => boolean): string {
  const stated = STATED.exec(head)?.[1];
  if (stated) return stated;
  const lines = head.split(/\r\n|\n|\r/, 10);
  const cellsOf = (line: string, mark: string) =>
    line.split(mark, MAX_COLUMNS).map((cell) => cell.slice(0, MAX_CELL).replace(/^\ufeff?"|"$/g, ''));
  const headers = DELIMITERS.find((mark) => lines.some((line) => isHeader(cellsOf(line, mark))));
  if (headers) return headers;
  const times = (mark: string) => Math.max(...lines.map((line) => line.split(mark).length));
  return DELIMITERS.reduce((best, mark) => (times(mark) > times(best) ? mark : best));
}
