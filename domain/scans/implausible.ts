import { exact } from '../figures.ts';
import { GAMES } from '../games/games.ts';
import { numbersOf, type Table } from './rows.ts';
import type { Columns } from './staged.ts';

/** Decides whether a subtask's rows can be what the kingdom's ranking shows. */

/** Rows that a bot handed in for a range of ranks. */
export interface RankPart extends Columns {
  /** Starts at 1. */
  from_rank: number;
  /** Number of ranks that it covers. */
  ranks: number;
}

interface ImplausiblePart {
  /** A sentence for admins. */
  why: string;
  /** No kingdom looks like this, so a second bot with the same rows does not confirm it. */
  impossible: boolean;
}

/** With fewer rows, a majority proves nothing. */
const LEAST_ROWS = 10;
/** An earlier scan with fewer governors is too small to compare with. */
const LEAST_EARLIER = 50;
/** Minimum share of a range's governors who were in the kingdom's previous scan, even after months and migrations. */
const LEAST_KNOWN = 0.1;
/** Maximum factor by which a range's median power may change between two scans. It falls by 15 when a war ends. */
const MOST_GROWTH = 30;
/** How far a range's median governor may have moved, as a share of the ranking. */
const MOST_MOVED = 0.6;
/** The last ranks of a scan depend on who just had enough power to be listed. */
const FRINGE = 100;

const median = (values: ArrayLike<number>): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** Returns the most frequent value and how often it occurs. */
function commonest<Value>(values: Iterable<Value>): { value: Value | undefined; times: number } {
  const times = new Map<Value, number>();
  let most: { value: Value | undefined; times: number } = { value: undefined, times: 0 };
  for (const value of values) {
    const count = (times.get(value) ?? 0) + 1;
    times.set(value, count);
    if (count > most.times) most = { value, times: count };
  }
  return most;
}

const impossible = (why: string): ImplausiblePart => ({ why, impossible: true });
const unlikely = (why: string): ImplausiblePart => ({ why, impossible: false });

/** Checks the rows alone: different people have different names and powers. */
function ofItself(game: Table['game'], { count, numbers, texts }: RankPart): ImplausiblePart | null {
  if (count < LEAST_ROWS) return null;
  const { name, power } = GAMES[game].roles;
  for (const [what, values] of [
    ['name', texts[name] ?? []],
    ['power', numbers[power] ?? []],
  ] as const) {
    const { value, times } = commonest<string | number | null>(values);
    if (times > count / 2) return impossible(`${times} of ${count} rows have the same ${what}, '${value}'.`);
  }
  return null;
}

/** A ranking by power, highest first: each governor's rank, and the powers by rank. */
interface Ranking {
  count: number;
  rankOf: ReadonlyMap<number, number>;
  powers: Float64Array;
}

function rankingOf(earlier: Table): Ranking {
  const { id, power } = GAMES[earlier.game].roles;
  const [ids, powers] = [numbersOf(earlier, id), numbersOf(earlier, power)];
  const order = Uint32Array.from(ids.keys()).sort((a, b) => (powers[b] as number) - (powers[a] as number));
  return {
    count: earlier.count,
    rankOf: new Map(Array.from(order, (row, rank) => [ids[row] as number, rank + 1])),
    powers: Float64Array.from(order, (row) => powers[row] as number),
  };
}

/** Returns how many rows a part should have. Only ranks that the previous scan reached count. */
const expectedOf = ({ from_rank, ranks }: RankPart, { count }: Ranking): number =>
  Math.max(0, Math.min(ranks, count - from_rank + 1));

/** Compares a range with the kingdom's previous scan: the governors, their power and their ranks. */
function againstEarlier(game: Table['game'], part: RankPart, ranking: Ranking): ImplausiblePart | null {
  const { id, power } = GAMES[game].roles;
  const { from_rank, ranks } = part;
  const { count, rankOf, powers } = ranking;
  const fringe = from_rank > 1 && from_rank - 1 + ranks > count - FRINGE;
  if (fringe || part.count < LEAST_ROWS) return null;
  const people = GAMES[game].governor.many;
  const was = median(powers.subarray(from_rank - 1, from_rank - 1 + ranks));
  const is = median(part.numbers[power] ?? []);
  if (was > 0 && (is > was * MOST_GROWTH || is < was / MOST_GROWTH))
    return unlikely(`The median power is ${exact(is)} where the scan before had ${exact(was)} on the same ranks.`);
  const before = Array.from(part.numbers[id] ?? []).flatMap((governor) => rankOf.get(governor) ?? []);
  if (before.length < Math.min(part.count, count) * LEAST_KNOWN)
    return unlikely(`${before.length} of ${part.count} ${people} were in the scan before.`);
  const moved = Math.abs(median(before) - (from_rank + part.count / 2));
  if (before.length >= LEAST_ROWS && moved > Math.max(ranks, count * MOST_MOVED))
    return unlikely(`Half of them stood ${exact(Math.round(moved))} ranks away in the scan before, or more.`);
  return null;
}

/**
 * Returns a doubt for each part of a scan, null if there is none. `earlier` holds ids and power of the kingdom's
 * previous scan, or is null without one.
 */
export function doubtsOf(
  game: Table['game'],
  parts: readonly RankPart[],
  earlier: Table | null,
): (ImplausiblePart | null)[] {
  const ranking = earlier && earlier.count >= LEAST_EARLIER ? rankingOf(earlier) : null;
  const last = Math.max(0, ...parts.filter(({ count }) => count > 0).map(({ from_rank }) => from_rank));
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const expected = parts.map((part) => (ranking ? expectedOf(part, ranking) : 0));
  const isShort = sum(parts.map(({ count }) => count)) < sum(expected) / 2;
  return parts.map((part, index) => {
    const own = ofItself(game, part);
    if (own) return own;
    // A ranking has no holes, so if there are rows further down, there must be rows here.
    if (part.from_rank < last && part.count < part.ranks / 2)
      return unlikely(`${part.count} rows on ${part.ranks} ranks, and more rows after them.`);
    if (isShort && part.count < (expected[index] ?? 0) / 2)
      return unlikely(`${part.count} rows where the scan before had ${expected[index]}.`);
    return ranking && againstEarlier(game, part, ranking);
  });
}

/** Minimum share of governors in common when two bots read the same ranks. */
const AGREEING = 0.8;

/** Returns whether two readings of the same ranks, minutes apart, show the same people with about the same power. */
export function agree(game: Table['game'], one: Columns, other: Columns): boolean {
  const { id, power } = GAMES[game].roles;
  if (one.count === 0 && other.count === 0) return true;
  const ids = new Set(one.numbers[id]);
  const shared = Array.from(other.numbers[id] ?? []).filter((governor) => ids.has(governor)).length;
  const [first, second] = [median(one.numbers[power] ?? []), median(other.numbers[power] ?? [])];
  return (
    shared >= AGREEING * Math.max(one.count, other.count) && Math.max(first, second) <= 2 * Math.min(first, second)
  );
}
