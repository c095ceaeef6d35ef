import { locale } from '../../domain/language/current.ts';
import { orderOf } from '../../domain/scans/order.ts';
import { knownPlacesOf } from '../../domain/scans/text-order.ts';
import { searchKey } from '../../domain/search.ts';
import { type IdleWork, idleWork } from '../idle-work.ts';

/** Texts built per step, about half a millisecond of work. */
const AT_A_TIME = 256;

/** Maps all rows, yielding between steps. */
function* madeInSteps<Made>(rows: number, make: (row: number) => Made): Generator<void, readonly Made[], void> {
  const made: Made[] = [];
  for (let row = 0; row < rows; row++) {
    made.push(make(row));
    if (made.length % AT_A_TIME === 0) yield;
  }
  return made;
}

/**
 * Search texts and sort orders of rows that are all loaded. Rows are numbers, so that 20,000 of them are filtered and
 * sorted within a frame. The slow part is prepared in idle time if possible.
 */
export class RowIndex {
  /** All rows, in their own order. */
  readonly all: Uint32Array;
  /** The slow work, for idle time. */
  readonly ahead: readonly IdleWork<unknown>[];
  readonly #searched: IdleWork<readonly string[]>;
  readonly #words: ReadonlyMap<string, IdleWork<Float64Array>>;
  readonly #values = new Map<string, Float64Array>();
  readonly #orders = new WeakMap<Float64Array, { rising?: Uint32Array; falling?: Uint32Array }>();

  /**
   * `text` returns the text that finds a row; `words` are the text columns by id, of which the `often` sorted ones are
   * prepared in idle time.
   */
  constructor(
    count: number,
    text: (row: number) => string,
    words: Readonly<Record<string, (row: number) => string>> = {},
    often: readonly string[] = Object.keys(words),
  ) {
    this.all = Uint32Array.from({ length: count }, (_, row) => row);
    this.#searched = idleWork(madeInSteps(count, (row) => searchKey(text(row))));
    this.#words = new Map(Object.entries(words).map(([id, word]) => [id, idleWork(this.#placesOf(word))] as const));
    this.ahead = [this.#searched, ...often.flatMap((id) => this.#words.get(id) ?? [])];
  }

  /** Alphabetical rank of each row's text. A generator's body runs at its first step, so `all` is there by then. */
  *#placesOf(word: (row: number) => string) {
    return yield* knownPlacesOf(Array.from(this.all, word), locale());
  }

  /** Returns what a column sorts by: its texts' alphabetical ranks, or the given figures; NaN if unknown. */
  values(id: string, figure: (row: number) => number | null): Float64Array {
    const words = this.#words.get(id)?.get();
    const values = words ?? this.#values.get(id) ?? Float64Array.from(this.all, (row) => figure(row) ?? Number.NaN);
    this.#values.set(id, values);
    return values;
  }

  /** Returns the rows whose search text contains the query; all of them if it is empty. */
  found(rows: Uint32Array, query: string): Uint32Array {
    const wanted = searchKey(query);
    if (wanted === '') return rows;
    const texts = this.#searched.get();
    return rows.filter((row) => texts[row]?.includes(wanted));
  }

  /**
   * Sorts rows by the values of all rows. Unknown values come last either way; the sort is stable. The order of all
   * rows is kept as long as the values, so that searches and filters only select from it.
   */
  ordered(rows: Uint32Array, values: Float64Array, ascending: boolean): Uint32Array {
    const orders = this.#orders.get(values) ?? {};
    const direction = ascending ? 'rising' : 'falling';
    const all = orders[direction] ?? orderOf(values, ascending);
    this.#orders.set(values, { ...orders, [direction]: all });
    if (rows.length === all.length) return all;
    const wanted = new Uint8Array(all.length);
    for (const row of rows) wanted[row] = 1;
    return all.filter((row) => wanted[row] === 1);
  }
}
