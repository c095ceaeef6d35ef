import type * as z from 'zod';
import { differenceOf, knownGains, scorable } from '../../../domain/difference/difference.ts';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { percentOf } from '../../../domain/difference/percentages.ts';
import { countsDeads, goalOf, scoresOf, weighed } from '../../../domain/difference/scoring.ts';
import type { eventGovernor } from '../../../domain/events/answers.ts';
import { gainKeys } from '../../../domain/events/columns.ts';
import { type EventPlan, keyNumbers, kingdomKeys } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { orNull } from '../../../domain/known.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';

import type { SnapshotRange } from './write-data.ts';

export type EventGovernor = z.infer<typeof eventGovernor>;
type Step = EventGovernor['steps'][number];

/** Returns the seasonal figures that fell: which step a season began in is not known otherwise. */
const fallen = (seasonal: ReadonlySet<string>, from: GovernorReading, to: GovernorReading): Set<string> =>
  new Set([...seasonal].filter((key) => (to.row.numbers[key]?.[0] as number) < (from.row.numbers[key]?.[0] as number)));

/** One reading of the governor: a table of one row. */
export interface GovernorReading {
  ts: number;
  captured_at: number;
  stands_in: boolean;
  /** Returns a table of one row. */
  row: Table;
}

/**
 * Explains a governor's score: their readings in the range (oldest first), the gain of each step, and the certain part
 * of an unverified score. `seasons` come from the whole difference, because one governor alone cannot show them.
 */
export function makeGovernor(
  plan: EventPlan,
  range: SnapshotRange,
  readings: readonly GovernorReading[],
  rank: number | null,
  seasonal: ReadonlySet<string>,
): EventGovernor {
  const { roles } = GAMES[plan.game];
  const last = readings.at(-1) as GovernorReading;
  const first = readings[0] as GovernorReading;
  const stepBy = (scoring: EventPlan) => (from: GovernorReading, to: GovernorReading) =>
    stepOf(scoring, from, to, fallen(seasonal, from, to));
  // Power is deducted once, from what stands for the whole score.
  const step = stepBy({ ...plan, power_off: 0 });
  const steps = readings.slice(1).map((to, index) => step(readings[index] as GovernorReading, to));
  const inBoth = first.ts === range.start && last.ts === range.end && range.start < range.end;
  const whole = inBoth ? stepOf(plan, first, last, seasonal) : null;
  const place = placeOf(plan, first.row);
  const id = numbersOf(last.row, roles.id)[0] as number;
  return {
    range,
    id,
    name: textsOf(last.row, roles.name)[0] ?? '',
    ...place,
    rank,
    readings: readings.map((reading) => readingOf(plan, reading)),
    steps,
    whole,
    at_least: whole && whole.dkp === null && whole.dkp_raw !== null ? atLeast(readings, stepBy(plan)) : null,
    goal: whole ? goalReached(plan, first.row, whole) : null,
    deads_off: plan.zeroed?.[id] ?? 0,
    exempt: plan.exempt.includes(id),
  };
}

function placeOf(plan: EventPlan, row: Table): { camp: string | null; kingdom: string | null } {
  const kingdom = numbersOf(row, GAMES[plan.game].roles.kingdom)[0] as number;
  const number = keyNumbers(plan.camps)(kingdom, row.numbers.domain?.[0] ?? Number.NaN);
  const key = kingdomKeys(plan.camps)[number] ?? null;
  return {
    camp: plan.camps.find(({ kingdoms }) => key !== null && kingdoms.includes(key))?.name ?? null,
    kingdom: key,
  };
}

function readingOf(
  plan: EventPlan,
  { ts, captured_at, stands_in, row }: GovernorReading,
): EventGovernor['readings'][number] {
  const { roles } = GAMES[plan.game];
  return {
    ts,
    captured_at,
    stands_in,
    name: textsOf(row, roles.name)[0] ?? '',
    tag: textsOf(row, roles.tag)[0] ?? null,
    kingdom: placeOf(plan, row).kingdom,
    figures: Object.fromEntries(gainKeys(plan.game, plan.weights).map((key) => [key, orNull(row.numbers[key]?.[0])])),
  };
}

/** `restarted`: the figures that count from 0, because a new season began between the two readings. */
function stepOf(plan: EventPlan, from: GovernorReading, to: GovernorReading, restarted: ReadonlySet<string>): Step {
  const alone = differenceOf(from.row, to.row);
  const kingdom = numbersOf(from.row, GAMES[plan.game].roles.kingdom)[0] as number;
  const seasons = new Map([...restarted].map((key) => [key, new Set([kingdom])]));
  // A repeated scan adds no information.
  const unmeasured = new Set(to.captured_at === from.captured_at ? [kingdom] : []);
  const difference = { ...alone, seasons, unmeasured };
  const scores = scoresOf(scorable(difference), plan, (key) => knownGains(difference, key));
  const gains: Step['gains'] = {};
  const doubts: Step['doubts'] = {};
  for (const key of gainKeys(plan.game, plan.weights)) {
    const gained = knownGains(difference, key);
    gains[key] = orNull(gained?.raw[0]);
    const doubt = gained && doubtAt(gained.doubts, 0);
    if (doubt) doubts[key] = doubt;
  }
  const { id } = GAMES[plan.game].roles;
  const share = (key: string) =>
    countsDeads(plan.game, key) ? (100 - (plan.zeroed?.[numbersOf(from.row, id)[0] as number] ?? 0)) / 100 : 1;
  const points = weighed(plan.weights).map(([key, weight]) => {
    const gain = gains[key];
    return [key, gain === null || gain === undefined ? null : gain * weight * share(key)] as const;
  });
  return {
    from: from.ts,
    to: to.ts,
    gains,
    doubts,
    points: Object.fromEntries(points),
    dkp: orNull(scores.dkp[0]),
    dkp_raw: orNull(scores.raw[0]),
  };
}

/** Returns the largest gain that two consistent readings prove, whatever the others show; null if none do. */
function atLeast(
  readings: readonly GovernorReading[],
  step: (from: GovernorReading, to: GovernorReading) => Step,
): EventGovernor['at_least'] {
  let best: EventGovernor['at_least'] = null;
  for (const [index, from] of readings.entries())
    for (const to of readings.slice(index + 1)) {
      const { dkp } = step(from, to);
      if (dkp !== null && dkp > (best?.dkp ?? -1)) best = { dkp, since: from.ts, until: to.ts };
    }
  return best;
}

function goalReached(plan: EventPlan, start: Table, { gains, doubts, dkp }: Step): EventGovernor['goal'] {
  const { power, deads, tiers } = GAMES[plan.game].roles;
  const goal = goalOf(plan.goals, numbersOf(start, power)[0] as number);
  if (!goal) return null;
  const sure = (key: string) => (doubts[key] ? null : (gains[key] ?? null));
  const [t4, t5] = [sure(tiers[3]), sure(tiers[4])];
  const kills = t4 === null || t5 === null ? null : t4 + t5;
  return {
    ...goal,
    reached: {
      dkp: percentOf(dkp, goal.dkp),
      kills: percentOf(kills, goal.kills),
      deads: percentOf(sure(deads), goal.deads),
    },
  };
}
