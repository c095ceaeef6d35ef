import { GAMES } from '../games/games.ts';
import { numbersOf, type Table } from '../scans/rows.ts';
import { comparable } from '../scans/totals.ts';

/** A scan of fewer governors than bots scan at least is not a list of the kingdom's strongest. */
const LEAST_DEPTH = 100;
/** A governor with more than this many times the edge's power did not just rise above it. */
const CLEAR = 1.1;

interface Depth {
  governors: number;
  /** The lowest power that was read. */
  edge: number;
}

/**
 * Returns a test for rows of `side` that are missing in `other`: whether the governor may be below its edge. This is so
 * if `other` covers clearly fewer governors of the kingdom and the governor's power is near or below the lowest that it
 * read. Always false if a side was loaded without powers (for scores only).
 */
export function belowEdgeOf(side: Table, other: Table): (row: number) => boolean {
  const { kingdom, power } = GAMES[side.game].roles;
  if ([side, other].some(({ numbers }) => !numbers[kingdom] || !numbers[power])) return () => false;
  const [deep, shallow] = [depthsOf(side), depthsOf(other)];
  const edges = new Map<number, number>();
  for (const [id, { governors, edge }] of shallow) {
    const of = deep.get(id)?.governors ?? 0;
    if (governors >= LEAST_DEPTH && of > governors && !comparable(of, governors)) edges.set(id, CLEAR * edge);
  }
  const [kingdoms, powers] = [numbersOf(side, kingdom), numbersOf(side, power)];
  return (row) => (powers[row] as number) <= (edges.get(kingdoms[row] as number) ?? Number.NEGATIVE_INFINITY);
}

/** Returns how deep a side reads each kingdom. */
function depthsOf(side: Table): Map<number, Depth> {
  const { kingdom, power } = GAMES[side.game].roles;
  const [kingdoms, powers] = [numbersOf(side, kingdom), numbersOf(side, power)];
  const depths = new Map<number, Depth>();
  for (let row = 0; row < side.count; row++) {
    const id = kingdoms[row] as number;
    const depth = depths.get(id) ?? { governors: 0, edge: Number.POSITIVE_INFINITY };
    if (depth.governors === 0) depths.set(id, depth);
    depth.governors++;
    const read = powers[row] as number;
    // Some tools write 0 for what they could not read.
    if (read > 0 && read < depth.edge) depth.edge = read;
  }
  return depths;
}
