import type * as z from 'zod';
import { type Compared, comparedOver } from '../../../domain/compare/compared.ts';
import { type Difference, differenceOf, memoryOfDifference, scorable } from '../../../domain/difference/difference.ts';
import { isBelow, isJudged, type Reached, reachedBy } from '../../../domain/difference/goals.ts';
import { scoresOf } from '../../../domain/difference/scoring.ts';
import { type GroupGains, type Groups, nothing } from '../../../domain/difference/sums.ts';
import type { fighterCounts } from '../../../domain/events/answers.ts';
import { gainKeys } from '../../../domain/events/columns.ts';
import { type EventPlan, keyNumbers, kingdomKeys } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { addKnown, orNull } from '../../../domain/known.ts';
import { release } from '../../../domain/release.ts';
import { doubtedIn, figureOf } from '../../../domain/scans/quality.ts';
import { numbersOf, type Table } from '../../../domain/scans/rows.ts';
import { type Comparison, judgedIn } from '../difference/comparison.ts';

/**
 * Two snapshots of an event, compared. `kingdoms` follow the order of the camps; governors of other kingdoms are
 * omitted.
 */
export interface EventWar extends Comparison {
  plan: EventPlan;
  difference: Difference;
  /** The index of the camp of each of `kingdoms`. */
  campOf: readonly number[];
}

/** Returns for each row the place of its kingdom (or domain) in the event, or -1. */
function kingdomsOfRows(plan: EventPlan, table: Table): Groups {
  const number = keyNumbers(plan.camps);
  const kingdoms = numbersOf(table, GAMES[plan.game].roles.kingdom);
  const domains = table.numbers.domain;
  const groups = new Int32Array(table.count);
  for (let row = 0; row < table.count; row++)
    groups[row] = number(kingdoms[row] as number, domains ? (domains[row] as number) : Number.NaN);
  return groups;
}

/** Returns 1 for governors in both who are exempt from goals. */
function exemptOf({ exempt }: EventPlan, { game, from, rows }: Compared): Uint8Array {
  const flags = new Uint8Array(rows.common);
  if (exempt.length === 0) return flags;
  const ids = numbersOf(from, GAMES[game].roles.id);
  const free = new Set(exempt);
  return flags.map((_, pair) => Number(free.has(ids[rows.from[pair] as number] as number)));
}

/** Compares two sides of an event. Both have the same reading of the kingdoms in `unmeasured`. */
export function eventWar(plan: EventPlan, from: Table, to: Table, unmeasured: ReadonlySet<number>): EventWar {
  const [start, end] = [kingdomsOfRows(plan, from), kingdomsOfRows(plan, to)];
  const difference = { ...differenceOf(from, to, { start, end }), unmeasured };
  const compared = comparedOver([difference]);
  const scores = scoresOf(scorable(difference), plan, compared.gains);
  return {
    plan,
    difference,
    compared,
    scores,
    kingdoms: kingdomKeys(plan.camps),
    campOf: plan.camps.flatMap(({ kingdoms }, camp) => kingdoms.map(() => camp)),
    start,
    end,
    gained: gainKeys(plan.game, plan.weights),
    goals: plan.goals,
    counted: scores.dkp,
    exempt: exemptOf(plan, compared),
  };
}

export type Fighters = z.infer<typeof fighterCounts>;

/** Returns how far all governors are with the targets of a war. */
export const reachedIn = (war: EventWar): Reached => reachedBy(war.goals, judgedIn(war));

/** Counts, for each kingdom, governors who fight, who do not, and who are below a target. */
export function fightersOf(war: EventWar, reached = reachedIn(war)): Fighters[] {
  const { compared, scores, kingdoms, start } = war;
  const counts = kingdoms.map((): Fighters => ({ fighting: 0, idle: 0, with_goal: 0, below_goal: 0 }));
  for (let pair = 0; pair < compared.rows.common; pair++) {
    const count = counts[start[compared.rows.from[pair] as number] as number];
    if (!count) continue;
    if ((scores.points[pair] as number) > 0) count.fighting++;
    else if (scores.points[pair] === 0) count.idle++;
    if (isJudged(reached, pair)) count.with_goal++;
    if (isBelow(reached, pair)) count.below_goal++;
  }
  return counts;
}

/** Frees a war's buffers; it must not be read afterwards. */
export function endWar({ compared, scores, difference, start, end }: EventWar): void {
  release(compared.memoryOfGains());
  release(memoryOfDifference(difference));
  release([scores.dkp, scores.raw, scores.points, scores.doubts, start, end].map(({ buffer }) => buffer));
}

/** Each group at a time: its number of governors, and the sums of their known and verified figures. */
export interface GroupState {
  governors: number;
  figures: Record<string, number | null>;
  /** Number of figures that the sum excludes, by column key; only keys with excluded figures. */
  doubted: Record<string, number>;
}

/** Adds up each of the `count` groups of a side. */
export function statesOf(table: Table, groups: Groups, count: number, columns: readonly string[]): GroupState[] {
  const states = Array.from({ length: count }, (): GroupState => ({ governors: 0, figures: {}, doubted: {} }));
  for (let row = 0; row < table.count; row++) {
    const state = states[groups[row] as number];
    if (state) state.governors++;
  }
  const { doubted } = table.texts;
  for (const key of columns) {
    const values = table.numbers[key];
    if (!values) continue;
    const figure = figureOf(table.game, key);
    const sums = new Float64Array(count).fill(Number.NaN);
    for (let row = 0; row < table.count; row++) {
      const group = groups[row] as number;
      const value = values[row] as number;
      if (group < 0 || Number.isNaN(value)) continue;
      const words = doubted?.[row];
      if (!words || !doubtedIn(words).includes(figure)) sums[group] = (sums[group] || 0) + value;
      else {
        const out = (states[group] as GroupState).doubted;
        out[key] = (out[key] ?? 0) + 1;
      }
    }
    states.forEach((state, group) => {
      state.figures[key] = orNull(sums[group] as number);
    });
  }
  return states;
}

const added = (a: Record<string, number | null>, b: Record<string, number | null>): Record<string, number | null> => {
  const sum = { ...a };
  for (const [key, value] of Object.entries(b)) sum[key] = addKnown(sum[key], value);
  return sum;
};

/** Returns sums of keys by camp. */
export function campSums(sums: readonly GroupGains[], campOf: readonly number[], camps: number): GroupGains[] {
  return Array.from({ length: camps }, (_, camp) =>
    sums
      .filter((_sum, key) => campOf[key] === camp)
      .reduce(
        (all, one) => ({
          gains: added(all.gains, one.gains),
          raw: added(all.raw, one.raw),
          doubted: added(all.doubted, one.doubted) as Record<string, number>,
          dkp: addKnown(all.dkp, one.dkp),
          dkp_raw: addKnown(all.dkp_raw, one.dkp_raw),
          left_out: all.left_out + one.left_out,
          unknown: all.unknown + one.unknown,
          common: all.common + one.common,
          joined: all.joined + one.joined,
          gone: all.gone + one.gone,
        }),
        nothing(),
      ),
  );
}

/** Returns states of keys by camp. */
export const campStates = (states: readonly GroupState[], campOf: readonly number[], camps: number): GroupState[] =>
  Array.from({ length: camps }, (_, camp) =>
    states
      .filter((_state, key) => campOf[key] === camp)
      .reduce(
        (all, one) => ({
          governors: all.governors + one.governors,
          figures: added(all.figures, one.figures),
          doubted: added(all.doubted, one.doubted) as Record<string, number>,
        }),
        { governors: 0, figures: {}, doubted: {} } as GroupState,
      ),
  );
