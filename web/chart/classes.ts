/** How many values lie from `from` up to, and without, `to`. */
export interface Class {
  from: number;
  to: number;
  count: number;
}

const ROUND = [1, 2, 5, 10];

/** Values sorted into classes of one round width, `most` of them or a few less; none for no values. */
export function classesOf(values: ArrayLike<number>, most: number): Class[] {
  if (values.length === 0) return [];
  let [least, greatest] = [Infinity, -Infinity];
  for (let index = 0; index < values.length; index++) {
    least = Math.min(least, values[index] as number);
    greatest = Math.max(greatest, values[index] as number);
  }
  const width = roundWidth((greatest - least) / (most - 1));
  const start = Math.floor(least / width);
  const classes = Array.from({ length: Math.floor(greatest / width) - start + 1 }, (_, index) => ({
    from: (start + index) * width,
    to: (start + index + 1) * width,
    count: 0,
  }));
  for (let index = 0; index < values.length; index++) {
    const found = classes[Math.floor((values[index] as number) / width) - start];
    if (found) found.count += 1;
  }
  return classes;
}

/** The least of 1, 2 and 5 with zeros behind them that is not below; 1 at least, for figures are whole. */
function roundWidth(width: number): number {
  if (width <= 1) return 1;
  const scale = 10 ** Math.floor(Math.log10(width));
  return (ROUND.find((step) => step * scale >= width) ?? 10) * scale;
}
