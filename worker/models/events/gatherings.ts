import { gatheringLimit, kingdomsIn, LAST_GATHERING_LATE_MS, nextGathering } from '../../../domain/events/event.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { writeOrder } from '../orders/placing.ts';
import { type NewPart, snapshotStatements } from './event-snapshots.ts';
import { byEvent, type Event, eventFrom } from './events.ts';

/** Gatherings: orders of internal scans that become a snapshot of an event. */

/** The account that places the orders (created by a migration). It cannot sign in and pays nothing. */
export const EVENTS_ACCOUNT = 'service:events';

const DUE_AT_ONCE = 20;

/** Returns events whose gathering is due and not yet running. */
export async function dueEvents(db: Db, now: number): Promise<Event[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, plan, mark, revision, next_refresh, created_at, updated_at FROM events
       WHERE mark = 'open' AND next_refresh <= ?1 AND end_at >= ?2
         AND NOT EXISTS (SELECT 1 FROM event_refreshes WHERE event_id = events.id AND state = 'running')
       ORDER BY next_refresh LIMIT ${DUE_AT_ONCE}`,
    )
    .bind(now, now - LAST_GATHERING_LATE_MS)
    .all<Parameters<typeof eventFrom>[0]>();
  return results.map(eventFrom);
}

/**
 * Starts an event's gathering due at `due`: the order, the gathering's row and the time of the next one, in one batch.
 * Returns false if one is running or this one was started before.
 */
export async function beginGathering(db: Db, event: Event, due: number, now = Date.now()): Promise<boolean> {
  const { plan, mark, id } = event;
  const product = PRODUCTS.find(({ game, kind }) => game === plan.game && kind === 'scan');
  if (!product) throw new Error(`there is no scan of ${plan.game}`);
  const params = {
    [product.kingdoms]: kingdomsIn(plan.camps).map(String),
    [product.governors]: plan.depth,
    full_profile: true,
  };
  const key = `event:${id}:${due}`;
  const also = (uuid: string) => [
    db.$client
      .prepare(
        `INSERT INTO event_refreshes (event_id, due_at, order_id, started_at, deadline)
         SELECT ?1, ?2, id, ?3, ?4 FROM orders WHERE uuid = ?5`,
      )
      .bind(id, due, now, now + gatheringLimit(plan.refresh_rate), uuid),
    db.$client
      .prepare(`UPDATE events SET next_refresh = ?2 WHERE id = ?1`)
      .bind(id, nextGathering(plan, mark, due, now)),
  ];
  try {
    const placed = await writeOrder(
      db,
      {
        userId: EVENTS_ACCOUNT,
        entries: [{ product, entry: { type: product.id, params, price: 0 }, price: 0 }],
        idempotencyKey: key,
        requestHash: key,
        also,
      },
      now,
    );
    return placed.outcome === 'placed';
  } catch (error) {
    if (brokeConstraint(error, 'event_refreshes')) return false;
    throw error;
  }
}

/** A running gathering and its progress. */
export interface Gathering {
  id: number;
  event: Event;
  order_id: number;
  started_at: number;
  deadline: number;
  items: GatheredItem[];
}

interface GatheredItem {
  item_id: string;
  kingdom_id: number;
  /** False while bots are working on it. */
  ended: boolean;
  /** Why the scan failed, in the bots' words. */
  error: string | null;
  key: string | null;
  captured_at: number | null;
}

interface GatheringRow extends Pick<Gathering, 'id' | 'order_id' | 'started_at' | 'deadline'> {
  event_id: number;
  items: string;
}

const OPEN_AT_ONCE = 50;

/** Returns the running gatherings. */
export async function openGatherings(db: Db): Promise<Gathering[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id, event_id, order_id, started_at, deadline,
         (SELECT json_group_array(json_object('item_id', items.id, 'kingdom_id', items.kingdom_id,
            'ended', json(iif(items.state IN ('open', 'finishing'), 'false', 'true')), 'error', items.error,
            'key', snapshots.key, 'captured_at', snapshots.captured_at))
          FROM items LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
          WHERE items.order_id = event_refreshes.order_id) AS items
       FROM event_refreshes WHERE state = 'running' ORDER BY deadline LIMIT ${OPEN_AT_ONCE}`,
    )
    .all<GatheringRow>();
  if (results.length === 0) return [];
  const events = await db.$client
    .prepare(
      `SELECT id, plan, mark, revision, next_refresh, created_at, updated_at FROM events
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .bind(JSON.stringify(results.map(({ event_id }) => event_id)))
    .all<Parameters<typeof eventFrom>[0]>();
  const byId = new Map(events.results.map((row) => [row.id, eventFrom(row)]));
  return results.flatMap(({ event_id, items, ...rest }) => {
    const event = byId.get(event_id);
    return event ? [{ ...rest, event, items: JSON.parse(items) as GatheredItem[] }] : [];
  });
}

const endStatement = (
  db: Db,
  { id }: Gathering,
  end: { state: 'done' | 'failed'; msg: string },
  now: number,
): D1PreparedStatement =>
  db.$client
    .prepare(`UPDATE event_refreshes SET state = ?2, msg = ?3, ended_at = ?4 WHERE id = ?1 AND state = 'running'`)
    .bind(id, end.state, end.msg, now);

/** Ends a gathering and stores its snapshot, in one batch. Idempotent. */
export async function endGathering(
  db: Db,
  gathering: Gathering,
  { ts, parts, msg }: { ts: number; parts: readonly NewPart[]; msg: string },
  now = Date.now(),
): Promise<void> {
  const { event } = gathering;
  const kingdoms = kingdomsIn(event.plan.camps);
  await db.$client.batch([
    ...snapshotStatements(db, event.id, { ts, source: 'bots', kingdoms, parts, corrects: false }, now),
    endStatement(db, gathering, { state: 'done', msg }, now),
  ]);
}

/** Ends a gathering without a snapshot. The event's data stays and shows since when nothing new came. */
export async function failGathering(db: Db, gathering: Gathering, msg: string, now = Date.now()): Promise<void> {
  await db.$client.batch([
    endStatement(db, gathering, { state: 'failed', msg }, now),
    db.$client.prepare(`UPDATE events SET revision = revision + 1 WHERE id = ?`).bind(gathering.event.id),
  ]);
}

/** A gathering as shown to admins. */
interface ListedGathering {
  due_at: number;
  state: 'running' | 'done' | 'failed';
  order_id: number | null;
  kingdoms: number;
  in: number;
  deadline: number;
  msg: string;
}

const LISTED = 20;

/** Returns the newest gatherings of each event, newest first. */
export async function gatheringsOf(db: Db, events: readonly number[]): Promise<Map<number, ListedGathering[]>> {
  const { results } = await db.$client
    .prepare(
      `SELECT event_id, due_at, event_refreshes.state, event_refreshes.order_id, deadline, msg,
         count(items.id) AS kingdoms, count(items.snapshot_id) AS "in"
       FROM json_each(?) wanted JOIN event_refreshes ON event_refreshes.id IN
         (SELECT id FROM event_refreshes WHERE event_id = wanted.value ORDER BY due_at DESC LIMIT ${LISTED})
       LEFT JOIN items ON items.order_id = event_refreshes.order_id
       GROUP BY event_refreshes.id ORDER BY due_at DESC`,
    )
    .bind(JSON.stringify(events))
    .all<ListedGathering & { event_id: number }>();
  return byEvent(results);
}
