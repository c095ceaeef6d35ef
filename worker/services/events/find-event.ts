import { type Db, openDb } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { headOf, isKnown } from '../../gateways/dashboard-answers.ts';
import type { EventHead } from '../../models/events/event-snapshots.ts';
import { type Event, eventOf, isEvent } from '../../models/events/events.ts';

/** The event of that id. @throws Refusal not_found. */
export async function findEvent(db: Db, id: number): Promise<Event> {
  const event = await eventOf(db, id);
  if (!event) throw notFound('event');
  return event;
}

/**
 * A published event with its snapshots, for anybody who names it. Its object comes to be when it is first asked, so that of
 * numbers which are no event's none is: a stranger could make as many as he can count.
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
