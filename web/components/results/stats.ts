import { type Figure, isBad } from '../../../domain/scans/quality.ts';
import { lastOf, ordered, type Results } from './results.ts';

/** A sum that says what it is of. */
export interface Sum {
  /** Of the rows whose figure is in no doubt; null where none was read. */
  value: number | null;
  /** Rows in it. */
  rows: number;
  /** Rows left out because their quality casts doubt on the figure. */
  leftOut: number;
  /** The sum with those. */
  raw: number | null;
  /** Rows in it that are of bad quality, though not in this figure. */
  flawed: number;
}

/** What rows add up to. */
export interface Sums {
  count: number;
  /** Of the strongest 100 and 350, or as many as there are. */
  top100: Sum;
  top350: Sum;
  power: Sum;
  score: Sum;
  deads: Sum;
  /** Kills of T4 and T5 together: what a war is measured by. */
  highTierKills: Sum;
  /** Rows of which only the ranking list was read; they add power alone. */
  listedOnly: number;
}

export interface Stats extends Sums {
  /** Powers in no doubt, greatest first. */
  powers: Float64Array;
  /** Kills by tier, T1 first. */
  tiers: Sum[];
  /** All kills, where the game counts them beside those by tier. */
  allKills: Sum | null;
}

/** A figure's values by row, and whether a row's quality casts doubt on it. */
interface Measure {
  values: Float64Array;
  doubted: (row: number) => boolean;
}

/** Adds up the known values of the rows, with and without those in doubt. */
function sumOf({ qualities }: Results, rows: Iterable<number>, { values, doubted }: Measure): Sum {
  const sum: Sum = { value: null, rows: 0, leftOut: 0, raw: null, flawed: 0 };
  for (const row of rows) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    sum.raw = (sum.raw ?? 0) + value;
    if (doubted(row)) {
      sum.leftOut += 1;
      continue;
    }
    sum.value = (sum.value ?? 0) + value;
    sum.rows += 1;
    if (isBad(qualities[row] ?? 'ok')) sum.flawed += 1;
  }
  return sum;
}

/** The power of the first `most` of the rows, strongest first: of those in no doubt, beside that of all. */
function topSum(results: Results, strongest: Uint32Array, measure: Measure, most: number): Sum {
  const all = sumOf(results, strongest.subarray(0, most), measure);
  const sure = sumOf(results, strongest.filter((row) => !measure.doubted(row)).subarray(0, most), measure);
  return { ...sure, leftOut: all.leftOut, raw: all.raw };
}

/** The sums of these rows, guarded against what was misread; of the last day where rows are of several. */
export function statsOf(results: Results, chosen: Uint32Array): Stats {
  const rows = lastOf(results, chosen);
  const measure = (id: string, figure: Figure): Measure => ({
    values: results.numbers(id),
    doubted: (row) => results.doubts[row]?.includes(figure) ?? false,
  });
  const sum = (id: string, figure: Figure): Sum => sumOf(results, rows, measure(id, figure));
  const power = measure('power', 'power');
  const strongest = ordered(results, rows, 'power', false);
  const [t4, t5] = [measure('t4', 'tiers'), measure('t5', 'tiers')];
  const { allKills } = results.game;
  const profile = ['score', 'deads', 't4', 't5'].map((id) => results.numbers(id));
  // Where one of the two is unknown, so is the sum.
  const high = t4.values.map((kills, row) => kills + (t5.values[row] as number));
  return {
    count: rows.length,
    powers: Float64Array.from(
      strongest.filter((row) => !power.doubted(row)),
      (row) => power.values[row] as number,
    ),
    top100: topSum(results, strongest, power, 100),
    top350: topSum(results, strongest, power, 350),
    power: sum('power', 'power'),
    score: sum('score', 'score'),
    deads: sum('deads', 'deads'),
    highTierKills: sumOf(results, rows, { ...t4, values: high }),
    tiers: ['t1', 't2', 't3', 't4', 't5'].map((tier) => sum(tier, 'tiers')),
    allKills: allKills === null ? null : sum(allKills, 'tiers'),
    listedOnly: rows.reduce((count, row) => count + Number(profile.every((values) => Number.isNaN(values[row]))), 0),
  };
}
