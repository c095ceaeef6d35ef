import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import { message } from '../language/text.ts';
import type { Numbers } from '../scans/rows.ts';
import { type Doubts, NO_DOUBT } from './doubts.ts';
import type { Gains } from './pairs.ts';

/** Percentages that leaders subtract from a zeroed governor's deads. */
export const DEADS_OFF = [0, 50, 70, 80, 90, 100] as const;
export type DeadsOff = (typeof DEADS_OFF)[number];

/** Targets for governors with at least `min_power` at the start; null if a target is not set. */
export interface Goal {
  min_power: number;
  dkp: number | null;
  /** Kills of T4 and T5 together. */
  kills: number | null;
  deads: number | null;
}

/** How gains become a score. */
export interface Scoring {
  /** Points per unit gained, by column key. */
  weights: Readonly<Record<string, number>>;
  /** Points subtracted per unit of power at the start. */
  power_off?: number;
  /** Governor id → percentage of their deads that does not count. */
  zeroed?: Readonly<Record<string, DeadsOff>>;
}

/** DKP of each governor in both. */
export interface Scores {
  /** NaN if a gain that counts is unknown or doubtful. */
  dkp: Numbers;
  /** NaN if a gain that counts is unknown. */
  raw: Numbers;
  /** `raw` before the deduction for power. */
  points: Numbers;
  /** The first doubt about a gain that counts. */
  doubts: Doubts;
}

/** Returns the weights that are not 0. */
export const weighed = (weights: Scoring['weights']): [string, number][] =>
  Object.entries(weights).filter(([, weight]) => weight !== 0);

/** Common weights by game: T4 kill, T5 kill and dead in Rise of Kingdoms; merits in Call of Dragons. */
export const PRESETS: Readonly<Record<GameId, readonly { name: string; weights: Readonly<Record<string, number>> }[]>> =
  {
    rok: [
      { name: '10 / 20', weights: { killcount_t4: 10, killcount_t5: 20 } },
      { name: '10 / 30 / 80', weights: { killcount_t4: 10, killcount_t5: 30, deads: 80 } },
      { name: '10 / 20 / 30', weights: { killcount_t4: 10, killcount_t5: 20, deads: 30 } },
      { name: '5 / 10 / 15', weights: { killcount_t4: 5, killcount_t5: 10, deads: 15 } },
      { name: '4 / 10 / 15', weights: { killcount_t4: 4, killcount_t5: 10, deads: 15 } },
      { name: '2 / 4 / 6', weights: { killcount_t4: 2, killcount_t5: 4, deads: 6 } },
    ],
    cod: [
      { name: message('Merits'), weights: { merits: 1 } },
      { name: '10 / 20', weights: { killcount_t4: 10, killcount_t5: 20 } },
      { name: '10 / 20 / 30', weights: { killcount_t4: 10, killcount_t5: 20, units_dead: 30 } },
    ],
  };

/** Governors who can be scored: those of a difference, or of columns that a browser received. */
export interface Scorable {
  game: GameId;
  count: number;
  idAt(row: number): number;
  /** At the start; NaN if unknown. */
  powerAt(row: number): number;
}

/** Returns whether a figure counts deads: all of them, or those of a tier. */
export const countsDeads = (game: GameId, key: string): boolean =>
  [GAME_NAMES[game].roles.deads, 'deads_t4', 'deads_t5'].includes(key);

/** Returns the share of each governor's deads that counts; null if nobody is zeroed. */
function deadsShares({ count, idAt }: Scorable, { zeroed = {} }: Scoring): Numbers | null {
  if (Object.keys(zeroed).length === 0) return null;
  return Float64Array.from({ length: count }, (_, row) => (100 - (zeroed[idAt(row)] ?? 0)) / 100);
}

/**
 * Scores governors by the gains of the weighted columns. `gains` returns null if a side lacks the column, which makes
 * every score unknown, because an unread figure is not 0.
 */
export function scoresOf(scorable: Scorable, scoring: Scoring, gains: (key: string) => Gains | null): Scores {
  const { game, count, powerAt } = scorable;
  const points = new Float64Array(count);
  const doubts = new Uint8Array(count);
  const shares = deadsShares(scorable, scoring);
  for (const [key, weight] of weighed(scoring.weights))
    addPoints(points, doubts, gains(key), weight, countsDeads(game, key) ? shares : null);
  const off = scoring.power_off ?? 0;
  const raw = off === 0 ? points : points.map((sum, row) => sum - powerAt(row) * off);
  const dkp = new Float64Array(count);
  for (let row = 0; row < count; row++) dkp[row] = doubts[row] === NO_DOUBT ? (raw[row] as number) : Number.NaN;
  return { dkp, raw, points, doubts };
}

// Scoring spends most of its time in these loops, so checks that do not depend on the row stay outside.
function addPoints(
  points: Numbers,
  doubts: Doubts,
  gained: Gains | null,
  weight: number,
  shares: Numbers | null,
): void {
  if (gained === null) {
    points.fill(Number.NaN);
    return;
  }
  const { raw: gains, doubts: about } = gained;
  if (shares)
    for (let row = 0; row < points.length; row++)
      points[row] = (points[row] as number) + (gains[row] as number) * weight * (shares[row] as number);
  else
    for (let row = 0; row < points.length; row++)
      points[row] = (points[row] as number) + (gains[row] as number) * weight;
  for (let row = 0; row < doubts.length; row++) if (doubts[row] === NO_DOUBT) doubts[row] = about[row] as number;
}

/** Returns the highest goal that a power at the start reaches; null if none. */
export function goalOf<G extends Pick<Goal, 'min_power'>>(goals: readonly G[], power: number): G | null {
  let found: G | null = null;
  for (const goal of goals) if (power >= goal.min_power && goal.min_power >= (found?.min_power ?? 0)) found = goal;
  return found;
}
