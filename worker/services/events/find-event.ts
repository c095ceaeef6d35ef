import { type Databases, type Db, openDb } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { forgetInObject } from '../../gateways/dashboard-answers.ts';
import { EVENTS_TAG, eventTag, purge } from '../../gateways/workers-cache.ts';
import { LruCache } from '../../isolate/lru-cache.ts';
import { type EventHead, eventHead } from '../../models/events/event-snapshots.ts';
import { type Event, eventOf } from '../../models/events/events.ts';

/** With the edge's and the browser's caches, a new snapshot is visible everywhere within half a minute. */
const HEAD_MS = 8000;
const HEADS_BYTES = 2 * 1024 * 1024;

const heads = new LruCache<{ head: EventHead; until: number }>(HEADS_BYTES);

/** Returns the event. Refuses an unknown id. */
export async function findEvent(db: Db, id: number): Promise<Event> {
  const event = await eventOf(db, id);
  if (!event) throw notFound('event');
  return event;
}

/** Caches a head that was just read, in this isolate. */
export function keepHead(head: EventHead, now: number): void {
  heads.put(String(head.event.id), { head, until: now + HEAD_MS }, 2 * JSON.stringify(head).length);
}

/** Drops this isolate's cached head of an event. */
export const forgetHead = (id: number): void => {
  heads.drop(String(id));
};

/** Drops this isolate's cached heads of all events. */
export const forgetHeads = (): void => heads.clear();

/**
 * Returns a published event with its snapshots, at most some seconds old, for everybody. Refuses an unknown event. In an
 * isolate that has not met the event yet, `meanwhile` runs during the look-up.
 */
export async function eventHeadOf(
  databases: Databases,
  id: number,
  now = Date.now(),
  meanwhile: () => Promise<void> = async () => {},
): Promise<EventHead> {
  const held = heads.get(String(id));
  const isFresh = held && now < held.until && held.until - now <= HEAD_MS;
  const read = () => Promise.all([eventHead(openDb(databases), id), held ? undefined : meanwhile()]);
  const [head] = isFresh ? [held.head] : await read();
  if (!head || head.event.mark === 'draft') throw notFound('event');
  if (!isFresh) keepHead(head, now);
  return head;
}

/** Drops what is cached of an event, so that its editor sees the change. */
export async function forgetEvent(env: Pick<Env, 'DASHBOARD_CACHE' | 'LOCATION'>, id: number): Promise<void> {
  forgetHead(id);
  await Promise.all([forgetInObject(env, id), purge([eventTag(id), EVENTS_TAG])]);
}
