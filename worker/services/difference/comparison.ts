import type { Compared } from '../../../domain/compare/compared.ts';
import { DOUBT_TEXT, DOUBTS, type Doubt } from '../../../domain/difference/doubts.ts';
import { type GoalTarget, goalsReached, type Judged } from '../../../domain/difference/goals.ts';
import { type Gains, isRenamed } from '../../../domain/difference/pairs.ts';
import { tenthOf } from '../../../domain/difference/percentages.ts';
import type { Goal, Scores } from '../../../domain/difference/scoring.ts';
import { type GroupGains, type Grouping, type Groups, sumsOf } from '../../../domain/difference/sums.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Numbers, numbersOf, textsOf } from '../../../domain/scans/rows.ts';

/**
 * Two sides compared, scored by weights, with exclusions: an event between two moments, or scans of a library. Gains
 * and scores have a row for each governor in both, in the order of `compared.rows`.
 */
export interface Comparison {
  compared: Compared;
  scores: Scores;
  /** Kingdoms, or an event's domains. */
  kingdoms: readonly string[];
  /** The index in `kingdoms` of each row's kingdom on a side, or -1. */
  start: Groups;
  end: Groups;
  /** Keys of the figures whose gains every governor is shown with. */
  gained: readonly string[];
  goals: readonly Goal[];
  /** The scores that count towards goals. */
  counted: Numbers;
  /** 1 for governors without goals. */
  exempt: Uint8Array;
}

export interface GainedColumn extends Gains {
  key: string;
}

/** Returns the gains of the columns that both sides have. */
export const gainsOfAll = (compared: Compared, keys: readonly string[]): GainedColumn[] =>
  keys.flatMap((key) => {
    const gains = compared.gains(key);
    return gains ? [{ key, ...gains }] : [];
  });

/** Adds up what each group gained in these columns; groups are kingdoms by default. */
export const groupSums = (
  { compared, scores, start, end, kingdoms }: Comparison,
  keys: readonly string[],
  groups: Grouping = { start, end, count: kingdoms.length },
): GroupGains[] => {
  const gained = new Map(gainsOfAll(compared, keys).map(({ key, ...gains }) => [key, gains]));
  return sumsOf(compared.rows, gained, scores, groups);
};

/** Returns a group in the format of answers, with its guarded gains as fields. */
export const flat = ({ gains, ...rest }: GroupGains) => ({ ...gains, ...rest });

/** Seasonal column → kingdoms in which it began again, as answers have it. */
export const seasonLists = ({ seasons }: Compared): Record<string, number[]> =>
  Object.fromEntries([...seasons].map(([key, kingdoms]) => [key, [...kingdoms].sort((a, b) => a - b)]));

/** Returns the doubts about a governor's gains, each with the figures that it is about. */
export const doubtsAt = (
  gained: readonly GainedColumn[],
  pair: number,
): { figures: string[]; reason: Doubt; text: string }[] =>
  DOUBTS.flatMap((reason, place) => {
    const figures = gained.filter(({ doubts }) => doubts[pair] === place + 1).map(({ key }) => key);
    return figures.length > 0 ? [{ figures, reason, text: DOUBT_TEXT[reason] }] : [];
  });

type Pursued = Pick<Comparison, 'compared' | 'goals' | 'counted' | 'exempt'>;

/** Returns the governors in both as goals judge them. */
export function judgedIn({ compared, counted, exempt }: Omit<Pursued, 'goals'>): Judged {
  const { game, from, rows } = compared;
  const powers = numbersOf(from, GAMES[game].roles.power);
  return {
    game,
    powers: Float64Array.from(rows.from.subarray(0, rows.common), (row) => powers[row] as number),
    dkp: counted,
    gains: compared.gains,
    isExempt: (pair: number) => exempt[pair] === 1,
  };
}

/** Returns the percent of a target that each governor reached, to a tenth; NaN if unknown or without a goal. */
export const goalPercents = (of: Pursued, target: GoalTarget): Numbers =>
  goalsReached(of.goals, target, judgedIn(of)).map(tenthOf);

/** Returns a kingdom as answers name it; '' for a row without one. */
export const kingdomName = (kingdom: number | undefined): string =>
  kingdom === undefined || Number.isNaN(kingdom) ? '' : String(kingdom);

/** Returns the kingdom that a governor in both scans counts for, and their current one. */
export function homesOf({
  compared,
  kingdoms,
  start,
  end,
}: Comparison): (pair: number) => { kingdom: string; now: string } {
  const { game, to, rows } = compared;
  const numbers = numbersOf(to, GAMES[game].roles.kingdom);
  return (pair) => {
    const [row, place] = [rows.from[pair] as number, rows.to[pair] as number];
    return {
      kingdom: kingdoms[start[row] as number] ?? '',
      now: kingdoms[end[place] as number] ?? kingdomName(numbers[place]),
    };
  };
}

/** Returns the names of governors in both, and their earlier names, if different. */
export function namesOf({ game, from, to, rows }: Compared): {
  now: (pair: number) => string;
  before: (pair: number) => string | null;
} {
  const { name } = GAMES[game].roles;
  const [first, last] = [textsOf(from, name), textsOf(to, name)];
  return {
    now: (pair) => last[rows.to[pair] as number] ?? '',
    before: (pair) => {
      const before = first[rows.from[pair] as number];
      return isRenamed(before, last[rows.to[pair] as number]) ? before : null;
    },
  };
}
