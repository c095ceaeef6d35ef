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

type Depths = ReadonlyMap<number, Depth>;

/**
 * Returns a test for each side's rows that are missing in the other: whether the governor may be below its edge. This is
 * so if the other covers clearly fewer governors of the kingdom and the governor's power is near or below the lowest that
 * it read. Always false if a side was loaded without powers (for scores only).
 */
export function belowEdges(from: Table, to: Table): Record<'from' | 'to', (row: number) => boolean> {
  const { kingdom, power } = GAMES[from.game].roles;
  const never = () => false;
  if ([from, to].some(({ numbers }) => !numbers[kingdom] || !numbers[power])) return { from: never, to: never };
  const [then, now] = [depthsOf(from), depthsOf(to)];
  return { from: belowEdge(from, then, now), to: belowEdge(to, now, then) };
}

function belowEdge(side: Table, deep: Depths, shallow: Depths): (row: number) => boolean {
  const { kingdom, power } = GAMES[side.game].roles;
  const edges = new Map<number, number>();
  for (const [id, { governors, edge }] of shallow) {
    const of = deep.get(id)?.governors ?? 0;
    if (governors >= LEAST_DEPTH && of > governors && !comparable(of, governors)) edges.set(id, CLEAR * edge);
  }
  const [kingdoms, powers] = [numbersOf(side, kingdom), numbersOf(side, power)];
  return (row) => (powers[row] as number) <= (edges.get(kingdoms[row] as number) ?? Number.NEGATIVE_INFINITY);
}

/** Returns how deep a side reads each kingdom. */
function depthsOf(side: Table): Depths {
  const { kingdom, power } = GAMES[side.game].roles;
  const [kingdoms, powers] = [numbersOf(side, kingdom), numbersOf(side, power)];
  const depths = new Map<number, Depth>();
  // Neighbouring rows are mostly of one kingdom.
  let last = Number.NaN;
  let depth: Depth = { governors: 0, edge: Number.POSITIVE_INFINITY };
  for (let row = 0; row < side.count; row++) {
    const id = kingdoms[row] as number;
    if (id !== last) {
      depth = depths.get(id) ?? { governors: 0, edge: Number.POSITIVE_INFINITY };
      if (depth.governors === 0) depths.set(id, depth);
      last = id;
    }
    depth.governors++;
    const read = powers[row] as number;
    // Some tools write 0 for what they could not read.
    if (read > 0 && read < depth.edge) depth.edge = read;
  }
  return depths;
}
