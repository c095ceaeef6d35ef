import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { FELL, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { goalsReached, type Judged, targetsOf } from '../../../domain/difference/goals.ts';
import { type Goal, goalOf, percentOf } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { addKnown } from '../../../domain/known.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import type { EventRoom } from '../../api/events.ts';

type Governor = EventRoom['governors'][number];

/** Whether a governor has points before the deduction for power, or none at all. Neither holds if they are unknown. */
export const isFighting = ({ points }: Governor): boolean => points !== null && points > 0;
export const isIdle = ({ points }: Governor): boolean => points === 0;

/** How a reader's own war room counts. */
export interface OwnRules {
  entries: readonly RosterEntry[];
  /** In place of the event's; none if empty. */
  goals: readonly Goal[];
  /** Percent of a farm's score that counts for its main; null for all of it. */
  farms: number | null;
}

/** Returns the goals that count for the reader. */
export const goalsBy = (event: { goals: readonly Goal[] }, { goals }: OwnRules): readonly Goal[] =>
  goals.length > 0 ? goals : event.goals;

export const NO_RULES: OwnRules = { entries: [], goals: [], farms: null };

/** Returns a room's governors in the form that goals need. */
export function judgedIn(game: GameId, governors: readonly Governor[]): Judged {
  const column = (of: (each: Governor) => number | null | undefined) =>
    Float64Array.from(governors, (each) => of(each) ?? Number.NaN);
  return {
    game,
    powers: column(({ power }) => power),
    dkp: column(({ dkp }) => dkp),
    gains: (key) => ({
      raw: column(({ gains }) => gains[key]),
      doubts: Uint8Array.from(governors, ({ doubted }) => (doubted.includes(key) ? FELL : NO_DOUBT)),
    }),
    isExempt: (row) => governors[row]?.exempt === true,
  };
}

/** Judges governors by other goals than the event's, with percentages to a tenth as the event has them. */
function withGoals(game: GameId, governors: readonly Governor[], goals: readonly Goal[]): Governor[] {
  const judged = judgedIn(game, governors);
  const reached = targetsOf(goals).map((target) => ({
    target,
    percents: goalsReached(goals, target, judged).map((percent) => Math.round(percent * 10) / 10),
  }));
  const dkp = reached.find(({ target }) => target === 'dkp')?.percents;
  return governors.map((governor, row) => {
    const goal = dkp?.[row] ?? Number.NaN;
    return {
      ...governor,
      goal: Number.isNaN(goal) ? null : goal,
      below_goal: reached.some(({ percents }) => (percents[row] as number) < 100),
    };
  });
}

/**
 * Returns a war room by the reader's own roster and goals: farms count for their mains, exempt governors have no goals,
 * and those who left are missing. The kingdom's sums stay, because others see them.
 */
export function withRoster(
  room: EventRoom,
  event: { game: GameId; goals: readonly Goal[] },
  rules: OwnRules,
): EventRoom {
  const { entries, farms } = rules;
  const goals = goalsBy(event, rules);
  const everybody = goals === event.goals ? room.governors : withGoals(event.game, room.governors, goals);
  const share = (farms ?? 100) / 100;
  const roles = new Map(entries.map((entry) => [entry.governor_id, entry]));
  const isHere = ({ governor_id }: Governor) => roles.get(governor_id)?.role !== 'left';
  const known = new Set(everybody.filter(isHere).map(({ governor_id }) => governor_id));
  /** The main that a governor's points count for, if it is in the room too. */
  const mainOf = ({ governor_id }: Governor): number | null => {
    const main = roles.get(governor_id)?.main_id ?? null;
    return main !== null && known.has(main) ? main : null;
  };
  const farmed = new Map<number, Governor[]>();
  for (const governor of everybody) {
    const main = mainOf(governor);
    if (main !== null && isHere(governor)) farmed.set(main, [...(farmed.get(main) ?? []), governor]);
  }
  const rows = everybody.filter(isHere).map((governor): Governor => {
    const entry = roles.get(governor.governor_id);
    if (mainOf(governor) !== null || entry?.role === 'exempt')
      return { ...governor, goal: null, below_goal: false, exempt: true };
    const itsFarms = farmed.get(governor.governor_id) ?? [];
    if (itsFarms.length === 0) return governor;
    const sum = (of: (each: Governor) => number | null) =>
      itsFarms.reduce((total, each) => {
        const points = of(each);
        return addKnown(total, points === null ? null : points * share);
      }, of(governor));
    const dkp = sum((each) => each.dkp);
    const target = governor.power === null ? null : (goalOf(goals, governor.power)?.dkp ?? null);
    const goal = governor.exempt ? null : (percentOf(dkp, target) ?? governor.goal);
    return {
      ...governor,
      dkp,
      dkp_raw: sum((each) => each.dkp_raw),
      points: sum((each) => each.points),
      since: sum((each) => each.since),
      goal,
      // Farms lift their main's DKP. Targets of kills and deads are the main's own.
      below_goal: goal !== null && target !== null ? goal < 100 : governor.below_goal,
    };
  });
  const ranked = rows.filter((each) => mainOf(each) === null);
  const ranks = ranksOf(Float64Array.from(ranked, ({ dkp }) => dkp ?? Number.NaN));
  const rankOf = new Map(ranked.map(({ governor_id }, row) => [governor_id, ranks[row] || null]));
  const governors = rows
    .map((each) => ({ ...each, rank: rankOf.get(each.governor_id) ?? null }))
    .toSorted((one, other) => (other.dkp ?? Number.NEGATIVE_INFINITY) - (one.dkp ?? Number.NEGATIVE_INFINITY));
  const count = (holds: (each: Governor) => boolean) => governors.filter(holds).length;
  return {
    ...room,
    governors,
    counts: {
      fighting: count(isFighting),
      idle: count(isIdle),
      with_goal: count(({ goal }) => goal !== null),
      below_goal: count((each) => each.below_goal),
    },
  };
}
