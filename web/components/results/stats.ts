import { type Figure, isBad } from '../../../domain/scans/quality.ts';
import { lastOf, type Results } from './results.ts';

/** A sum with the rows it covers. */
export interface Sum {
  /** Sum of the verified figures; null if none was read. */
  value: number | null;
  /** Number of rows included. */
  rows: number;
  /** Number of rows excluded because the figure is unverified. */
  excluded: number;
  /** Raw total, which includes them. */
  raw: number | null;
  /** Included rows of bad quality whose unverified figures are others. */
  flawed: number;
}

/** Totals of rows. */
export interface Sums {
  count: number;
  /** Power of the strongest 100 and 350 rows, or of all if there are fewer. */
  top100: Sum;
  top350: Sum;
  power: Sum;
  score: Sum;
  deads: Sum;
  /** T4 and T5 kills combined, the usual measure of a war. */
  highTierKills: Sum;
  /** Rows read only from the ranking list, which have power but no other figures. */
  listedOnly: number;
}

export interface Stats extends Sums {
  /** Verified powers, greatest first. */
  powers: Float64Array;
  /** Kills by tier, T1 first. */
  tiers: Sum[];
  /** Total kills, if the game counts them separately from the tiers. */
  allKills: Sum | null;
}

/** A figure's values by row, and whether each is unverified. */
interface Measure {
  values: Float64Array;
  doubted: (row: number) => boolean;
}

/** Sums the known values, with and without unverified ones. */
function sumOf({ qualities }: Results, rows: Iterable<number>, { values, doubted }: Measure): Sum {
  const sum: Sum = { value: null, rows: 0, excluded: 0, raw: null, flawed: 0 };
  for (const row of rows) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    sum.raw = (sum.raw ?? 0) + value;
    if (doubted(row)) {
      sum.excluded += 1;
      continue;
    }
    sum.value = (sum.value ?? 0) + value;
    sum.rows += 1;
    if (isBad(qualities[row] ?? 'ok')) sum.flawed += 1;
  }
  return sum;
}

/** Sums the power of the strongest `most` rows: the strongest verified rows, and the strongest of all rows. */
function topSum(results: Results, strongest: Uint32Array, measure: Measure, most: number): Sum {
  const all = sumOf(results, strongest.subarray(0, most), measure);
  const sure = sumOf(results, strongest.filter((row) => !measure.doubted(row)).subarray(0, most), measure);
  return { ...sure, excluded: all.excluded, raw: all.raw };
}

/** Computes totals of these rows, excluding unverified figures. If rows span several days, only the last day counts. */
export function statsOf(results: Results, chosen: Uint32Array): Stats {
  const rows = lastOf(results, chosen);
  const measure = (id: string, figure: Figure): Measure => ({
    values: results.values(id),
    doubted: (row) => results.doubts[row]?.includes(figure) ?? false,
  });
  const sum = (id: string, figure: Figure): Sum => sumOf(results, rows, measure(id, figure));
  const power = measure('power', 'power');
  const strongest = results.index.ordered(rows, results.values('power'), false);
  const [t4, t5] = [measure('t4', 'tiers'), measure('t5', 'tiers')];
  const { allKills } = results.game;
  const profile = ['score', 'deads', 't4', 't5'].map((id) => results.values(id));
  // NaN if either figure is unknown.
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
