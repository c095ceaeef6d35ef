import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { type Goal, goalOf, percentOf } from '../../../domain/difference/scoring.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import type { EventRoom } from '../../api/events.ts';

type Governor = EventRoom['governors'][number];

/** Sums points. Unknown ones are left out, as in all sums; null if none is known. */
const added = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : one + other;

/**
 * Returns a war room as the reader's own roster has it: farms count for their mains, exempt governors have no goals, and
 * those who left are missing. The kingdom's sums stay, because others see them.
 */
export function withRoster(room: EventRoom, goals: readonly Goal[], entries: readonly RosterEntry[]): EventRoom {
  const roles = new Map(entries.map((entry) => [entry.governor_id, entry]));
  const isHere = ({ governor_id }: Governor) => roles.get(governor_id)?.role !== 'left';
  const known = new Set(room.governors.filter(isHere).map(({ governor_id }) => governor_id));
  /** The main that a governor's points count for, if it is in the room too. */
  const mainOf = ({ governor_id }: Governor): number | null => {
    const main = roles.get(governor_id)?.main_id ?? null;
    return main !== null && known.has(main) ? main : null;
  };
  const farmed = new Map<number, Governor[]>();
  for (const governor of room.governors) {
    const main = mainOf(governor);
    if (main !== null && isHere(governor)) farmed.set(main, [...(farmed.get(main) ?? []), governor]);
  }
  const rows = room.governors.filter(isHere).map((governor): Governor => {
    const entry = roles.get(governor.governor_id);
    if (mainOf(governor) !== null || entry?.role === 'exempt')
      return { ...governor, goal: null, below_goal: false, exempt: true };
    const farms = farmed.get(governor.governor_id) ?? [];
    if (farms.length === 0) return governor;
    const sum = (of: (each: Governor) => number | null) =>
      farms.reduce((total, each) => added(total, of(each)), of(governor));
    const dkp = sum((each) => each.dkp);
    const target = governor.power === null ? null : (goalOf(goals, governor.power)?.dkp ?? null);
    const goal = governor.exempt ? null : (percentOf(dkp, target) ?? governor.goal);
    return {
      ...governor,
      dkp,
      dkp_raw: sum((each) => each.dkp_raw),
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
      fighting: count(({ dkp_raw }) => dkp_raw !== null && dkp_raw > 0),
      idle: count(({ dkp_raw }) => dkp_raw === 0),
      with_goal: count(({ goal }) => goal !== null),
      below_goal: count((each) => each.below_goal),
    },
  };
}
