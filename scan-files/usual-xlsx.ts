import type { Buffer } from 'node:buffer';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_CELL, MAX_COLUMNS } from './limits.ts';

/**
 * Reads rows and texts straight from the bytes if they have the form that nearly all programs write. `XmlScanner` reads
 * everything else into the same cells: decimals, formulas, entities, comments, prefixes, spaces between tags, other
 * attributes. For those the functions here return -1.
 */

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const ROW = bytesOf('<row r="');
const ROW_END = bytesOf('</row>');
const CELL = bytesOf('<c r="');
const INLINE = bytesOf(' t="inlineStr"><is>');
const NO_VALUE = bytesOf('/>');
const INLINE_END = bytesOf('</t></is></c>');
const ITEM = bytesOf('<si>');
const ITEM_END = bytesOf('</t></si>');
const TEXT = bytesOf('<t>');
const SPACED_TEXT = bytesOf('<t xml:space="preserve">');

/** Types of cells, as letters: a figure, or the number of a shared text. */
const FIGURE_TYPE = 0x6e;
const TEXT_TYPE = 0x73;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const BEGIN = 0x3c;
const END = 0x3e;
const SINGLE = 0x27;
/** Excel's highest line number has seven digits. */
const LINE_DIGITS = 7;
/** Numbers with up to this many digits are always exact. */
const EXACT_DIGITS = 15;
/** The most bytes of a unit of UTF-16. */
const UNIT_BYTES = 3;

/** The row that was read last. */
export interface UsualRow {
  line: number;
  cells: Cell[];
  /** Opening tags, including the row's. */
  tags: number;
  /** Characters of its shared strings. */
  shown: number;
}

function is(bytes: Uint8Array, at: number, mark: Uint8Array): boolean {
  for (let index = 0; index < mark.length; index++) if (bytes[at + index] !== mark[index]) return false;
  return true;
}

/** Returns four bytes as a number, so that marks which every cell has are compared at once. */
const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);
const STYLE = wordAt(bytesOf(' s="'), 0);
const TYPE = wordAt(bytesOf(' t="'), 0);
const VALUE = wordAt(bytesOf('><v>'), 0);
const VALUE_END = wordAt(bytesOf('</v>'), 0);
const CELL_END = wordAt(bytesOf('</c>'), 0);
const WORD = 4;

/** Returns where the digits from `at` on end. */
function afterDigits(bytes: Uint8Array, at: number): number {
  let end = at;
  while (isDigit(bytes[end] as number)) end++;
  return end;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Parses the digits from `from` to `to`. */
function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + ((bytes[at] as number) - 0x30);
  return value;
}

/** Reads `<row r="2" …><c …/>…</row>` at `from` into `row`. Returns where it ends, or -1. */
export function usualRow(bytes: Buffer, from: number, shared: readonly string[], row: UsualRow): number {
  if (!is(bytes, from, ROW)) return -1;
  const digits = from + ROW.length;
  let at = afterDigits(bytes, digits);
  if (at - digits > LINE_DIGITS || bytes[at] !== QUOTE) return -1;
  row.line = numberOf(bytes, digits, at);
  at = afterAttributes(bytes, at + 1);
  row.cells.length = 0;
  row.tags = 1;
  row.shown = 0;
  while (at > 0 && is(bytes, at, CELL)) at = usualCell(bytes, at + CELL.length, shared, row);
  return at > 0 && is(bytes, at, ROW_END) ? at + ROW_END.length : -1;
}

/** Skips attributes up to the tag's end. Returns -1 if it closes itself, or is not in double quotes. */
function afterAttributes(bytes: Uint8Array, from: number): number {
  let isQuoted = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === SINGLE || byte === BEGIN) return -1;
    else if (byte === END && !isQuoted) return bytes[at - 1] === SLASH ? -1 : at + 1;
  }
  return -1;
}

/** Reads a cell from its reference on: `A2" s="1" t="s"><v>7</v></c>`. Returns where it ends, or -1. */
function usualCell(bytes: Buffer, from: number, shared: readonly string[], row: UsualRow): number {
  let at = from;
  let column = 0;
  for (let letter = bytes[at] as number; letter >= 0x41 && letter <= 0x5a; letter = bytes[++at] as number)
    column = column * 26 + (letter - 0x40);
  if (column < 1 || column > MAX_COLUMNS) return -1;
  at = afterDigits(bytes, at);
  if (bytes[at++] !== QUOTE) return -1;
  if (wordAt(bytes, at) === STYLE) {
    at = afterDigits(bytes, at + WORD);
    if (bytes[at++] !== QUOTE) return -1;
  }
  row.tags++;
  let type = FIGURE_TYPE;
  if (wordAt(bytes, at) === TYPE && bytes[at + WORD + 1] === QUOTE) {
    type = bytes[at + WORD] as number;
    at += WORD + 2;
  }
  if (wordAt(bytes, at) !== VALUE) return otherCell(bytes, at, row, column);
  at += WORD;
  const end = afterDigits(bytes, at);
  if (end === at || end - at > EXACT_DIGITS) return -1;
  if (wordAt(bytes, end) !== VALUE_END || wordAt(bytes, end + WORD) !== CELL_END) return -1;
  const value = numberOf(bytes, at, end);
  row.tags++;
  if (type === TEXT_TYPE) put(row, column, shared[value] ?? null);
  else if (type === FIGURE_TYPE) put(row, column, value);
  else return -1;
  return end + 2 * WORD;
}

/** Reads the rest of an empty cell or of one with its own text. */
function otherCell(bytes: Buffer, from: number, row: UsualRow, column: number): number {
  if (is(bytes, from, NO_VALUE)) return from + NO_VALUE.length;
  if (!is(bytes, from, INLINE)) return -1;
  const start = afterTextTag(bytes, from + INLINE.length);
  const end = endOfText(bytes, start);
  if (end < 0 || !is(bytes, end, INLINE_END)) return -1;
  row.tags += 2;
  if (end > start) put(row, column, textAt(bytes, start, end));
  return end + INLINE_END.length;
}

function put(row: UsualRow, column: number, cell: Cell): void {
  while (row.cells.length < column - 1) row.cells.push(null);
  row.cells[column - 1] = cell;
  if (typeof cell === 'string') row.shown += cell.length;
}

/** Reads `<si><t>…</t></si>` at `from`. Returns its text and the end of the element, or null if it has another form. */
export function usualItem(bytes: Buffer, from: number): { text: string; end: number } | null {
  if (!is(bytes, from, ITEM)) return null;
  const start = afterTextTag(bytes, from + ITEM.length);
  const end = endOfText(bytes, start);
  if (end < 0 || !is(bytes, end, ITEM_END)) return null;
  return { text: textAt(bytes, start, end), end: end + ITEM_END.length };
}

function afterTextTag(bytes: Uint8Array, at: number): number {
  if (is(bytes, at, TEXT)) return at + TEXT.length;
  return is(bytes, at, SPACED_TEXT) ? at + SPACED_TEXT.length : -1;
}

/** Returns where a text without entities ends, or -1. */
function endOfText(bytes: Uint8Array, from: number): number {
  if (from < 0) return -1;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BEGIN) return at;
    if (byte === AMPERSAND) return -1;
  }
  return -1;
}

const textAt = (bytes: Buffer, from: number, to: number): string =>
  unescaped(bytes.toString('utf8', from, Math.min(to, from + MAX_CELL * UNIT_BYTES)).slice(0, MAX_CELL));

/** Decodes characters that XML forbids, which Excel writes as _x000D_ (ECMA-376, ST_Xstring). */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
