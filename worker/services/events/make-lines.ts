import type * as z from 'zod';
import type { eventLines } from '../../../domain/events/answers.ts';
import { DKP } from '../../../domain/events/columns.ts';
import type { EventPlan } from '../../../domain/events/event.ts';
import { groupSums } from '../difference/comparison.ts';
import type { CampPoint } from './make-board.ts';
import { type EventWar, statesOf } from './war.ts';

export type EventLines = z.infer<typeof eventLines>;

/** What each key had gained and was at a moment: a value for each key, in the order of the keys. */
export interface Point {
  ts: number;
  gained: Record<string, (number | null)[]>;
  now: Record<string, (number | null)[]>;
}

/** One point of the lines: the gains from the start to there, guarded, and what there is. */
export function makePoint(war: EventWar, ts: number, metrics: readonly string[]): Point {
  const columns = metrics.filter((metric) => metric !== DKP);
  const sums = groupSums(war, columns);
  const states = statesOf(war.compared.to, war.end, war.kingdoms.length, columns);
  const gained = Object.fromEntries(
    metrics.map((metric) => [metric, sums.map((sum) => (metric === DKP ? sum.dkp : (sum.gains[metric] ?? null)))]),
  );
  const now = Object.fromEntries(columns.map((key) => [key, states.map(({ figures }) => figures[key] ?? null)]));
  return { ts, gained, now };
}

type Known = number | null;

const sum = (values: readonly Known[]): Known =>
  values.reduce<Known>((total, value) => (value === null ? total : (total ?? 0) + value), null);

/** For each camp its keys' numbers, in the order of the camps. */
function campKeys({ camps }: EventPlan): number[][] {
  let next = 0;
  return camps.map(({ kingdoms }) => kingdoms.map(() => next++));
}

/** The points as the lines of each kingdom and camp. */
export function makeLines(plan: EventPlan, points: readonly Point[], metrics: readonly string[]): EventLines {
  const states = metrics.filter((metric) => metric !== DKP);
  const lineOf = (part: 'gained' | 'now', metric: string, keys: readonly number[]) =>
    points.map((point) => sum(keys.map((key) => point[part][metric]?.[key] ?? null)));
  const linesOf = (keys: readonly number[]) => ({
    gained: Object.fromEntries(metrics.map((metric) => [metric, lineOf('gained', metric, keys)])),
    now: Object.fromEntries(states.map((metric) => [metric, lineOf('now', metric, keys)])),
  });
  const keysOfCamp = campKeys(plan);
  const keys = plan.camps.flatMap(({ kingdoms }) => kingdoms);
  return {
    ts: points.map(({ ts }) => ts),
    metrics: [...metrics],
    camps: Object.fromEntries(plan.camps.map(({ name }, camp) => [name, linesOf(keysOfCamp[camp] ?? [])])),
    kingdoms: Object.fromEntries(keys.map((key, number) => [key, linesOf([number])])),
  };
}

/** The guarded DKP of the camps along the points. */
export const campLine = (plan: EventPlan, points: readonly Point[]): CampPoint[] => {
  const keys = campKeys(plan);
  return points.map(({ ts, gained }) => ({
    ts,
    dkp: keys.map((own) => sum(own.map((key) => gained[DKP]?.[key] ?? null))),
  }));
};
