import { type Column, GAMES, type GameId, type Roles } from '../games/games.ts';
import { release } from '../release.ts';
import { layoutOf } from './layouts.ts';
import { orderOf } from './order.ts';
import type { Numbers, Table, Texts } from './rows.ts';

/** Columns that grow while a file's rows are read. */

const FIRST_CAPACITY = 256;

/** A numeric column. The array is a longer one after the column has grown. */
export interface Figures {
  values: Numbers;
}

/** The growing columns of one stage. */
export class Stage {
  readonly name: string | null;
  readonly numbers = new Map<string, Figures>();
  readonly texts = new Map<string, Texts>();
  /** The columns that decide whether a row is kept. */
  readonly ids: Figures;
  readonly powers: Figures;
  readonly kingdoms: Figures;
  lines = new Uint32Array(FIRST_CAPACITY);
  count = 0;
  /** Columns in which the current row has a dash, which means 0 if its kills by tier were read. */
  #dashes: string[] = [];

  constructor(name: string | null, { id, power, kingdom }: Roles) {
    this.name = name;
    this.ids = this.figuresOf(id);
    this.powers = this.figuresOf(power);
    this.kingdoms = this.figuresOf(kingdom);
  }

  figuresOf(key: string): Figures {
    let column = this.numbers.get(key);
    if (!column) {
      column = { values: new Float64Array(this.lines.length).fill(Number.NaN) };
      this.numbers.set(key, column);
    }
    return column;
  }

  put({ key, type }: Column, value: number | string | null): void {
    if (type !== 'text') this.figuresOf(key).values[this.count] = value === null ? Number.NaN : (value as number);
    else {
      let column = this.texts.get(key);
      if (!column) {
        column = [];
        this.texts.set(key, column);
      }
      column[this.count] = value as string | null;
    }
  }

  /** Notes a dash in a column that writes 0 as a dash. */
  putDash({ key }: Column): void {
    this.figuresOf(key).values[this.count] = Number.NaN;
    this.#dashes.push(key);
  }

  /** Decides what the current row's dashes mean. `tiers` are the keys of kills by tier. */
  settle(tiers: readonly string[]): void {
    if (this.#dashes.length === 0) return;
    const isRead = tiers.some((key) => (this.numbers.get(key)?.values[this.count] ?? Number.NaN) >= 0);
    if (isRead) for (const key of this.#dashes) this.figuresOf(key).values[this.count] = 0;
    this.#dashes = [];
  }

  /** Returns the row of a line, or -1. Lines are added in ascending order. */
  rowOf(line: number): number {
    let [from, to] = [0, this.count];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.lines[middle] as number) < line) from = middle + 1;
      else to = middle;
    }
    return from < this.count && this.lines[from] === line ? from : -1;
  }

  /** Returns whether the current row differs from another in any numeric column except `besides`. */
  differs(row: number, besides: string): boolean {
    for (const [key, { values }] of this.numbers)
      if (key !== besides && !Object.is(values[this.count], values[row])) return true;
    return false;
  }

  /** Keeps the current row. `tiers` are the keys of kills by tier. */
  keep(line: number, tiers: readonly string[]): void {
    this.settle(tiers);
    this.lines[this.count++] = line;
    if (this.count < this.lines.length) return;
    this.lines = new Uint32Array(grown(this.lines));
    for (const column of this.numbers.values())
      column.values = new Float64Array(grown(column.values)).fill(Number.NaN, this.count);
  }

  /** Frees the columns, of which tables have copies. */
  free(): void {
    release([this.lines.buffer, ...[...this.numbers.values()].map(({ values }) => values.buffer)]);
  }

  /** Discards the values of the current row. */
  discard(): void {
    this.#dashes = [];
    for (const { values } of this.numbers.values()) values[this.count] = Number.NaN;
    for (const column of this.texts.values()) column.length = Math.min(column.length, this.count);
  }
}

/** Returns a column's memory, doubled. */
const grown = ({ buffer }: Uint32Array<ArrayBuffer> | Numbers): ArrayBuffer =>
  (buffer as ArrayBuffer).transfer(2 * buffer.byteLength);

// Plain loops, because `from` with a function takes four times as long and files have a hundred thousand rows.

function numbersAt(column: Numbers, rows: Uint32Array): Numbers {
  const picked = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = column[rows[at] as number] as number;
  return picked;
}

function textsAt(column: Texts, rows: Uint32Array, missing: string | null): Texts {
  const picked: Texts = new Array<string | null>(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = column[rows[at] as number] ?? missing;
  return picked;
}

/** Returns a stage's rows in the given order. Columns without values share one empty array of each type. */
export function tableFrom(game: GameId, stage: Stage, rows: Uint32Array): Table {
  const table: Table = { game, kind: 'scan', count: rows.length, numbers: {}, texts: {} };
  const noNumbers = new Float64Array(rows.length).fill(Number.NaN);
  const noTexts: Texts = new Array<string | null>(rows.length).fill(null);
  const { name } = GAMES[game].roles;
  for (const { key, type } of layoutOf(table).columns) {
    if (type === 'text') {
      const texts = stage.texts.get(key);
      if (key === name) table.texts[key] = textsAt(texts ?? [], rows, '');
      else table.texts[key] = texts ? textsAt(texts, rows, null) : noTexts;
    } else {
      const numbers = stage.numbers.get(key);
      table.numbers[key] = numbers ? numbersAt(numbers.values, rows) : noNumbers;
    }
  }
  return table;
}

/**
 * Returns the rows of each kingdom, in ascending order of kingdoms. Rows are sorted by power, highest first; equal ones
 * keep the file's order. The key null, for rows without a kingdom, comes last.
 */
export function rowsByKingdom(stage: Stage): Map<number | null, Uint32Array> {
  const kingdoms = stage.kingdoms.values;
  const found = new Map<number | null, number[]>();
  for (const row of orderOf(stage.powers.values.slice(0, stage.count))) {
    const own = kingdoms[row] as number;
    const kingdom = Number.isNaN(own) ? null : own;
    const rows = found.get(kingdom);
    if (rows) rows.push(row);
    else found.set(kingdom, [row]);
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => (a ?? Infinity) - (b ?? Infinity))
      .map(([kingdom, rows]) => [kingdom, Uint32Array.from(rows)]),
  );
}
