import { type History, scanOf } from './history.ts';
import { type Entry, entriesOf, entryOn, figureOf, isUntold, type Line } from './line.ts';

/** Comparisons of two days of one kingdom: who joined, who left, who gained, who stands still. */

/** Two scanned days of a kingdom. */
export interface DaysBetween {
  /** Days since 1970. */
  first: number;
  last: number;
  /** Number of ranks in both. If the lists differ in length, only these ranks tell who came and who left. */
  ranks: number;
  /** True if the earlier (`then`) or later (`now`) scan has fewer ranks than the other. */
  shallowThen: boolean;
  shallowNow: boolean;
}

/** A governor of the strongest of a list. */
export interface Strong {
  id: number;
  power: number;
}

export interface Gains {
  compared: number;
  power_change: number | null;
  score_change: number | null;
}

export interface Compared {
  joined: Strong[];
  /** Without those who are now known in another kingdom. */
  left: Strong[];
  still: Strong[];
  gained: Gains;
}

/** A kingdom's history with the governors who no longer belong to it. */
export interface KingdomHistory {
  kingdom_id: number;
  history: History;
  /** Governors now known in another kingdom. */
  departed: ReadonlySet<number>;
}

/** Factor above the last power of a shallower scan. A governor above it did not just cross the scan's edge. */
const CLEAR = 1.1;

const powerOf = ({ values }: Entry): number => values[0] as number;
const rankOf = ({ values }: Entry): number => values[5] as number;

/** True if no figure known in both entries changed. `isCurrent` is false if the later one's profile is not current. */
export function isUnchanged(now: Entry, before: Entry, isCurrent = true): boolean {
  if (powerOf(now) !== powerOf(before)) return false;
  return (['score', 'deads'] as const).every((figure) => {
    const [later, earlier] = [isCurrent ? figureOf(now, figure) : null, figureOf(before, figure)];
    return later === null || earlier === null || later === earlier;
  });
}

const byPower = (a: Strong, b: Strong): number => b.power - a.power || a.id - b.id;

interface Pair {
  id: number;
  line: Line;
  now: Entry | undefined;
  before: Entry | undefined;
}

/** Returns each governor of the kingdom who is in either day, with the entries of both. */
function pairsOf({ kingdom_id, history, departed }: KingdomHistory, { first, last }: DaysBetween): Pair[] {
  const isHere = (entry: Entry) => !isUntold(entry) && scanOf(history, entry).kingdom_id === kingdom_id;
  const pairs: Pair[] = [];
  for (const [id, line] of history.lines) {
    if (departed.has(id) || line.newest.day < first) continue;
    let [now, before]: [Entry | undefined, Entry | undefined] = [undefined, undefined];
    for (const [entry] of entriesOf(line)) {
      if (entry.day === last && isHere(entry)) now = entry;
      if (entry.day === first && isHere(entry)) before = entry;
      if (entry.day <= first) break;
    }
    if (now || before) pairs.push({ id, line, now, before });
  }
  return pairs;
}

/**
 * Returns the power above which a governor really came or left, instead of crossing the edge of the shallower scan; 0 if
 * that scan is not the shallower one. A power of 0 was misread.
 */
const edgeOf = (isShallow: boolean, entries: readonly (Entry | undefined)[]): number =>
  isShallow ? CLEAR * Math.min(...entries.flatMap((entry) => (entry && powerOf(entry)) || [])) : 0;

/**
 * Compares two days of a kingdom. `arrived` are governors who came from another kingdom after the first. A governor who
 * was seen here before both days has not joined, nor has one who may have been below the edge of a shallower scan.
 */
