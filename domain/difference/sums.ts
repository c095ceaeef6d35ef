import { numbersOf } from '../scans/rows.ts';
import { NO_DOUBT } from './doubts.ts';
import type { Gains, Pairs, Rows } from './pairs.ts';
import type { Scores } from './scoring.ts';

/** Gains of a kingdom, a camp or another group. */
export interface GroupGains {
  /** Sum of gains without doubt, by column key; null if none is known. */
  gains: Record<string, number | null>;
  /** The same including doubtful gains. */
  raw: Record<string, number | null>;
  /** Number of gains excluded from the guarded sum, by column key. */
  doubted: Record<string, number>;
  /** Sum of scores without doubt, and including doubtful ones; null if none is known. */
  dkp: number | null;
  dkp_raw: number | null;
  /** Governors whose score is excluded because a figure in it is doubtful. */
  left_out: number;
  /** Governors in both snapshots whose score is unknown because a figure in it was not read. */
  unknown: number;
  /** Governors of the group in both snapshots, only in the later, only in the earlier. */
  common: number;
  joined: number;
  gone: number;
}

/** Returns the sums of an empty group. */
export const nothing = (): GroupGains => ({
  gains: {},
  raw: {},
  doubted: {},
  dkp: null,
  dkp_raw: null,
  left_out: 0,
  unknown: 0,
  common: 0,
  joined: 0,
  gone: 0,
});

/** The group of each row, numbered from 0; -1 for none. */
export type Groups = Int32Array;

/** Assigns rows to groups by a numeric column (kingdoms). Groups are numbered by position in `values`. */
export function groupsBy(column: Float64Array, values: readonly number[]): Groups {
  const numberOf = new Map(values.map((value, index) => [value, index]));
  const groups = new Int32Array(column.length);
  // Neighbouring rows are mostly of one kingdom.
  let [last, group] = [Number.NaN, -1];
  for (let row = 0; row < column.length; row++) {
    const value = column[row] as number;
    if (value !== last) group = numberOf.get(value) ?? -1;
    last = value;
    groups[row] = group;
  }
  return groups;
}

/** The group of each row, numbered from 0 to `count`. */
export interface Grouping {
  /** One per row of `from`. Governors in both, or gone, count for this group. */
  start: Groups;
  /** One per row of `to`. Those who joined count for this group. */
  end: Groups;
  count: number;
}

/** Adds up gains, scores and governors by group. */
export function sumsOf(
  rows: Rows,
  columns: ReadonlyMap<string, Gains>,
  scores: Scores,
  groups: Grouping,
): GroupGains[] {
  const sums = Array.from({ length: groups.count }, nothing);
  const groupOf = new Int32Array(rows.common);
  for (let pair = 0; pair < groupOf.length; pair++) groupOf[pair] = groups.start[rows.from[pair] as number] as number;
  for (const [key, gained] of columns) {
    const total = addedUp(gained, groupOf, groups.count);
    sums.forEach((sum, group) => {
      const { guarded, raw, left_out } = total(group);
      sum.gains[key] = guarded;
      sum.raw[key] = raw;
      sum.doubted[key] = left_out;
    });
  }
  countPeople(sums, rows, groups);
  const total = addedUp(scores, groupOf, groups.count);
  sums.forEach((sum, group) => {
    const { guarded, raw, left_out, known } = total(group);
    Object.assign(sum, { dkp: guarded, dkp_raw: raw, left_out });
    sum.unknown = sum.common - known;
  });
  return sums;
}

/** Counts each group's governors in both, only in the later, and only in the earlier snapshot. */
function countPeople(sums: readonly GroupGains[], rows: Rows, { start, end, count }: Grouping): void {
  const [both, came, left] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  const add = (counts: Uint32Array, groups: Groups, places: Int32Array) => {
    for (const place of places) {
      const group = groups[place] as number;
      if (group >= 0) counts[group] = (counts[group] as number) + 1;
    }
  };
  const [joined, gone] = [rows.common, rows.common + rows.joined];
  add(both, start, rows.from.subarray(0, joined));
  add(came, end, rows.to.subarray(joined, gone));
  add(left, start, rows.from.subarray(gone));
  sums.forEach((sum, group) => {
    Object.assign(sum, { common: both[group], joined: came[group], gone: left[group] });
  });
}

interface Total {
  guarded: number | null;
  raw: number | null;
  left_out: number;
  known: number;
}

/** Adds up gains by group in typed arrays; updating objects takes ten times as long. */
function addedUp({ raw, doubts }: Gains, groupOf: Groups, count: number): (group: number) => Total {
  const [guarded, all] = [new Float64Array(count), new Float64Array(count)];
  const [known, out] = [new Uint32Array(count), new Uint32Array(count)];
  for (let row = 0; row < raw.length; row++) {
    const group = groupOf[row] as number;
    const gain = raw[row] as number;
    if (group < 0 || Number.isNaN(gain)) continue;
    known[group] = (known[group] as number) + 1;
    all[group] = (all[group] as number) + gain;
    if (doubts[row] === NO_DOUBT) guarded[group] = (guarded[group] as number) + gain;
    else out[group] = (out[group] as number) + 1;
  }
  return (group) => {
    const [read, left_out] = [known[group] as number, out[group] as number];
    return {
      guarded: read > left_out ? (guarded[group] as number) : null,
      raw: read > 0 ? (all[group] as number) : null,
      left_out,
      known: read,
    };
  };
}

/** Returns the groups for `sumsOf` with one group per kingdom. */
export function kingdomGroups(
  { from, to }: Pick<Pairs, 'from' | 'to'>,
  kingdomKey: string,
  kingdoms: readonly number[],
): Grouping {
  return {
    start: groupsBy(numbersOf(from, kingdomKey), kingdoms),
    end: groupsBy(numbersOf(to, kingdomKey), kingdoms),
    count: kingdoms.length,
  };
}
