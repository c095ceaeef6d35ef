/**
 * Splits a line into runs of comparable readings. A point joins the latest run of comparable depth, or starts a
 * new one. `depths` is how many governors each reading covers; `comparable` tells whether two depths may be connected.
 * Each run is as long as `values`, with null for points of other runs.
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
