import type * as z from 'zod';
import { nextOf } from '../../../domain/answers.ts';
import { HOUR_MS } from '../../../domain/days.ts';
import type { adminEvent, adminEventList, adminEventsQuery } from '../../../domain/events/answers.ts';
import { stateOf } from '../../../domain/events/event.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { eventHeads, partVersions } from '../../models/events/event-snapshots.ts';
import { EVENTS_PER_PAGE, type Event, listEvents } from '../../models/events/events.ts';
import { gatheringsOf } from '../../models/events/gatherings.ts';
import { lateEvents } from '../../models/service/fleet-troubles.ts';
import { versionOf } from './change-event.ts';
import { findEvent } from './find-event.ts';
import { snapshotAnswers } from './public-event.ts';

export type AdminEvent = z.infer<typeof adminEvent>;

/** Returns events with everything that admins see of them, also what is not public yet and ids of removed players. */
async function withDetails(db: Db, events: readonly Event[], now: number): Promise<AdminEvent[]> {
  const ids = events.map(({ id }) => id);
  const [heads, refreshes, versions, late] = await Promise.all([
    eventHeads(db, ids),
    gatheringsOf(db, ids),
    partVersions(db, ids),
    lateEvents(db, now),
  ]);
  const lateSince = new Map(late.map(({ id, due }) => [id, due]));
  const snapshotsOf = new Map(heads.map(({ event, snapshots }) => [event.id, snapshots]));
  return events.map(({ plan, id, mark, created_at, updated_at, next_refresh, revision }) => {
    const state = stateOf(plan, mark, now);
    return {
      dashboard_id: id,
      state,
      created_at,
      updated_at,
      next_refresh,
      revision,
      version: versionOf(plan),
      late_since: lateSince.get(id) ?? null,
      snapshots: snapshotAnswers(snapshotsOf.get(id) ?? [], state === 'running').map((snapshot) => ({
        ...snapshot,
        public_at: snapshot.ts + plan.publication_delay * HOUR_MS,
        replaced: (versions.get(id) ?? []).flatMap(({ ts, ...version }) => (ts === snapshot.ts ? [version] : [])),
      })),
      refreshes: refreshes.get(id) ?? [],
      event: { ...plan },
    };
  });
}

/** Returns an event as admins see it. Refuses an unknown id. */
export async function findAdminEvent(db: Db, id: number): Promise<AdminEvent> {
  const [found] = await withDetails(db, [await findEvent(db, id)], Date.now());
  if (!found) throw notFound('event');
  return found;
}

/** Returns a page of events as admins see them, newest first: all, those in a state, or late ones. */
export async function listAdminEvents(
  db: Db,
  { before, state }: z.output<typeof adminEventsQuery>,
  now = Date.now(),
): Promise<z.infer<typeof adminEventList>> {
  const wanted = state === 'late' ? { ids: (await lateEvents(db, now)).map(({ id }) => id) } : state ? { state } : {};
  const page = await listEvents(db, { ...wanted, ...(before === undefined ? {} : { before }) }, now);
  return {
    events: await withDetails(db, page, now),
    next: nextOf(page, EVENTS_PER_PAGE, ({ id }) => id),
  };
}
