import type * as z from 'zod';
import { DKP } from '../../../domain/events/columns.ts';
import { type EventPlan, kingdomKeys } from '../../../domain/events/event.ts';
import type { eventChanges, warRecord } from '../../../domain/events/room-answers.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { numbersOf } from '../../../domain/scans/rows.ts';
import { groupSums } from '../difference/comparison.ts';
import { pointAt, rowOfGovernor, type Sides, warBetween, warWith } from './answer-dashboard.ts';
import { type Changes, changesBetween, type Earlier, type Standing, scoresBy } from './make-changes.ts';
import { type MadeRoom, peopleBy, roomsOf } from './make-room.ts';
import { type EventWar, endWar } from './war.ts';
import type { SnapshotRange } from './write-data.ts';

/** What calls about one kingdom or governor of an event answer, and what changed. */

export type EventChanges = z.infer<typeof eventChanges>;
export type WarRecord = z.infer<typeof warRecord>;

const minus = (score: number | null, gained: number | null): number | null =>
  score === null || gained === null ? null : score - gained;

const scoresOf = (war: EventWar): Standing => groupSums(war, []).map(({ dkp }) => dkp);

/**
 * Returns what changed between two moments of a range, for each of `keys` (kingdoms by their place, null for all of the
 * event), and each governor's score since.
 */
async function changesIn(
  plan: EventPlan,
  sides: Sides,
  { start, end, since }: SnapshotRange & { since: number },
  keys: readonly (number | null)[],
): Promise<{ changes: Changes[]; gained: ReadonlyMap<number, number> }> {
  const later = (await pointAt(plan, sides, { start, end }, [DKP], true)).gained[DKP] ?? [];
  let [before, earlier]: [Earlier | null, Standing] = [null, []];
  if (since > start) {
    const war = await warBetween(plan, sides, { start, end: since });
    [before, earlier] = [scoresBy(war), scoresOf(war)];
    endWar(war);
  }
  const after = await warBetween({ ...plan, power_off: 0 }, sides, { start: since, end });
  if (!before) earlier = scoresOf(after).map((gained, key) => minus(later[key] ?? null, gained));
  const changesOf = changesBetween({ before, after, standings: { earlier, later } });
  const changes = keys.map(changesOf);
  const ids = numbersOf(after.compared.from, GAMES[plan.game].roles.id);
  const { rows } = after.compared;
  const gained = new Map<number, number>();
  for (let pair = 0; pair < rows.common; pair++)
    gained.set(ids[rows.from[pair] as number] as number, after.scores.dkp[pair] as number);
  endWar(after);
  return { changes, gained };
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
  const { changes } = await changesIn(plan, sides, { start, end, since }, [key]);
  const [own = NO_CHANGES] = changes;
  return { since, until: end, kingdom, ...own };
}

const NO_CHANGES: Changes = { changes: [], counts: {} };

/** Yields the war rooms of some of the event's kingdoms. `since` is null if the range has one scan only. */
export async function* answerRooms(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  since: number | null,
  kingdoms: readonly string[],
): AsyncGenerator<MadeRoom> {
  const places = kingdomKeys(plan.camps);
  const keys = kingdoms.map((kingdom) => places.indexOf(kingdom));
  const changed = since === null ? null : await changesIn(plan, sides, { ...range, since }, keys);
  const war = await warBetween(plan, sides, range);
  try {
    const changesOf = (key: number) => changed?.changes[keys.indexOf(key)] ?? NO_CHANGES;
    const roomOf = roomsOf(war, range, { since, gained: changed?.gained ?? null, changesOf });
    for (const key of keys) yield roomOf(key);
  } finally {
    endWar(war);
  }
}

/** A governor's row in the war room of the kingdom that they count for; null if they are not in both scans. */
export async function answerRecord(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  id: number,
): Promise<WarRecord | null> {
  const war = await warWith(plan, sides, range, id);
  if (!war) return null;
  const record = recordIn(plan, war, id);
  endWar(war);
  return record;
}

function recordIn(plan: EventPlan, war: EventWar, id: number): WarRecord | null {
  const { from, rows } = war.compared;
  const pair = rows.from.subarray(0, rows.common).indexOf(rowOfGovernor(from, id));
  const key = pair < 0 ? -1 : (war.start[rows.from[pair] as number] as number);
  if (key < 0) return null;
  const { pairs, row } = peopleBy(war, null)(key);
  const { since: _, ...own } = row(pair);
  return {
    ...own,
    kingdom: war.kingdoms[key] ?? '',
    camp: plan.camps[war.campOf[key] as number]?.name ?? '',
    of: pairs.length,
    event_of: rows.common,
  };
}
