import { dialectOf, type HeaderMapping, headerText } from './dialect.ts';
import type { Cell } from './numerals.ts';

const NONE: readonly number[] = [];

/** Looks at the lines below a file's headers for what the headers do not explain. */
export class HeaderWatch {
  readonly #headers: readonly HeaderMapping[];
  readonly #idAt: number;
  /** Columns without a header in which nothing stood yet. */
  readonly #empty = new Set<number>();
  /** So many columns have been looked at. */
  #width = 0;

  /** The headers, of which more may come; `id` is the key of the game's ids. */
  constructor(headers: readonly HeaderMapping[], id: string) {
    this.#headers = headers;
    this.#idAt = headers.findIndex(({ column }) => column === id);
  }

  /** Whether these are headers again, as in files that were put together: the same ones, or those of another table. */
  again(cells: readonly Cell[]): 'same' | 'other' | null {
    const id = cells[this.#idAt];
    if (typeof id !== 'string' || !/\p{L}/u.test(id) || dialectOf(cells) === null) return null;
    return this.#headers.every(({ header }, index) => headerText(cells[index] ?? null) === header) ? 'same' : 'other';
  }

  /** The columns (from 0) with a value under no header, or to the right of all headers; each is told once. */
  nameless(cells: readonly Cell[]): readonly number[] {
    for (; this.#width < cells.length; this.#width++)
      if (!this.#headers[this.#width]?.header) this.#empty.add(this.#width);
    if (this.#empty.size === 0) return NONE;
    const found = [...this.#empty].filter((index) => (cells[index] ?? '') !== '');
    for (const index of found) this.#empty.delete(index);
    return found;
  }
}
