import { orderOf } from '../../domain/scans/order.ts';
import { type IdleWork, idleWork } from '../idle-work.ts';
import { knownPlacesOf, madeInSteps } from './in-steps.ts';

/** Search texts and sort orders of rows that are all loaded. Built once, in idle time if possible. */
export class RowIndex<Row extends object> {
  /** The slow work, for idle time. */
  readonly ahead: readonly IdleWork<unknown>[];
  readonly #at: ReadonlyMap<Row, number>;
  readonly #searched: IdleWork<readonly string[]>;
  readonly #words: ReadonlyMap<string, IdleWork<Float64Array>>;

  /** `text` returns a row's search key; `words` are the text columns by id. */
  constructor(
    rows: readonly Row[],
    text: (row: Row) => string,
    words: Readonly<Record<string, (row: Row) => string>> = {},
  ) {
    this.#at = new Map(rows.map((row, index) => [row, index]));
    this.#searched = idleWork(madeInSteps(rows.length, (index) => text(rows[index] as Row)));
    this.#words = new Map(Object.entries(words).map(([id, word]) => [id, idleWork(wordsInOrder(rows, word))] as const));
    this.ahead = [this.#searched, ...this.#words.values()];
  }

  /** Returns a row's index among all rows. */
  at(row: Row): number {
    return this.#at.get(row) ?? -1;
  }

  /** Returns the rows whose search key contains `wanted`; all rows if it is empty. */
  found(rows: readonly Row[], wanted: string): readonly Row[] {
    if (wanted === '') return rows;
    const texts = this.#searched.get();
    return rows.filter((row) => texts[this.at(row)]?.includes(wanted));
  }

  /**
   * Sorts rows by a column. `value` returns the figure if the column is not text. Unknown values come last either way;
   * the sort is stable.
   */
  ordered(
    rows: readonly Row[],
    id: string,
    value: ((row: Row) => number | null) | undefined,
    ascending: boolean,
  ): readonly Row[] {
    const words = this.#words.get(id)?.get();
    const values = Float64Array.from(rows, (row) => (words ? words[this.at(row)] : value?.(row)) ?? Number.NaN);
    return Array.from(orderOf(values, ascending), (at) => rows[at] as Row);
  }
}

function* wordsInOrder<Row>(rows: readonly Row[], word: (row: Row) => string) {
  return yield* knownPlacesOf(rows.map(word));
}
