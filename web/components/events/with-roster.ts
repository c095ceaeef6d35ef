import { rollUp, rosterOver } from '../../../domain/compare/rolled-up.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { FELL, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { isBelow, isJudged, type Judged, reachedBy } from '../../../domain/difference/goals.ts';
import { tenthOf } from '../../../domain/difference/percentages.ts';
import type { Goal } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { orNull } from '../../../domain/known.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { percentilesOf } from '../../../domain/scans/percentiles.ts';
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
  const left = new Set(entries.filter(({ role }) => role === 'left').map(({ governor_id }) => governor_id));
  const here = governors.filter(({ governor_id }) => !left.has(governor_id));
  const { apart, mainOf } = rosterOver(
    Float64Array.from(here, ({ governor_id }) => governor_id),
    entries,
  );
  const rolled = (of: (each: Governor) => number | null) => {
    const own = Float64Array.from(here, (each) => of(each) ?? Number.NaN);
    return rollUp(own, mainOf, (farms ?? 100) / 100);
  };
  const [dkp, raw] = [rolled((each) => each.dkp), rolled((each) => each.dkp_raw)];
  const [points, since] = [rolled((each) => each.points), rolled((each) => each.since)];
  const isFarm = (row: number) => (mainOf[row] as number) >= 0;
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
  const reached = reachedBy(goals, judged);
  const percents = reached.get('dkp')?.map(tenthOf);
  const ranked = judged.dkp.map((dkp, row) => (isFarm(row) ? Number.NaN : dkp));
  const [ranks, percentiles] = [ranksOf(ranked), percentilesOf(ranked)];
  const governors = rows
    .map((each, row) => ({
      ...each,
      goal: orNull(percents?.[row]),
      below_goal: isBelow(reached, row),
      rank: ranks[row] || null,
      percentile: orNull(percentiles[row]),
    }))
    .toSorted((one, other) => (other.dkp ?? Number.NEGATIVE_INFINITY) - (one.dkp ?? Number.NEGATIVE_INFINITY));
  const count = (holds: (each: Governor) => boolean) => governors.filter(holds).length;
  return {
    ...room,
    governors,
    counts: {
      fighting: count(isFighting),
      idle: count(isIdle),
      with_goal: rows.filter((_, row) => isJudged(reached, row)).length,
      below_goal: count((each) => each.below_goal),
    },
  };
}
