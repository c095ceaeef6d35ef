import type * as z from 'zod';
import { DKP } from '../../../domain/events/columns.ts';
import { type EventPlan, kingdomKeys } from '../../../domain/events/event.ts';
import type { eventChanges, warRecord } from '../../../domain/events/room-answers.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { numbersOf, reorder, type Table } from '../../../domain/scans/rows.ts';
import { figuresFor, pointAt, rowOfGovernor, type Sides, unmeasuredIn, warBetween } from './answer-dashboard.ts';
import { type Changes, makeChanges, sidesOfKingdom } from './make-changes.ts';
import { type EventRoom, makeRoom, peopleOf } from './make-room.ts';
import { type EventWar, endWar, eventWar, kingdomsOfRows } from './war.ts';
import type { SnapshotRange } from './write-data.ts';

/** What calls about one kingdom or governor of an event answer, and what changed. */

export type EventChanges = z.infer<typeof eventChanges>;
export type WarRecord = z.infer<typeof warRecord>;

/** The scores of all kingdoms at a moment, from the points of the lines. */
const scoresAt = async (plan: EventPlan, sides: Sides, range: SnapshotRange, last: boolean) =>
  (await pointAt(plan, sides, range, [DKP], last)).gained[DKP] ?? [];

/** What changed between two moments of a range, for one kingdom or all, and each governor's score since. */
async function changesIn(
  plan: EventPlan,
  sides: Sides,
  { start, end, since }: SnapshotRange & { since: number },
  key: number | null,
): Promise<Changes & { gained: ReadonlyMap<number, number> }> {
  const standings = {
    earlier: await scoresAt(plan, sides, { start, end: since }, false),
    later: await scoresAt(plan, sides, { start, end }, true),
  };
  const figures = figuresFor(plan);
  const whole: Table[] = [];
  for (const ts of [start, since, end]) whole.push(await sides.side(ts, figures, true));
  const own = key === null ? whole : sidesOfKingdom((side) => kingdomsOfRows(plan, side), whole, key, reorder);
  const [first, then, last] = own as [Table, Table, Table];
  const before = since > start ? eventWar(plan, first, then, unmeasuredIn(sides, { start, end: since })) : null;
  const after = eventWar(plan, then, last, unmeasuredIn(sides, { start: since, end }));
  const changes = makeChanges({ before, after, standings, key });
  const ids = numbersOf(then, GAMES[plan.game].roles.id);
  const { rows } = after.compared;
  const gained = new Map<number, number>();
  for (let pair = 0; pair < rows.common; pair++)
    gained.set(ids[rows.from[pair] as number] as number, after.scores.dkp[pair] as number);
  if (before) endWar(before);
  endWar(after);
  return { ...changes, gained };
}

/** What changed from one moment to the end of a range; `kingdom` limits it to one of the event's kingdoms. */
export async function answerChanges(
  plan: EventPlan,
  sides: Sides,
  { start, end, since }: SnapshotRange & { since: number },
  kingdom: string | null,
): Promise<EventChanges | null> {
  const key = kingdom === null ? null : kingdomKeys(plan.camps).indexOf(kingdom);
  if (key === -1) return null;
  const { changes, counts } = await changesIn(plan, sides, { start, end, since }, key);
  return { since, until: end, kingdom, changes, counts };
}

/** A kingdom's war room; null if the event has no such kingdom. `since` is null if the range has one scan only. */
export async function answerRoom(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  kingdom: string,
  since: number | null,
): Promise<EventRoom | null> {
  const key = kingdomKeys(plan.camps).indexOf(kingdom);
  if (key < 0) return null;
  const changed =
    since === null ? { changes: [], counts: {}, gained: null } : await changesIn(plan, sides, { ...range, since }, key);
  const war = await warBetween(plan, sides, range);
  const room = makeRoom(war, range, key, { ...changed, since });
  endWar(war);
  return room;
}

/** A governor's row in the war room of the kingdom that they count for; null if they are not in both scans. */
export async function answerRecord(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  id: number,
): Promise<WarRecord | null> {
  const war = await warBetween(plan, sides, range);
  const record = recordIn(plan, war, id);
  endWar(war);
  return record;
}

function recordIn(plan: EventPlan, war: EventWar, id: number): WarRecord | null {
  const { from, rows } = war.compared;
  const pair = rows.from.subarray(0, rows.common).indexOf(rowOfGovernor(from, id));
  const key = pair < 0 ? -1 : (war.start[rows.from[pair] as number] as number);
  if (key < 0) return null;
  const { pairs, row } = peopleOf(war, key, null);
  const { since: _, ...own } = row(pair);
  return {
    ...own,
    kingdom: war.kingdoms[key] ?? '',
    camp: plan.camps[war.campOf[key] as number]?.name ?? '',
    of: pairs.length,
    event_of: rows.common,
  };
}
