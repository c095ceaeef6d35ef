import {
  type Difference,
  differenceOf,
  knownGains,
  memoryOfDifference,
  scorable,
} from '../../../domain/difference/difference.ts';
import type { Gains } from '../../../domain/difference/pairs.ts';
import { type Scores, scoresOf } from '../../../domain/difference/scoring.ts';
import { type GroupGains, type Groups, nothing, sumsOf } from '../../../domain/difference/sums.ts';
import { type EventPlan, keyNumbers, keysOf } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { doubtedIn, figureOf } from '../../../domain/scans/quality.ts';
import { numbersOf, type Table } from '../../../domain/scans/rows.ts';
import { release } from '../../files/release.ts';

/** Two snapshots of an event side by side, with what its plan makes of them. */
export interface War {
  plan: EventPlan;
  difference: Difference;
  gains: MadeGains;
  scores: Scores;
  /** Kingdoms, or their domains, in the order of the camps; groups are their numbers. */
  keys: readonly string[];
  /** For each key the number of its camp. */
  campOf: readonly number[];
  /** For each row of `from` and of `to` the number of its key; -1: not of this event. */
  start: Groups;
  end: Groups;
}

/** Gains by column key, each made once; null where a side does not have the column. */
export interface MadeGains {
  (key: string): Gains | null;
  /** Gives their memory back: none of them can be read any more. */
  end(): void;
}

/** For each row the number of the event's key that it belongs to. */
export function groupsOf(plan: EventPlan, table: Table): Groups {
  const number = keyNumbers(plan.camps);
  const kingdoms = numbersOf(table, GAMES[plan.game].roles.kingdom);
  const domains = table.numbers.domain;
  const groups = new Int32Array(table.count);
  for (let row = 0; row < table.count; row++)
    groups[row] = number(kingdoms[row] as number, domains ? (domains[row] as number) : Number.NaN);
  return groups;
}

/** What columns gained, each made once. */
export function gainsFor(difference: Difference): MadeGains {
  const made = new Map<string, Gains | null>();
  const gains = (key: string): Gains | null => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const gained = knownGains(difference, key);
    made.set(key, gained);
    return gained;
  };
  const end = () => {
    const all = [...made.values()].filter((gained) => gained !== null);
    release(all.map(({ raw }) => raw.buffer));
    // What is doubtful about kills belongs to the difference.
    release(all.flatMap(({ doubts }) => (doubts === difference.kills ? [] : doubts.buffer)));
  };
  return Object.assign(gains, { end });
}

/** Gives back what was made of two sides for a war that nobody reads any more. */
export function endWar({ gains, scores, difference, start, end }: War): void {
  gains.end();
  release(memoryOfDifference(difference));
  release([scores.dkp, scores.raw, scores.doubts, start, end].map(({ buffer }) => buffer));
}

/** Puts two sides of an event together; of the kingdoms `unmeasured` both have the same reading. */
export function warOf(plan: EventPlan, from: Table, to: Table, unmeasured: ReadonlySet<number>): War {
  const difference = { ...differenceOf(from, to), unmeasured };
  const gains = gainsFor(difference);
  return {
    plan,
    difference,
    gains,
    scores: scoresOf(scorable(difference), plan, gains),
    keys: keysOf(plan.camps),
    campOf: plan.camps.flatMap(({ kingdoms }, camp) => kingdoms.map(() => camp)),
    start: groupsOf(plan, from),
    end: groupsOf(plan, to),
  };
}

/** What each key gained, in the order of the keys, in the columns named. */
export function keySums(war: War, columns: readonly string[]): GroupGains[] {
  const { difference, scores, start, end, keys } = war;
  const gained = columns.flatMap((key) => {
    const gains = war.gains(key);
    return gains ? [[key, gains] as const] : [];
  });
  return sumsOf(difference, new Map(gained), scores, { start, end, count: keys.length });
}

/** What each group is at a moment: its governors, and the sums of what is known of them and in no doubt. */
export interface GroupState {
  governors: number;
  figures: Record<string, number | null>;
  /** By column key how many figures were left out of the sum; only where some were. */
  doubted: Record<string, number>;
}

/** What each of the `count` groups of a side adds up to. */
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

/** A figure as JSON has it. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

const plus = (a: number | null | undefined, b: number | null): number | null =>
  a === null || a === undefined ? b : b === null ? a : a + b;

const added = (a: Record<string, number | null>, b: Record<string, number | null>): Record<string, number | null> => {
  const sum = { ...a };
  for (const [key, value] of Object.entries(b)) sum[key] = plus(sum[key], value);
  return sum;
};

/** Sums of keys as those of camps, by camp. */
export function campSums(sums: readonly GroupGains[], campOf: readonly number[], camps: number): GroupGains[] {
  return Array.from({ length: camps }, (_, camp) =>
    sums
      .filter((_sum, key) => campOf[key] === camp)
      .reduce(
        (all, one) => ({
          gains: added(all.gains, one.gains),
          raw: added(all.raw, one.raw),
          doubted: added(all.doubted, one.doubted) as Record<string, number>,
          dkp: plus(all.dkp, one.dkp),
          dkp_raw: plus(all.dkp_raw, one.dkp_raw),
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

/** States of keys as those of camps, by camp. */
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
