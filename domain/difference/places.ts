import { GAMES } from '../games/games.ts';
import { orderOf } from '../scans/order.ts';
import { numbersOf, reorder, type Table } from '../scans/rows.ts';

/** Rows sorted by the value of an id column. Merging two of these finds the ids in both. */
interface Places {
  /** Ascending. */
  values: Float64Array;
  /** The row of each value; equal values keep their row order. */
  rows: Uint32Array;
  /** Rows that repeat an earlier value, or have none. */
  repeats: number;
}

/** Cached because a side that is read once is usually read again. */
const known = new WeakMap<Float64Array, Places>();

/**
 * Returns a column's sorted values without NaN. The column must not change afterwards. Filling and querying a Map of a
 * hundred thousand numbers takes ten times as long.
 */
export function placesOf(column: Float64Array): Places {
  const found = known.get(column) ?? placesIn(column);
  known.set(column, found);
  return found;
}

/** Returns the buffers cached for a column, which are freed with it. */
export function memoryOfPlaces(column: Float64Array): ArrayBufferLike[] {
  const found = known.get(column);
  return found ? [found.values.buffer, found.rows.buffer] : [];
}

function placesIn(column: Float64Array): Places {
  const order = orderOf(column, true);
  // NaN sorts last.
  let count = order.length;
  while (count > 0 && Number.isNaN(column[order[count - 1] as number])) count--;
  const values = new Float64Array(count);
  let [repeats, last] = [column.length - count, Number.NaN];
  for (let place = 0; place < count; place++) {
    const value = column[order[place] as number] as number;
    values[place] = value;
    if (value === last) repeats++;
    last = value;
  }
  return { values, rows: order.subarray(0, count), repeats };
}

/**
 * Returns one side of a difference without repeated governors. A side holds the readings of a war's kingdoms at one
 * time, newest first. A governor who moved while they were made appears twice; the first row, their latest reading,
 * counts.
 */
export function withoutRepeats(side: Table): Table {
  const places = placesOf(numbersOf(side, GAMES[side.game].roles.id));
  if (places.repeats === 0) return side;
  const first = new Uint32Array(side.count - places.repeats);
  let [count, last] = [0, Number.NaN];
  for (let place = 0; place < places.rows.length; place++) {
    const value = places.values[place] as number;
    if (value !== last) first[count++] = places.rows[place] as number;
    last = value;
  }
  return reorder(side, first.sort());
}
