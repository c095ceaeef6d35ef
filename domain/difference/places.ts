import { orderOf } from '../scans/order.ts';

/** Rows by the value that each has in a column of ids: whatever stands in two columns is found by walking both once. */
export interface Places {
  /** The values, rising. */
  values: Float64Array;
  /** The row of each; equal values keep the order of their rows. */
  rows: Uint32Array;
  /** Rows whose value stands in a row before them already, or is none. */
  repeats: number;
}

/** Whoever reads a side once more wants its places once more. */
const known = new WeakMap<Float64Array, Places>();

/**
 * Where the values of a column stand, which must not change any more. Those that are no number stand nowhere. A Map of a
 * hundred thousand numbers takes ten times as long to fill and to ask.
 */
export function placesOf(column: Float64Array): Places {
  const found = known.get(column) ?? placesIn(column);
  known.set(column, found);
  return found;
}

/** The memory of what was found for a column: whoever gives the column's back gives it back as well. */
export function memoryOfPlaces(column: Float64Array): ArrayBufferLike[] {
  const found = known.get(column);
  return found ? [found.values.buffer, found.rows.buffer] : [];
}

function placesIn(column: Float64Array): Places {
  const order = orderOf(column, true);
  // Missing ones are ordered last.
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
