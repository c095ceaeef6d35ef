import { type Db, openDb } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { headOf, isKnown } from '../../gateways/dashboard-answers.ts';
import type { EventHead } from '../../models/events/event-snapshots.ts';
import { type Event, eventOf, isEvent } from '../../models/events/events.ts';

/** Returns the event with this id. @throws Refusal not_found. */
export async function findEvent(db: Db, id: number): Promise<Event> {
  const event = await eventOf(db, id);
  if (!event) throw notFound('event');
  return event;
}

/**
 * Returns a published event with its snapshots. Checks that the event exists first, because asking an object creates it,
 * and strangers could create one for every number.
 * @throws Refusal not_found if the event does not exist or is a draft.
 */
export async function eventHeadOf(
  env: Pick<Env, 'DASHBOARD_CACHE' | 'DB' | 'LOCATION'>,
  id: number,
  now = Date.now(),
): Promise<EventHead> {
  if (!isKnown(id) && !(await isEvent(openDb(env.DB), id))) throw notFound('event');
  const head = await headOf(env, id, now);
  if (head.event.mark === 'draft') throw notFound('event');
  return head;
}
