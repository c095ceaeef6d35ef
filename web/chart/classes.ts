/** How many values lie from `from` up to, and without, `to`. */
export interface Class {
  from: number;
  to: number;
  count: number;
}

const ROUND = [1, 2, 5] as const;
/** Where the greatest value is so many times the least, classes of one width would put nearly all into the first. */
const WIDE = 12;
/** What lies further than this below the greatest value shares one class. */
const DEEPEST = 10_000;

/**
 * Values sorted into classes with round ends, mightiest last; none for no values. The classes have one width and are
 * `most` or a few less, or double from one to the next (1, 2, 5, 10 …) where the values lie far apart.
 */
export function classesOf(values: ArrayLike<number>, most: number): Class[] {
  if (values.length === 0) return [];
  let [least, greatest] = [Infinity, -Infinity];
  for (let index = 0; index < values.length; index++) {
    least = Math.min(least, values[index] as number);
    greatest = Math.max(greatest, values[index] as number);
  }
  const ends = greatest > WIDE * Math.max(least, 1) ? doubling(least, greatest) : even(least, greatest, most);
  const classes = ends.slice(1).map((to, index) => ({ from: ends[index] ?? 0, to, count: 0 }));
  for (let index = 0; index < values.length; index++) {
    const found = classes.findLast(({ from }) => from <= (values[index] as number));
    if (found) found.count += 1;
  }
  return classes;
}

/** Ends at one round distance: 1, 2 or 5 with zeros behind them. */
function even(least: number, greatest: number, most: number): number[] {
  const width = upwards((greatest - least) / (most - 1));
  const first = Math.floor(least / width);
  return Array.from({ length: Math.floor(greatest / width) - first + 2 }, (_, index) => (first + index) * width);
}

/** Ends that double: 0 where some value is deeper than the first, then 1, 2 and 5 with ever more zeros. */
function doubling(least: number, greatest: number): number[] {
  const lowest = downwards(Math.max(least, greatest / DEEPEST, 1));
  const ends = least < lowest ? [0, lowest] : [lowest];
  while ((ends.at(-1) ?? 0) <= greatest) ends.push(upwards((ends.at(-1) ?? 0) + 1));
  return ends;
}

/** The greatest of 1, 2 and 5 with zeros behind them that is not above. */
function downwards(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value));
  return (ROUND.findLast((step) => step * scale <= value) ?? 1) * scale;
}

/** The least of 1, 2 and 5 with zeros behind them that is not below; 1 at least, for figures are whole. */
function upwards(value: number): number {
  if (value <= 1) return 1;
  const scale = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find((step) => step * scale >= value) ?? 10) * scale;
}
