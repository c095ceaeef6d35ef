import { exact } from '../domain/figures.ts';
import { t } from '../domain/language/text.ts';
import { detached } from '../domain/release.ts';
import type { Cell } from '../domain/scans/numerals.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_RECORD, ScanFileRefused } from './limits.ts';

/** An object of a JSON file, with the line on which it starts. */
export interface JsonRow {
  line: number;
  object: Record<string, unknown>;
}

/** Start of a file like `{"rows":[…]}`, with the rows within one object or a Muster answer. */
const WRAPPER =
  /^\s*\{\s*(?:"success"\s*:\s*1\s*,\s*"data"\s*:\s*\{\s*)?"(?:rows|data|players|governors|lords)"\s*:\s*\[/;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
/** Characters from here on are not ASCII. */
const HIGH = 0x80;

/**
 * Reads rows in pieces, from an array of objects, one object per line, or `{"rows":[…]}`, and from several of them one
 * after the other. Anything else between the objects is refused with its line. `onCut` is called if the file ends within
 * an object or before its list does.
 */
export class JsonScanner {
  readonly #onRow: (row: JsonRow) => void;
  readonly #onCut: (line: number, inObject: boolean) => void;
  #rest = '';
  #line = 1;
  #started = false;
  /** Number of objects around the rows: 1 in `{"rows":[…]}`. */
  #wrapped = 0;
  /** Number of open lists. */
  #lists = 0;
  /** Number of open objects behind the rows of `{"rows":[…]}`, whose other keys are skipped. */
  #open = 0;
  #inText = false;
  #isEscaped = false;

  constructor(onRow: (row: JsonRow) => void, onCut: (line: number, inObject: boolean) => void) {
    this.#onRow = onRow;
    this.#onCut = onCut;
  }

  push(text: string): void {
    this.#scan(this.#rest + text);
  }

  end(): void {
    this.#started = true;
    this.#scan(this.#rest);
    if (this.#rest.trim() !== '') this.#onCut(this.#line, true);
    else if (this.#lists > 0 && this.#open === 0) this.#onCut(this.#line, false);
  }

  #scan(text: string): void {
    let at = 0;
    while (at < text.length) {
      const next = this.#open > 0 ? this.#skip(text, at) : this.#started ? this.#next(text, at) : this.#begin(text, at);
      if (next < 0) break;
      at = next;
    }
    if (text.length - at > MAX_RECORD)
      throw new ScanFileRefused(t('Line {line} is too long for a scan.', { line: this.#line }));
    this.#rest = text.slice(at);
  }

  /** Finds out which shape begins at `from`. Returns where its rows begin, or -1 if the text is too short to tell. */
  #begin(text: string, from: number): number {
    const start = text.slice(from);
    const [wrapper = ''] = WRAPPER.exec(start) ?? [];
    if (wrapper === '' && start.length < 1000 && /^\s*(\{|$)/.test(start)) return -1;
    this.#started = true;
    this.#wrapped = wrapper.split('{').length - 1;
    this.#lists = this.#wrapped > 0 ? 1 : 0;
    this.#line += lineEnds(wrapper);
    return from + wrapper.length;
  }

  /** Reads an object, or a character between two. Returns where it ends, or -1 if the text ends first. */
  #next(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === BRACE) {
      const end = endOfObject(text, at);
      if (end >= 0) this.#row(text.slice(at, end));
      return end;
    }
    if (!isBetween(code)) this.#refuse();
    if (code === LF) this.#line++;
    if (code === LIST) this.#lists++;
    if (code === LIST_END) {
      this.#lists--;
      this.#open = this.#wrapped;
    }
    return at + 1;
  }

  /** Skips what is behind the rows, up to the end of the objects around them. Returns where to read on. */
  #skip(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LF) this.#line++;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === QUOTE) this.#inText = !this.#inText;
      else if (this.#inText) this.#isEscaped = code === BACKSLASH;
      else if (code === BRACE) this.#open++;
      else if (code === BRACE_END && --this.#open === 0) {
        this.#started = false;
        return at + 1;
      }
    }
    return text.length;
  }

  #row(source: string): void {
    let object: unknown;
    try {
      object = JSON.parse(source);
    } catch {
      this.#refuse();
    }
    this.#onRow({ line: this.#line, object: object as Record<string, unknown> });
    this.#line += lineEnds(source);
  }

  #refuse(): never {
    throw new ScanFileRefused(t('Line {line} is not a JSON object.', { line: this.#line }));
  }
}

/** Returns whether a character may stand between objects: spaces, separators, the list's brackets. */
const isBetween = (code: number): boolean =>
  code === SPACE ||
  (code >= TAB && code <= CR) ||
  code === COMMA ||
  code === LIST ||
  code === LIST_END ||
  (code >= HIGH && /[\s\ufeff]/.test(String.fromCharCode(code)));

/** Returns where the object that begins at `start` ends, or -1 if the text ends first. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
      if (at < 0) return -1;
    } else if (code === BRACE) depth++;
    else if (code === BRACE_END && --depth === 0) return at + 1;
  }
  return -1;
}

/** Returns the position of a string's closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let back = quote - 1;
    while (text[back] === '\\') back--;
    if ((quote - back) % 2 === 1) return quote;
  }
  return -1;
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Collects objects' keys as headers, in order of appearance, and arranges each object's values accordingly. */
export class JsonHeaders {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #cells: Cell[] = [];

  /** Adds an object's keys. Returns the new ones. */
  learn(object: Record<string, unknown>): string[] {
    const fresh = Object.keys(object).filter((key) => !this.#places.has(key));
    for (const key of fresh) this.#places.set(key, this.names.push(key) - 1);
    if (this.names.length > MAX_COLUMNS)
      throw new ScanFileRefused(t('The objects have more than {most} different keys.', { most: exact(MAX_COLUMNS) }));
    return fresh;
  }

  cells(object: Record<string, unknown>): Cell[] {
    this.#cells.length = 0;
    for (let index = 0; index < this.names.length; index++) this.#cells.push(null);
    for (const [key, value] of Object.entries(object)) {
      const place = this.#places.get(key);
      if (place !== undefined) this.#cells[place] = cellOf(value);
    }
    return this.#cells;
  }
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return value.length > MAX_CELL ? detached(value.slice(0, MAX_CELL)) : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
