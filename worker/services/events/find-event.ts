import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { type Event, eventOf } from '../../models/events/events.ts';

/** The event of that id. @throws Refusal not_found. */
export async function findEvent(db: Db, id: number): Promise<Event> {
  const event = await eventOf(db, id);
  if (!event) throw notFound('event');
  return event;
}
