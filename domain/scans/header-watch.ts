import { dialectOf, type HeaderMapping, headerText, isIdHeader } from './dialect.ts';
import type { Cell } from './numerals.ts';

const NONE: readonly number[] = [];
/** The most cells of lines checked in full because their id cell looks like a header. */
const MAX_LOOKED = 10_000;

/** Checks the lines below a file's headers for repeated headers and for values without a header. */
export class HeaderWatch {
  readonly #headers: readonly HeaderMapping[];
  readonly #idAt: number;
  /** Columns without a header that have had no value yet. */
  readonly #empty = new Set<number>();
  #looked = 0;
  /** Number of columns seen so far. */
  #width = 0;

  /** `headers` may still grow; `id` is the key of the game's ids. */
  constructor(headers: readonly HeaderMapping[], id: string) {
    this.#headers = headers;
    this.#idAt = headers.findIndex(({ column }) => column === id);
  }

  /** Returns whether a line repeats headers, as in concatenated files: the same ones, or those of another table. */
  again(cells: readonly Cell[]): 'same' | 'other' | null {
    const id = cells[this.#idAt];
    if (typeof id !== 'string' || !isIdHeader(id)) return null;
    if (this.#headers.every(({ header }, index) => headerText(cells[index] ?? null) === header)) return 'same';
    this.#looked += cells.length;
    return this.#looked <= MAX_LOOKED && dialectOf(cells) !== null ? 'other' : null;
  }

  /** Returns the columns (from 0) with a value but no header. Each is returned once. */
  nameless(cells: readonly Cell[]): readonly number[] {
    for (; this.#width < cells.length; this.#width++)
      if (!this.#headers[this.#width]?.header) this.#empty.add(this.#width);
    if (this.#empty.size === 0) return NONE;
    const found: number[] = [];
    for (const index of this.#empty)
      if ((cells[index] ?? '') !== '') {
        this.#empty.delete(index);
        found.push(index);
      }
    return found;
  }
}
