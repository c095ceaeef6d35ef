/** Number of values in [`from`, `to`). */
interface Class {
  from: number;
  to: number;
  count: number;
}

const ROUND = [1, 2, 5] as const;
/**
 * If the greatest value exceeds the least by this factor, classes of equal width would put nearly all values into the
 * first.
 */
const WIDE = 12;
/** Values smaller than the greatest by this factor share one class. */
const DEEPEST = 10_000;

/**
 * Sorts values into classes with round bounds, ascending; returns none for no values. There are at most `most`
 * classes of equal width, or bounds of 1, 2, 5, 10 … if the values are far apart.
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

/** Returns equidistant bounds. The width is 1, 2 or 5 times a power of ten. */
function even(least: number, greatest: number, most: number): number[] {
  const width = upwards((greatest - least) / (most - 1));
  const first = Math.floor(least / width);
  return Array.from({ length: Math.floor(greatest / width) - first + 2 }, (_, index) => (first + index) * width);
}

/** Returns bounds of 1, 2 and 5 times powers of ten, starting at 0 if some values are below the first. */
function doubling(least: number, greatest: number): number[] {
  const lowest = downwards(Math.max(least, greatest / DEEPEST, 1));
  const ends = least < lowest ? [0, lowest] : [lowest];
  while ((ends.at(-1) ?? 0) <= greatest) ends.push(upwards((ends.at(-1) ?? 0) + 1));
  return ends;
}

/** Rounds down to 1, 2 or 5 times a power of ten. */
function downwards(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value));
  return (ROUND.findLast((step) => step * scale <= value) ?? 1) * scale;
}

/** Rounds up to 1, 2 or 5 times a power of ten, at least 1. */
function upwards(value: number): number {
  if (value <= 1) return 1;
  const scale = 10 ** Math.floor(Math.log10(value));
  return (ROUND.find((step) => step * scale >= value) ?? 10) * scale;
}
