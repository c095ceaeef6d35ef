import { GAMES, type GameId } from '../games/games.ts';
import { type Numbers, numbersOf } from '../scans/rows.ts';
import { type Difference, type Gains, gainsOf } from './difference.ts';
import { type Doubts, NO_DOUBT } from './doubts.ts';

/** How much of a zeroed governor's deads leaders take off, in percent. */
export const DEADS_OFF = [0, 50, 70, 80, 90, 100] as const;
export type DeadsOff = (typeof DEADS_OFF)[number];

/** What a governor of at least that power at the start is expected to reach; null: nothing is expected there. */
export interface Goal {
  min_power: number;
  dkp: number | null;
  /** Kills of T4 and T5 together. */
  kills: number | null;
  deads: number | null;
}

/** How gains become a score. */
export interface Scoring {
  /** Points for each one gained, by column key. */
  weights: Readonly<Record<string, number>>;
  /** Points off for each power at the start. */
  power_off?: number;
  /** By governor id: how much of his deads, in percent, does not count. */
  zeroed?: Readonly<Record<string, DeadsOff>>;
}

/** DKP of each row of `from`. */
export interface Scores {
  /** NaN where a gain that counts is unknown or doubted. */
  dkp: Numbers;
  /** NaN where a gain that counts is unknown. */
  raw: Numbers;
  /** The first doubt about a gain that counts. */
  doubts: Doubts;
}

/** The weights that count for something. */
export const weighed = (weights: Scoring['weights']): [string, number][] =>
  Object.entries(weights).filter(([, weight]) => weight !== 0);

/** Weights that leaders use, by game: T4 kill, T5 kill, dead of Rise of Kingdoms, merits of Call of Dragons. */
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
      { name: 'Merits', weights: { merits: 1 } },
      { name: '10 / 20', weights: { killcount_t4: 10, killcount_t5: 20 } },
      { name: '10 / 20 / 30', weights: { killcount_t4: 10, killcount_t5: 20, units_dead: 30 } },
    ],
  };

/** The share of a row's deads that counts, 1 for everybody who is not zeroed. */
function deadsShares({ game, from }: Difference, { zeroed = {} }: Scoring): Numbers | null {
  if (Object.keys(zeroed).length === 0) return null;
  const ids = numbersOf(from, GAMES[game].roles.id);
  return Float64Array.from(ids, (id) => (100 - (zeroed[id] ?? 0)) / 100);
}

/**
 * Scores every row of `from`. `gains` answers for a column what it gained; leave it out unless they are at hand. A
 * weighed figure that a side does not have makes every score unknown: what was not read is not 0.
 */
export function scoresOf(
  difference: Difference,
  scoring: Scoring,
  gains: (key: string) => Gains | null = (key) => knownGains(difference, key),
): Scores {
  const { game, from, partner } = difference;
  const raw = new Float64Array(from.count);
  const doubts = new Uint8Array(from.count);
  const { deads, power } = GAMES[game].roles;
  const shares = deadsShares(difference, scoring);
  for (const [key, weight] of weighed(scoring.weights)) {
    const gained = gains(key);
    const share = key === deads ? shares : null;
    for (let row = 0; row < from.count; row++) {
      raw[row] =
        (raw[row] as number) + (gained?.raw[row] ?? Number.NaN) * weight * (share ? (share[row] as number) : 1);
      if (doubts[row] === NO_DOUBT) doubts[row] = gained?.doubts[row] ?? NO_DOUBT;
    }
  }
  const off = scoring.power_off ?? 0;
  const powers = numbersOf(from, power);
  const dkp = new Float64Array(from.count);
  for (let row = 0; row < from.count; row++) {
    if ((partner[row] as number) < 0) raw[row] = Number.NaN;
    else if (off !== 0) raw[row] = (raw[row] as number) - (powers[row] as number) * off;
    dkp[row] = doubts[row] === NO_DOUBT ? (raw[row] as number) : Number.NaN;
  }
  return { dkp, raw, doubts };
}

/** What a column gained, or null where a side does not have it. */
export const knownGains = (difference: Difference, key: string): Gains | null =>
  difference.from.numbers[key] && difference.to.numbers[key] ? gainsOf(difference, key) : null;

/** The goal for a power at the start: of those that it reaches the highest; null where it reaches none. */
export function goalOf<G extends Pick<Goal, 'min_power'>>(goals: readonly G[], power: number): G | null {
  let found: G | null = null;
  for (const goal of goals) if (power >= goal.min_power && goal.min_power >= (found?.min_power ?? 0)) found = goal;
  return found;
}

/** How much of a goal was reached, in percent; null where either is unknown. Not held at 100: more is more. */
export const percentOf = (reached: number | null, goal: number | null): number | null =>
  reached === null || goal === null || goal <= 0 ? null : (100 * reached) / goal;
