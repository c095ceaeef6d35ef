import { numbersOf } from '../scans/rows.ts';
import type { Difference, Gains } from './difference.ts';
import { NO_DOUBT } from './doubts.ts';
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

const nothing = (): GroupGains => ({
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
  const { partner, joined } = difference;
  const sums = Array.from({ length: groups.count }, nothing);
  for (const [key, gained] of columns) addColumn(sums, key, gained, groups.start);
  for (let row = 0; row < partner.length; row++) {
    const sum = sums[groups.start[row] as number];
    if (!sum) continue;
    if ((partner[row] as number) < 0) sum.gone++;
    else {
      sum.common++;
      addScore(sum, scores, row);
    }
  }
  for (const row of joined) {
    const sum = sums[groups.end[row] as number];
    if (sum) sum.joined++;
  }
  return sums;
}

function addScore(sum: GroupGains, { raw, doubts }: Scores, row: number): void {
  const score = raw[row] as number;
  if (Number.isNaN(score)) {
    sum.unknown++;
    return;
  }
  sum.dkp_raw = (sum.dkp_raw ?? 0) + score;
  if (doubts[row] === NO_DOUBT) sum.dkp = (sum.dkp ?? 0) + score;
  else sum.left_out++;
}

function addColumn(sums: readonly GroupGains[], key: string, { raw, doubts }: Gains, start: Groups): void {
  const [guarded, all, out] = [sums, sums, sums].map(() => new Float64Array(sums.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const known = new Uint32Array(sums.length);
  for (let row = 0; row < raw.length; row++) {
    const group = start[row] as number;
    const gain = raw[row] as number;
    if (group < 0 || Number.isNaN(gain)) continue;
    known[group] = (known[group] as number) + 1;
    all[group] = (all[group] as number) + gain;
    if (doubts[row] === NO_DOUBT) guarded[group] = (guarded[group] as number) + gain;
    else out[group] = (out[group] as number) + 1;
  }
  sums.forEach((sum, group) => {
    const left = out[group] as number;
    sum.doubted[key] = left;
    sum.raw[key] = known[group] ? (all[group] as number) : null;
    sum.gains[key] = (known[group] as number) > left ? (guarded[group] as number) : null;
  });
}

/** The groups that `sumsOf` needs where every kingdom of `kingdoms` is one. */
export function kingdomGroups({ from, to }: Difference, kingdomKey: string, kingdoms: readonly number[]) {
  return {
    start: groupsBy(numbersOf(from, kingdomKey), kingdoms),
    end: groupsBy(numbersOf(to, kingdomKey), kingdoms),
    count: kingdoms.length,
  };
}
