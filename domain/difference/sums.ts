import { numbersOf } from '../scans/rows.ts';
import type { Difference } from './difference.ts';
import { NO_DOUBT } from './doubts.ts';
import { type Gains, GONE, UNSEEN } from './pairs.ts';
import type { Scores } from './scoring.ts';

/** What a kingdom, a camp or any other group gained. */
export interface GroupGains {
  /** By column key: the sum of gains in no doubt; null where none is known. */
  gains: Record<string, number | null>;
  /** By column key, with the doubtful ones. */
  raw: Record<string, number | null>;
  /** By column key: how many gains were left out of the guarded sum. */
  doubted: Record<string, number>;
  /** The sum of scores in no doubt, and with the doubtful ones; null where none is known. */
  dkp: number | null;
  dkp_raw: number | null;
  /** Governors whose score is left out because a figure in it is doubtful. */
  left_out: number;
  /** Governors in both whose score cannot be told: a figure in it was not read. */
  unknown: number;
  /** Governors of the group in both snapshots, only in the later, only in the earlier one. */
  common: number;
  joined: number;
  gone: number;
}

/** The sums of a group of nobody. */
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

/** To which group each row belongs: its number from 0, or -1 for none. */
export type Groups = Int32Array;

/** The groups of rows by a column of numbers (kingdoms): `values` in the order of the groups. */
export function groupsBy(column: Float64Array, values: readonly number[]): Groups {
  const numberOf = new Map(values.map((value, index) => [value, index]));
  const groups = new Int32Array(column.length);
  for (let row = 0; row < column.length; row++) groups[row] = numberOf.get(column[row] as number) ?? -1;
  return groups;
}

/**
 * Adds up by group. A governor counts for the group of the start (`start`, a row of `from` each), one who joined for
 * that of the end (`end`, a row of `to` each). `count` groups, numbered from 0.
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

/** How many of each group are in both, only in the later, only in the earlier one. */
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

/** Adds gains up by group in typed arrays: objects that are added to take ten times as long. */
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

/** The groups that `sumsOf` needs where every kingdom of `kingdoms` is one. */
export function kingdomGroups({ from, to }: Difference, kingdomKey: string, kingdoms: readonly number[]) {
  return {
    start: groupsBy(numbersOf(from, kingdomKey), kingdoms),
    end: groupsBy(numbersOf(to, kingdomKey), kingdoms),
    count: kingdoms.length,
  };
}
