import { release } from '../release.ts';
import type { BoardRow, Ranking } from './rows.ts';

const FIRST_ROWS = 1024;

/** Cells of a row: numbers, of which the first is the governor or the kingdom, and texts. */
export interface Cells {
  numbers: readonly number[] | Float64Array;
  texts: string[];
}

/**
 * The best rows so far, in columns because objects would take four times the memory. Now and then it drops those below
 * `limit`. Rows of the same value are in the order of their first number, then of their first
 * text.
 */
export class Top {
  readonly #limit: number;
  /** Rows held at most: half as many again as `#limit`. */
  readonly #most: number;
  readonly #width: number;
  readonly #texts: string[][];
  #values = new Float64Array(FIRST_ROWS);
  #numbers: Float64Array<ArrayBuffer>;
  #count = 0;
  #least = Number.NEGATIVE_INFINITY;

  constructor(limit: number, width: { numbers: number; texts: number }) {
    this.#limit = limit;
    this.#most = Math.ceil(1.5 * limit);
    this.#width = width.numbers;
    this.#numbers = new Float64Array(FIRST_ROWS * width.numbers);
    this.#texts = Array.from({ length: width.texts }, () => []);
  }

  /** Returns false if a row with that value can no longer be among the best. */
  takes(value: number): boolean {
    return value >= this.#least;
  }

  add(value: number, { numbers, texts }: Cells): void {
    if (this.#count === this.#values.length) this.#grow();
    const at = this.#count++;
    this.#values[at] = value;
    this.#numbers.set(numbers, at * this.#width);
    for (const [column, text] of texts.entries()) (this.#texts[column] as string[])[at] = text;
    if (this.#count >= this.#most) this.#cut();
  }

  /** Returns the best rows in order. `rowOf` makes one from its cells. */
  finish(rowOf: (cells: Cells) => BoardRow): Ranking {
    const order = this.#order().subarray(0, this.#limit);
    return {
      length: order.length,
      at: (index) => {
        const at = order[index];
        return at === undefined ? undefined : rowOf(this.#cells(at));
      },
      free: () => {
        release([this.#values.buffer, this.#numbers.buffer]);
        for (const column of this.#texts) column.length = 0;
      },
    };
  }

  #cells(at: number): Cells {
    return {
      numbers: this.#numbers.subarray(at * this.#width, (at + 1) * this.#width),
      texts: this.#texts.map((column) => column[at] as string),
    };
  }

  #order(): Uint32Array {
    const values = this.#values;
    const first = (at: number): number => this.#numbers[at * this.#width] as number;
    const text = (at: number): string => this.#texts[0]?.[at] ?? '';
    return Uint32Array.from({ length: this.#count }, (_, index) => index).sort(
      (a, b) => (values[b] as number) - (values[a] as number) || first(a) - first(b) || (text(a) < text(b) ? -1 : 1),
    );
  }

  /** Moves the best rows to the front, in no order. */
  #cut(): void {
    const kept = this.#order().subarray(0, this.#limit);
    this.#least = this.#values[kept.at(-1) as number] as number;
    // In ascending order no row is overwritten before it has moved.
    kept.sort();
    for (const [to, from] of kept.entries()) {
      this.#values[to] = this.#values[from] as number;
      this.#numbers.copyWithin(to * this.#width, from * this.#width, (from + 1) * this.#width);
      for (const column of this.#texts) column[to] = column[from] as string;
    }
    this.#count = kept.length;
    for (const column of this.#texts) column.length = kept.length;
  }

  #grow(): void {
    const rows = Math.min(2 * this.#values.length, this.#most);
    // Frees the shorter column at once.
    const longer = ({ buffer }: Float64Array<ArrayBuffer>, width: number) =>
      new Float64Array(buffer.transfer(rows * width * Float64Array.BYTES_PER_ELEMENT));
    this.#values = longer(this.#values, 1);
    this.#numbers = longer(this.#numbers, this.#width);
  }
}
