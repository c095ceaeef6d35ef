import { GAMES } from '../games/games.ts';
import { numbersOf, type Table } from '../scans/rows.ts';
import { comparable } from '../scans/totals.ts';

/** Fewer governors of a kingdom than bots scan at least are no list of its strongest. */
const LEAST_DEPTH = 100;
/** A governor whose power is more than this many times the edge of a shallower scan did not creep over it. */
const CLEAR = 1.1;

interface Depth {
  governors: number;
  /** The least power that was read. */
  edge: number;
}

/**
 * Returns whether a governor of `side` (a row) who is not in `other` may be below the edge of it: `other` reads clearly
 * fewer governors of the kingdom, and the governor's power is near or below the least that it reads. Of sides that were
 * loaded without powers, which tell scores alone, nobody is.
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

/** How deep a side reads each kingdom. */
function depthsOf(side: Table): Map<number, Depth> {
  const { kingdom, power } = GAMES[side.game].roles;
  const [kingdoms, powers] = [numbersOf(side, kingdom), numbersOf(side, power)];
  const depths = new Map<number, Depth>();
  for (let row = 0; row < side.count; row++) {
    const id = kingdoms[row] as number;
    const depth = depths.get(id) ?? { governors: 0, edge: Number.POSITIVE_INFINITY };
    if (depth.governors === 0) depths.set(id, depth);
    depth.governors++;
    if ((powers[row] as number) < depth.edge) depth.edge = powers[row] as number;
  }
  return depths;
}
