import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import type { Numbers } from '../scans/rows.ts';
import { type Doubts, NO_DOUBT } from './doubts.ts';
import type { Gains } from './pairs.ts';

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

/** Rows that can be scored: those of a difference, or the columns that a browser was sent. */
export interface Scorable {
  game: GameId;
  ids: Numbers;
  /** At the start; only what is taken off for power asks for them. */
  powers: Numbers | undefined;
  /** 0 or more where the governor is in both snapshots. */
  partner: Int32Array;
}

/** The share of a row's deads that counts; null where nobody is zeroed. */
function deadsShares(ids: Numbers, { zeroed = {} }: Scoring): Numbers | null {
  if (Object.keys(zeroed).length === 0) return null;
  return ids.map((id) => (100 - (zeroed[id] ?? 0)) / 100);
}

/**
 * Scores rows by what each weighed column gained (`gains`: null where a side does not have the column, which makes
 * every score unknown: what was not read is not 0).
 */
export function scoresOf(
  { game, ids, powers, partner }: Scorable,
  scoring: Scoring,
  gains: (key: string) => Gains | null,
): Scores {
  const raw = new Float64Array(ids.length);
  const doubts = new Uint8Array(ids.length);
  const shares = deadsShares(ids, scoring);
  for (const [key, weight] of weighed(scoring.weights))
    addPoints(raw, doubts, gains(key), weight, key === GAME_NAMES[game].roles.deads ? shares : null);
  const off = scoring.power_off ?? 0;
  if (off !== 0)
    for (let row = 0; row < raw.length; row++) raw[row] = (raw[row] as number) - (powers?.[row] ?? Number.NaN) * off;
  const dkp = new Float64Array(ids.length);
  for (let row = 0; row < dkp.length; row++) {
    if ((partner[row] as number) < 0) raw[row] = Number.NaN;
    dkp[row] = doubts[row] === NO_DOUBT ? (raw[row] as number) : Number.NaN;
  }
  return { dkp, raw, doubts };
}

// What does not change with the row stands before the loops: they are most of scoring.
function addPoints(raw: Numbers, doubts: Doubts, gained: Gains | null, weight: number, shares: Numbers | null): void {
  if (gained === null) {
    raw.fill(Number.NaN);
    return;
  }
  const { raw: gains, doubts: about } = gained;
  if (shares)
    for (let row = 0; row < raw.length; row++)
      raw[row] = (raw[row] as number) + (gains[row] as number) * weight * (shares[row] as number);
  else for (let row = 0; row < raw.length; row++) raw[row] = (raw[row] as number) + (gains[row] as number) * weight;
  for (let row = 0; row < doubts.length; row++) if (doubts[row] === NO_DOUBT) doubts[row] = about[row] as number;
}

/** The goal for a power at the start: of those that it reaches the highest; null where it reaches none. */
export function goalOf<G extends Pick<Goal, 'min_power'>>(goals: readonly G[], power: number): G | null {
  let found: G | null = null;
  for (const goal of goals) if (power >= goal.min_power && goal.min_power >= (found?.min_power ?? 0)) found = goal;
  return found;
}

/** How much of a goal was reached, in percent; null where either is unknown. Not held at 100: more is more. */
export const percentOf = (reached: number | null, goal: number | null): number | null =>
  reached === null || goal === null || goal <= 0 ? null : (100 * reached) / goal;
