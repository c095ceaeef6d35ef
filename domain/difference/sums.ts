import { numbersOf } from '../scans/rows.ts';
import type { Difference } from './difference.ts';
import { NO_DOUBT } from './doubts.ts';
import { type Gains, GONE, UNSEEN } from './pairs.ts';
import type { Scores } from './scoring.ts';

/** What a kingdom, a camp or another group gained. */
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
  for (let row = 0; row < column.length; row++) groups[row] = numberOf.get(column[row] as number) ?? -1;
  return groups;
}

/**
 * Adds up by group. Governors count for their group at the start (`start`, one per row of `from`). Those who joined
 * count for their group at the end (`end`, one per row of `to`). Groups are numbered from 0 to `count`.
 */
export function sumsOf(
  difference: Pick<Difference, 'partner' | 'joined'>,
  columns: ReadonlyMap<string, Gains>,
  scores: Scores,
  groups: { start: Groups; end: Groups; count: number },
): GroupGains[] {
  const sums = Array.from({ length: groups.count }, nothing);
  for (const [key, gained] of columns) {
    const total = addedUp(gained, groups.start, groups.count);
    sums.forEach((sum, group) => {
      const { guarded, raw, left_out } = total(group);
      sum.gains[key] = guarded;
      sum.raw[key] = raw;
      sum.doubted[key] = left_out;
    });
  }
  const people = peopleIn(difference, groups);
  const total = addedUp(scores, groups.start, groups.count);
  sums.forEach((sum, group) => {
    const { guarded, raw, left_out, known } = total(group);
    Object.assign(sum, people(group), { dkp: guarded, dkp_raw: raw, left_out });
    sum.unknown = sum.common - known;
  });
  return sums;
}

/** Counts each group's governors in both, only in the later, and only in the earlier snapshot. */
function peopleIn(
  { partner, joined }: Pick<Difference, 'partner' | 'joined'>,
  { start, end, count }: { start: Groups; end: Groups; count: number },
): (group: number) => Pick<GroupGains, 'common' | 'joined' | 'gone'> {
  const [both, left, came] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  for (let row = 0; row < partner.length; row++) {
    const group = start[row] as number;
    if (group < 0 || partner[row] === UNSEEN) continue;
    const counts = partner[row] === GONE ? left : both;
    counts[group] = (counts[group] as number) + 1;
  }
  for (const row of joined) {
    const group = end[row] as number;
    if (group >= 0) came[group] = (came[group] as number) + 1;
  }
  return (group) => ({ common: both[group] as number, joined: came[group] as number, gone: left[group] as number });
}

interface Total {
  guarded: number | null;
  raw: number | null;
  left_out: number;
  known: number;
}

/** Adds up gains by group in typed arrays; updating objects takes ten times as long. */
function addedUp({ raw, doubts }: Gains, start: Groups, count: number): (group: number) => Total {
  const [guarded, all] = [new Float64Array(count), new Float64Array(count)];
  const [known, out] = [new Uint32Array(count), new Uint32Array(count)];
  for (let row = 0; row < raw.length; row++) {
    const group = start[row] as number;
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
export function kingdomGroups({ from, to }: Difference, kingdomKey: string, kingdoms: readonly number[]) {
  return {
    start: groupsBy(numbersOf(from, kingdomKey), kingdoms),
    end: groupsBy(numbersOf(to, kingdomKey), kingdoms),
    count: kingdoms.length,
  };
}