export function compareDays(
  kingdom: KingdomHistory,
  days: DaysBetween,
  arrived: ReadonlySet<number>,
  isLifetime: boolean,
): Compared {
  const pairs = pairsOf(kingdom, days);
  const edgeThen = edgeOf(
    days.shallowThen,
    pairs.map(({ before }) => before),
  );
  const edgeNow = edgeOf(
    days.shallowNow,
    pairs.map(({ now }) => now),
  );
  const joined: Strong[] = [];
  const left: Strong[] = [];
  const still: Strong[] = [];
  const gained: Gains = { compared: 0, power_change: null, score_change: null };
  for (const pair of pairs) {
    const { id, now, before } = pair;
    if (now && before) {
      if (isUnchanged(now, before)) still.push({ id, power: powerOf(now) });
      addGain(gained, now, before, isLifetime);
    } else if (now && rankOf(now) <= days.ranks) {
      const isNew = arrived.has(id) || (powerOf(now) > edgeThen && !wasHereBefore(kingdom, pair.line, days.first));
      if (isNew) joined.push({ id, power: powerOf(now) });
    } else if (before && rankOf(before) <= days.ranks && powerOf(before) > edgeNow)
      left.push({ id, power: powerOf(before) });
  }
  return { joined: joined.sort(byPower), left: left.sort(byPower), still: still.sort(byPower), gained };
}

/** Returns whether a governor was seen in the kingdom before a day. */
function wasHereBefore({ kingdom_id, history }: KingdomHistory, line: Line, first: number): boolean {
  for (const [entry] of entriesOf(line))
    if (entry.day < first && scanOf(history, entry).kingdom_id === kingdom_id) return true;
  return false;
}

/** Adds the gains of a governor. A lifetime counter that fell or is missing on one day was misread and is left out. */
function addGain(gained: Gains, now: Entry, before: Entry, isLifetime: boolean): void {
  gained.compared += 1;
  gained.power_change = (gained.power_change ?? 0) + powerOf(now) - powerOf(before);
  const [later, earlier] = [figureOf(now, 'score'), figureOf(before, 'score')];
  if (later === null || earlier === null) return;
  const isMisread = isLifetime && (later < earlier || (earlier === 0 && later !== 0));
  if (!isMisread) gained.score_change = (gained.score_change ?? 0) + later - earlier;
}

/** A governor whose figures equal those of an earlier day. */
export interface Inactive extends Strong {
  /** Null if the newest scan did not read it. */
  score: number | null;
}

/**
 * Compares the governors seen since `since` with an earlier day. Returns those without any change, strongest first, and
 * how many were compared.
 */
export function inactiveSince({ history, departed }: KingdomHistory, since: number, day: number) {
  const inactive: Inactive[] = [];
  let compared = 0;
  // Reading pairs as `[id, line]` takes twice as long in a new isolate.
  for (const pair of history.lines) {
    const id = pair[0];
    const line = pair[1];
    const { newest } = line;
    if (departed.has(id) || scanOf(history, newest).captured_at < since) continue;
    const before = entryOn(line, day);
    if (!before) continue;
    compared += 1;
    const isCurrent = newest.read === 0;
    if (isUnchanged(newest, before, isCurrent))
      inactive.push({ id, power: powerOf(newest), score: isCurrent ? figureOf(newest, 'score') : null });
  }
  return { inactive: inactive.sort(byPower), compared };
}

/** A day of the sums over governors who were seen on every one of the days. */
export interface SumsOfDay {
  day: number;
  power: number;
  /** Null if some score was not read. */
  score: number | null;
}

/** Returns the sums over those governors who have an entry on each of the days, by day, and their number. */
export function sumsOfSame({ history }: KingdomHistory, governors: readonly number[], days: readonly number[]) {
  const wanted = new Set(days);
  const sums = new Map(days.map((day): [number, SumsOfDay] => [day, { day, power: 0, score: 0 }]));
  let count = 0;
  for (const id of governors) {
    const line = history.lines.get(id);
    const entries = line ? [...entriesOf(line)].map(([entry]) => entry).filter(({ day }) => wanted.has(day)) : [];
    if (entries.length === 0 || entries.length < days.length) continue;
    count += 1;
    for (const entry of entries) {
      const sum = sums.get(entry.day) as SumsOfDay;
      const score = figureOf(entry, 'score');
      sum.power += powerOf(entry);
      sum.score = sum.score === null || score === null ? null : sum.score + score;
    }
  }
  return { sums: count === 0 ? [] : [...sums.values()], count };
}
