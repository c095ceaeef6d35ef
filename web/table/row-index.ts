import { orderOf } from '../../domain/scans/order.ts';
import { type IdleWork, idleWork } from '../idle-work.ts';
import { knownPlacesOf, madeInSteps } from './in-steps.ts';

/**
 * Rows of which a page has all: found by words and put in order by what is made for them once, and ahead of the first
 * letter or press where there is time.
 */
export class RowIndex<Row extends object> {
  /** What takes long to make, for idle moments. */
  readonly ahead: readonly IdleWork<unknown>[];
  readonly #at: ReadonlyMap<Row, number>;
  readonly #searched: IdleWork<readonly string[]>;
  readonly #words: ReadonlyMap<string, IdleWork<Float64Array>>;

  /** `text` is what the search finds a row by, in the search's own form; `words` are the columns of words, by id. */
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

  /** Where a row stands among all. */
  at(row: Row): number {
    return this.#at.get(row) ?? -1;
  }

  /** Those of the rows whose text holds what is wanted; all of them for nothing. */
  found(rows: readonly Row[], wanted: string): readonly Row[] {
    if (wanted === '') return rows;
    const texts = this.#searched.get();
    return rows.filter((row) => texts[this.at(row)]?.includes(wanted));
  }

  /**
   * The rows by a column, whose figures `value` tells where it is not one of words; what is unknown comes last either
   * way, equal ones keep their order.
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
