import type * as z from 'zod';
import { HOUR_MS } from '../../../domain/days.ts';
import type { adminEvent, adminEventList } from '../../../domain/events/answers.ts';
import { stateOf } from '../../../domain/events/event.ts';
import type { Db } from '../../db/open.ts';
import { eventHead, partVersions } from '../../models/events/event-snapshots.ts';
import { EVENTS_PER_PAGE, type Event, listEvents } from '../../models/events/events.ts';
import { gatheringsOf } from '../../models/events/gatherings.ts';
import { snapshotAnswers } from './public-event.ts';

export type AdminEvent = z.infer<typeof adminEvent>;

/** An event with everything that admins see of it, also what is not public yet. */
export async function adminEventOf(db: Db, event: Event, now: number): Promise<AdminEvent> {
  const [head, refreshes, versions] = await Promise.all([
    eventHead(db, event.id),
    gatheringsOf(db, event.id),
    partVersions(db, event.id),
  ]);
  const { plan, id, mark, created_at, updated_at, next_refresh, revision } = head?.event ?? event;
  const state = stateOf(plan, mark, now);
  return {
    dashboard_id: id,
    state,
    created_at,
    updated_at,
    next_refresh,
    revision,
    snapshots: snapshotAnswers(head?.snapshots ?? [], state === 'running').map((snapshot) => ({
      ...snapshot,
      public_at: snapshot.ts + plan.publication_delay * HOUR_MS,
      replaced: versions.flatMap(({ ts, ...version }) => (ts === snapshot.ts ? [version] : [])),
    })),
    refreshes,
    event: { ...plan },
  };
}

/** A page of all events as admins see them, newest first. */
export async function listAdminEvents(db: Db, before: number | undefined): Promise<z.infer<typeof adminEventList>> {
  const page = await listEvents(db, before);
  const now = Date.now();
  return {
    events: await Promise.all(page.map((event) => adminEventOf(db, event, now))),
    next: page.length === EVENTS_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
  };
}
