import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import { message } from '../language/text.ts';
import type { Numbers } from '../scans/rows.ts';
import { NO_DOUBT } from './doubts.ts';
import type { Gains } from './pairs.ts';
import { percentOf } from './percentages.ts';
import { type Goal, goalOf } from './scoring.ts';

/** How far governors reached their goals. Each target counts alone, and only if it is set. */

export const TARGETS = ['dkp', 'kills', 'deads'] as const;
export type GoalTarget = (typeof TARGETS)[number];

export const TARGET_TITLE: Readonly<Record<GoalTarget, string>> = {
  dkp: message('DKP'),
  kills: message('Kills'),
  deads: message('Deads'),
};

/** Returns a target's column title in files. */
export const goalTitle = (target: GoalTarget): string => `Goal ${TARGET_TITLE[target]} Reached %`;

/** Returns the targets that at least one goal sets. */
export const targetsOf = (goals: readonly Goal[]): GoalTarget[] =>
  TARGETS.filter((target) => goals.some((goal) => goal[target] !== null));

/** Governors in columns, with what goals need. */
export interface Judged {
  game: GameId;
  powers: Numbers;
  /** Guarded scores. */
  dkp: Numbers;
  gains: (key: string) => Gains | null;
  /** True for rows without goals. */
  isExempt: (row: number) => boolean;
}

/**
 * Returns the percentage of a target that each row reached; NaN if it has no target or its value is unknown or
 * doubtful.
 */
export function goalsReached(goals: readonly Goal[], target: GoalTarget, judged: Judged): Numbers {
  const { powers, isExempt } = judged;
  const reached = reachedOf(target, judged);
  return powers.map((power, row) => {
    const value = reached(row);
    if (isExempt(row) || Number.isNaN(value)) return Number.NaN;
    return percentOf(value, goalOf(goals, power)?.[target] ?? null) ?? Number.NaN;
  });
}

/** The percentages that rows reached of each target that a goal sets, in the order of `TARGETS`; NaN if unknown. */
export type Reached = ReadonlyMap<GoalTarget, Numbers>;

/** Judges rows by all targets. Percentages are not rounded, because 99.96 % is missed. */
export const reachedBy = (goals: readonly Goal[], judged: Judged): Reached =>
  new Map(targetsOf(goals).map((target) => [target, goalsReached(goals, target, judged)]));

/** Returns whether a row's percentage of at least one target is known. */
export const isJudged = (reached: Reached, row: number): boolean =>
  [...reached.values()].some((percents) => !Number.isNaN(percents[row]));

/** Returns whether a row is known to have missed a target. */
export const isBelow = (reached: Reached, row: number): boolean =>
  [...reached.values()].some((percents) => (percents[row] as number) < 100);

function reachedOf(target: GoalTarget, { game, dkp, gains }: Judged): (row: number) => number {
  if (target === 'dkp') return (row) => dkp[row] as number;
  const { tiers, deads } = GAME_NAMES[game].roles;
  const counted = (target === 'deads' ? [deads] : [tiers[3], tiers[4]]).map((key) => gains(key));
  return (row) =>
    counted.reduce((sum, gained) => {
      const isSure = gained !== null && gained.doubts[row] === NO_DOUBT;
      return sum + (isSure ? (gained.raw[row] ?? Number.NaN) : Number.NaN);
    }, 0);
}
