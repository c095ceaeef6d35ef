import { dialectOf, type HeaderMapping, headerText, isIdHeader } from './dialect.ts';
import type { Cell } from './numerals.ts';

const NONE: readonly number[] = [];
/** Lines with a header among the ids that are looked at as a whole. */
const MAX_LOOKS = 100;

/** Looks at the lines below a file's headers for what the headers do not explain. */
export class HeaderWatch {
  readonly #headers: readonly HeaderMapping[];
  readonly #idAt: number;
  /** Columns without a header in which nothing stood yet. */
  readonly #empty = new Set<number>();
  #looks = 0;
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
    if (typeof id !== 'string' || !isIdHeader(id)) return null;
    if (this.#headers.every(({ header }, index) => headerText(cells[index] ?? null) === header)) return 'same';
    return ++this.#looks <= MAX_LOOKS && dialectOf(cells) !== null ? 'other' : null;
  }

  /** The columns (from 0) with a value under no header, or to the right of all headers; each is told once. */
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
