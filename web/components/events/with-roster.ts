import { rollUp } from '../../../domain/compare/rolled-up.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { FELL, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { goalStates, goalsReached, type Judged } from '../../../domain/difference/goals.ts';
import { tenthOf } from '../../../domain/difference/percentages.ts';
import type { Goal } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { orNull } from '../../../domain/known.ts';
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

/** Applies a roster: farms count for their mains, those who left are missing, farms and exempt ones have no goals. */
function rolledUp(governors: readonly Governor[], { entries, farms }: OwnRules) {
  const roles = new Map(entries.map(({ governor_id, role }) => [governor_id, role]));
  const here = governors.filter(({ governor_id }) => roles.get(governor_id) !== 'left');
  const ids = Float64Array.from(here, ({ governor_id }) => governor_id);
  const rolled = (of: (each: Governor) => number | null) =>
    rollUp(
      ids,
      Float64Array.from(here, (each) => of(each) ?? Number.NaN),
      entries,
      (farms ?? 100) / 100,
    );
  const { scores: dkp, apart } = rolled((each) => each.dkp);
  const raw = rolled((each) => each.dkp_raw).scores;
  const points = rolled((each) => each.points).scores;
  const since = rolled((each) => each.since).scores;
  const isFarm = (row: number) => apart[row] === 1 && roles.get(ids[row] as number) === 'farm';
  const rows = here.map((governor, row) => ({
    ...governor,
    // A farm's row keeps its own figures.
    ...(!isFarm(row) && {
      dkp: orNull(dkp[row]),
      dkp_raw: orNull(raw[row]),
      points: orNull(points[row]),
      since: orNull(since[row]),
    }),
    exempt: governor.exempt || apart[row] === 1,
  }));
  return { rows, isFarm };
}

/** Returns a war room by the reader's own roster and goals. The kingdom's sums stay, because others see them. */
export function withRoster(
  room: EventRoom,
  event: { game: GameId; goals: readonly Goal[] },
  rules: OwnRules,
): EventRoom {
  const { rows, isFarm } = rolledUp(room.governors, rules);
  const goals = goalsBy(event, rules);
  // Farms lift their main's DKP. Targets of kills and deads are the main's own.
  const judged = judgedIn(event.game, rows);
  const { isKnown, isBelow } = goalStates(goals, judged);
  const reached = goalsReached(goals, 'dkp', judged).map(tenthOf);
  const ranks = ranksOf(judged.dkp.map((dkp, row) => (isFarm(row) ? Number.NaN : dkp)));
  const governors = rows
    .map((each, row) => ({
      ...each,
      goal: orNull(reached[row]),
      below_goal: isBelow(row),
      rank: ranks[row] || null,
    }))
    .toSorted((one, other) => (other.dkp ?? Number.NEGATIVE_INFINITY) - (one.dkp ?? Number.NEGATIVE_INFINITY));
  const count = (holds: (each: Governor) => boolean) => governors.filter(holds).length;
  return {
    ...room,
    governors,
    counts: {
      fighting: count(isFighting),
      idle: count(isIdle),
      with_goal: rows.filter((_, row) => isKnown(row)).length,
      below_goal: count((each) => each.below_goal),
    },
  };
}
