/** Sorts and ranks columns by radix sort: four passes over 100,000 figures. Comparison sort takes ten times as long. */

const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;
const PASSES = 64 / DIGIT_BITS;
/** Below this length, counting a pass costs more than comparing. */
const FEW = 4096;

/**
 * Scratch arrays are reused between calls up to this many rows. Otherwise each sorted column would leave three arrays
 * for the garbage collector.
 */
const MOST_KEPT = 1 << 18;
let kept = { keys: new Float64Array(0), other: new Uint32Array(0) };
const starts = new Uint32Array(DIGITS);

function roomFor(rows: number): typeof kept {
  if (rows <= kept.keys.length) return { keys: kept.keys.subarray(0, rows), other: kept.other.subarray(0, rows) };
  const room = { keys: new Float64Array(rows), other: new Uint32Array(rows) };
  if (rows <= MOST_KEPT) kept = room;
  return room;
}

/**
 * Returns row indexes sorted by value, highest first unless `ascending`. The sort is stable. Missing values (NaN) come
 * last in either direction, because they are not small numbers.
 */
export function orderOf(values: Float64Array, ascending = false): Uint32Array<ArrayBuffer> {
  const order = new Uint32Array(values.length);
  const { keys, other } = roomFor(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number;
    order[row] = row;
    // Adding 0 turns -0 into 0, because their bits differ.
    keys[row] = (Number.isNaN(value) ? Infinity : ascending ? value : -value) + 0;
  }
  // Snapshots are stored by power, the most frequent order.
  if (isRising(keys)) return order;
  return values.length < FEW ? compared(order, keys) : sorted(order, keys, other);
}

/**
 * Returns the first `count` of `orderOf` without sorting the rest. It only considers a row that exceeds the lowest
 * value found so far.
 */
export function greatestOf(values: Float64Array, count: number): Uint32Array<ArrayBuffer> {
  if (2 * count >= values.length) return orderOf(values).slice(0, count);
  const rows = new Uint32Array(2 * count);
  let [found, least] = [0, Number.NEGATIVE_INFINITY];
  const cut = (): void => {
    const few = rows.slice(0, found);
    const order = orderOf(Float64Array.from(few, (row) => values[row] as number));
    found = Math.min(count, found);
    for (let place = 0; place < found; place++) rows[place] = few[order[place] as number] as number;
    if (found === count) least = values[rows[count - 1] as number] as number;
  };
  for (let row = 0; row < values.length; row++) {
    if (!((values[row] as number) > least)) continue;
    rows[found++] = row;
    if (found === rows.length) cut();
  }
  cut();
  // Too few known values, so missing ones are among the first.
  return found === count ? rows.slice(0, count) : orderOf(values).slice(0, count);
}

/**
 * Returns the rank of each row, starting at 1 for the highest. Equal values share a rank, and the next rank counts them
 * all. NaN has rank 0.
 */
export function ranksOf(values: Float64Array): Uint32Array {
  const ranks = new Uint32Array(values.length);
  const order = orderOf(values);
  for (let place = 0; place < order.length; place++) {
    const row = order[place] as number;
    if (Number.isNaN(values[row])) break;
    const before = order[place - 1];
    ranks[row] = before !== undefined && values[before] === values[row] ? (ranks[before] as number) : place + 1;
  }
  return ranks;
}

function isRising(keys: Float64Array): boolean {
  for (let index = 1; index < keys.length; index++)
    if ((keys[index] as number) < (keys[index - 1] as number)) return false;
  return true;
}

const compared = (order: Uint32Array<ArrayBuffer>, keys: Float64Array): Uint32Array<ArrayBuffer> =>
  order.sort((a, b) => {
    const left = keys[a] as number;
    const right = keys[b] as number;
    return left < right ? -1 : left > right ? 1 : a - b;
  });

/**
 * Starts with the lowest digit. Each step is a function, because V8 compiles a loop of a long function again in each
 * pass.
 */
function sorted(
  order: Uint32Array<ArrayBuffer>,
  keys: Float64Array<ArrayBuffer>,
  other: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  makeComparable(new Uint32Array(keys.buffer, 0, 2 * keys.length));
  const digits = new Uint16Array(keys.buffer, 0, PASSES * keys.length);
  let [from, to] = [order, other];
  for (let pass = 0; pass < PASSES; pass++) {
    count(digits, pass);
    // All rows have the same digit, as in the high digits of small figures.
    if (starts[digits[pass] as number] === order.length) continue;
    sumUp(starts);
    distribute(from, to, digits, pass);
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
  return order;
}

/** Changes the bits of doubles so that they sort like unsigned integers. `words` are pairs, the low one first. */
function makeComparable(words: Uint32Array): void {
  for (let low = 0; low < words.length; low += 2) {
    const high = words[low + 1] as number;
    const isNegative = high >>> 31 === 1;
    words[low + 1] = isNegative ? ~high : high | 0x80000000;
    if (isNegative) words[low] = ~(words[low] as number);
  }
}

/** Counts the rows with each digit in `starts`. */
function count(digits: Uint16Array, pass: number): void {
  starts.fill(0);
  for (let at = pass; at < digits.length; at += PASSES) {
    const digit = digits[at] as number;
    starts[digit] = (starts[digit] as number) + 1;
  }
}

/** Replaces counts by the sum of those before each. */
function sumUp(counts: Uint32Array): void {
  let sum = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const rows = counts[digit] as number;
    counts[digit] = sum;
    sum += rows;
  }
}

/** Moves each row to the next place of its digit. */
function distribute(from: Uint32Array, to: Uint32Array, digits: Uint16Array, pass: number): void {
  for (let place = 0; place < from.length; place++) {
    const row = from[place] as number;
    const digit = digits[PASSES * row + pass] as number;
    const at = starts[digit] as number;
    to[at] = row;
    starts[digit] = at + 1;
  }
}
