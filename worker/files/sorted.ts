import { type Column, GAMES } from '../../domain/games/games.ts';
import type { Shape } from '../../domain/scans/layouts.ts';
import { numbersOf, orderBy, type Table } from '../../domain/scans/rows.ts';
import { Bytes } from './bytes.ts';
import { ROWS_PER_GROUP } from './parquet.ts';
import { keysFor, openedInTurn, type Survey } from './survey.ts';

export interface ExportOptions {
  /** JSON only, as in the specification: by power or the game's score, greatest first. */
  sort?: 'Power' | 'Killpoints' | undefined;
  /** Smallest first. */
  reversed?: boolean | undefined;
  /** Titles of columns in the current language as header row. */
  titled?: boolean;
}

/** Input of a sorted export. */
export type Sortable = Pick<Survey, 'opened' | 'columns' | 'rows'> & { meta: Shape };

/**
 * Yields the rows of all parts, sorted by power or each game's score. Missing values come last, equal ones in stored
 * order.
 */
export async function* sortedTables(
  { opened, columns, rows, meta }: Sortable,
  { sort, reversed }: ExportOptions,
): AsyncGenerator<Table, void, undefined> {
  const held = new HeldRows(columns, rows);
  const keys = columns.map(({ key }) => key);
  const ranks = new Float64Array(rows);
  let at = 0;
  for await (const snapshot of openedInTurn(opened)) {
    const { roles } = GAMES[snapshot.meta.game];
    for await (const table of snapshot.groups(keysFor(snapshot.meta, keys))) {
      held.put(table, at);
      ranks.set(numbersOf(table, sort === 'Killpoints' ? roles.score : roles.power), at);
      at += table.count;
    }
  }
  const order = orderBy({ ...meta, count: rows, numbers: { ranks }, texts: {} }, 'ranks', reversed);
  for (let from = 0; from < rows; from += ROWS_PER_GROUP)
    yield { ...meta, ...held.take(order.subarray(from, from + ROWS_PER_GROUP)) };
}

/** Rows waiting to be sorted. Texts are kept as bytes, because strings take three times the memory. */
class HeldRows {
  readonly #numbers: Record<string, HeldNumbers>;
  readonly #texts: Record<string, HeldTexts>;

  constructor(columns: readonly Column[], rows: number) {
    const made = <Cells>(ofText: boolean, make: () => Cells): Record<string, Cells> =>
      Object.fromEntries(columns.filter(({ type }) => (type === 'text') === ofText).map(({ key }) => [key, make()]));
    this.#numbers = made(false, () => new HeldNumbers(rows));
    this.#texts = made(true, () => new HeldTexts(rows));
  }

  put({ numbers, texts }: Table, at: number): void {
    for (const [key, cells] of Object.entries(numbers)) this.#numbers[key]?.put(cells, at);
    for (const [key, cells] of Object.entries(texts)) this.#texts[key]?.put(cells, at);
  }

  /** Returns the rows at these positions. */
  take(places: Uint32Array): Pick<Table, 'count' | 'numbers' | 'texts'> {
    const numbers = Object.entries(this.#numbers).map(([key, cells]) => [key, cells.take(places)]);
    const texts = Object.entries(this.#texts).map(([key, cells]) => [key, cells.take(places)]);
    return { count: places.length, numbers: Object.fromEntries(numbers), texts: Object.fromEntries(texts) };
  }
}

/** Marks a missing value among 32-bit numbers. */
const NONE = 0xffff_ffff;

/**
 * The numbers of a column. Takes no memory while no row has one, four bytes each while all are whole and below 2^32 - 1
 * (the usual case), and eight bytes from the first other number on.
 */
class HeldNumbers {
  readonly #rows: number;
  #small: Uint32Array | undefined;
  #large: Float64Array | undefined;

  constructor(rows: number) {
    this.#rows = rows;
  }

  put(cells: Float64Array, at: number): void {
    for (let row = 0; row < cells.length; row++) {
      const value = cells[row] as number;
      if (Number.isNaN(value)) continue;
      if (!this.#large && Number.isInteger(value) && value >= 0 && value < NONE) {
        this.#small ??= new Uint32Array(this.#rows).fill(NONE);
        this.#small[at + row] = value;
      } else {
        this.#large ??= this.#widened();
        this.#large[at + row] = value;
      }
    }
  }

  take(places: Uint32Array): Float64Array {
    const [small, large] = [this.#small, this.#large];
    const taken = new Float64Array(places.length).fill(Number.NaN);
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (large) taken[index] = large[place] as number;
      else if (small && small[place] !== NONE) taken[index] = small[place] as number;
    }
    return taken;
  }

  #widened(): Float64Array {
    const large = new Float64Array(this.#rows).fill(Number.NaN);
    this.#small?.forEach((value, row) => {
      if (value !== NONE) large[row] = value;
    });
    this.#small = undefined;
    return large;
  }
}

class HeldTexts {
  readonly #bytes = new Bytes();
  readonly #starts: Uint32Array;
  /** The text's end; less than its start if there is no text. */
  readonly #ends: Uint32Array;

  constructor(rows: number) {
    this.#starts = new Uint32Array(rows).fill(1);
    this.#ends = new Uint32Array(rows);
  }

  put(texts: readonly (string | null)[], at: number): void {
    texts.forEach((text, row) => {
      if (text === null) return;
      this.#starts[at + row] = this.#bytes.length;
      this.#bytes.text(text);
      this.#ends[at + row] = this.#bytes.length;
    });
  }

  take(places: Uint32Array): (string | null)[] {
    const { buffer, byteOffset, byteLength } = this.#bytes.view();
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return Array.from(places, (place) => {
      const [start, end] = [this.#starts[place] as number, this.#ends[place] as number];
      return end < start ? null : bytes.toString('utf8', start, end);
    });
  }
}
