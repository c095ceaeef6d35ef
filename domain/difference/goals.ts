import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import type { Numbers } from '../scans/rows.ts';
import { NO_DOUBT } from './doubts.ts';
import type { Gains } from './pairs.ts';
import { type Goal, goalOf, percentOf } from './scoring.ts';

/** How much of their goals governors reached. Only targets that are set are judged, each by itself. */

export const TARGETS = ['dkp', 'kills', 'deads'] as const;
export type Target = (typeof TARGETS)[number];

export const TARGET_TITLE: Readonly<Record<Target, string>> = { dkp: 'DKP', kills: 'Kills', deads: 'Deads' };

/** What a file calls the column of a target. */
export const goalTitle = (target: Target): string => `Goal ${TARGET_TITLE[target]} Reached %`;

/** The targets that some goal sets. */
export const targetsOf = (goals: readonly Goal[]): Target[] =>
  TARGETS.filter((target) => goals.some((goal) => goal[target] !== null));

/** Governors as columns, as far as goals judge them. */
export interface Judged {
  game: GameId;
  /** At the start. */
  powers: Numbers;
  /** Guarded scores. */
  dkp: Numbers;
  gains: (key: string) => Gains | null;
  /** True of rows without goals. */
  isExempt: (row: number) => boolean;
}

/** Percent of a target that each row reached; NaN if it has none or what it reached is unknown or doubted. */
export function goalsReached(goals: readonly Goal[], target: Target, judged: Judged): Numbers {
  const { powers, isExempt } = judged;
  const reached = reachedOf(target, judged);
  return powers.map((power, row) => {
    const value = reached(row);
    if (isExempt(row) || Number.isNaN(value)) return Number.NaN;
    return percentOf(value, goalOf(goals, power)?.[target] ?? null) ?? Number.NaN;
  });
}

function reachedOf(target: Target, { game, dkp, gains }: Judged): (row: number) => number {
  if (target === 'dkp') return (row) => dkp[row] as number;
  const { tiers, deads } = GAME_NAMES[game].roles;
  const counted = (target === 'deads' ? [deads] : [tiers[3], tiers[4]]).map((key) => gains(key));
  return (row) =>
    counted.reduce((sum, gained) => {
      const isSure = gained !== null && gained.doubts[row] === NO_DOUBT;
      return sum + (isSure ? (gained.raw[row] ?? Number.NaN) : Number.NaN);
    }, 0);
}
