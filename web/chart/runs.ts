/**
 * A line in pieces that are each of comparable readings: a point joins the last one before it of about the same depth,
 * and begins a piece of its own where there is none. `depths` tells of each point how much it is a reading of, and
 * `comparable` which two may be joined. Every piece is as long as the line, null where another one has the point.
 */
export function runsOf(
  values: readonly (number | null)[],
  depths: readonly number[],
  comparable: (one: number, other: number) => boolean,
): (number | null)[][] {
  const runs: { depth: number; values: (number | null)[] }[] = [];
  values.forEach((value, at) => {
    if (value === null) return;
    const depth = depths[at] ?? 0;
    let run = runs.findLast((each) => comparable(each.depth, depth));
    if (!run) {
      run = { depth, values: values.map(() => null) };
      runs.push(run);
    }
    run.depth = depth;
    run.values[at] = value;
  });
  return runs.map((run) => run.values);
}
