import { eq } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import { type ItemState, RETURN_AFTER_MS } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { items, orders } from '../../db/schema.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { cancelledStatements, shortfallStatements } from '../money/returns.ts';
import { notAsideSql } from '../service/setbacks.ts';
import { allowsSql } from './orders.ts';

const stopSubtasks = (db: Db, orderId: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE subtasks SET state = 'cancelled', lease = NULL
       WHERE state <> 'cancelled' AND item_id IN (SELECT id FROM items WHERE order_id = ? AND state = 'cancelled')`,
    )
    .bind(orderId);

/** What a cancellation stopped, and what came back for it. */
export interface Cancelled {
  items: string[];
  returned: Cents;
}

/**
 * Cancels those items of an order that have no results, or the one named, and returns their price in the same batch:
 * D1 takes one writer at a time, so of a cancellation and the last hand-in exactly one wins. Null where it was too late
 * for all of them.
 */
export async function cancelItems(
  db: Db,
  { orderId, userId, itemId }: { orderId: number; userId: string; itemId: string | null },
  now = Date.now(),
): Promise<Cancelled | null> {
  const [cancelled] = await db.$client.batch<{ id: string; price_cents: Cents }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', finished_at = ?3, incomplete_count = 0
         WHERE order_id = ?1 AND (?2 IS NULL OR id = ?2) AND ${allowsSql('cancel', 'items')}
         RETURNING id, price_cents`,
      )
      .bind(orderId, itemId, now),
    stopSubtasks(db, orderId),
    ...cancelledStatements(db, { orderId, userId }, now),
  ]);
  const stopped = cancelled?.results ?? [];
  if (stopped.length === 0) return null;
  return { items: stopped.map(({ id }) => id), returned: stopped.reduce((sum, each) => sum + each.price_cents, 0) };
}

/**
 * Cancels an item that cannot be had, with its reason, and returns its price: nobody's click is waited for, since what
 * is not there cannot be repaired. Answers the state that the item has after this.
 */
export async function cancelUnavailable(db: Db, itemId: string, reason: string, now = Date.now()): Promise<ItemState> {
  const [item] = await db
    .select({ orderId: items.order_id, userId: orders.user_id })
    .from(items)
    .innerJoin(orders, eq(orders.id, items.order_id))
    .where(eq(items.id, itemId));
  if (!item) return 'cancelled';
  const [cancelled] = await db.$client.batch<{ state: ItemState }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', error = ?2, finished_at = ?3
         WHERE id = ?1 AND state IN ('open', 'finishing') AND snapshot_id IS NULL RETURNING state`,
      )
      .bind(itemId, reason, now),
    ...cancelledStatements(db, item, now),
  ]);
  return cancelled?.results[0]?.state ?? 'cancelled';
}

const GIVEN_UP_AT_ONCE = 50;

export interface Unread {
  item_id: string;
  order_id: number;
  user_id: string;
  version: number;
  has_results: number;
  /** Governors that its results hold; 0 where there are none. */
  got: number;
}

/** An item that nobody repaired in time, as its order's object is told of it. */
export interface GivenUp {
  item_id: string;
  order_id: number;
  /** False: it is cancelled. True: its results stand, without the parts that failed. */
  has_results: boolean;
}

const OVERDUE = `items.failed_count > 0 AND items.state IN ('failed', 'done') AND items.finished_at <= ?1`;

/** The job of giving up items that nobody repaired. */
export const GIVING_UP = 'items given up';

/** Items of which bots could not read something, that nobody had repaired for a day, and that are not put aside. */
export async function overdueItems(db: Db, now: number): Promise<Unread[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.id AS item_id, order_id, orders.user_id, items.version,
         snapshot_id IS NOT NULL AS has_results, coalesce(snapshots.rows, 0) AS got
       FROM items JOIN orders ON orders.id = items.order_id LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
       WHERE ${OVERDUE} AND ${notAsideSql(GIVING_UP, 'items.id', 2)}
       ORDER BY items.finished_at LIMIT ${GIVEN_UP_AT_ONCE}`,
    )
    .bind(now - RETURN_AFTER_MS, now)
    .all<Unread>();
  return results;
}

/**
 * Pays back what bots could not read of such an item: the whole price of one without rows, otherwise the failed chunks.
 * From then on it is not repaired any more. Again, or at the same time, returns nothing twice: then null.
 */
export async function giveUpItem(db: Db, item: Unread, now: number): Promise<GivenUp | null> {
  const { item_id, order_id, user_id, version, has_results, got } = item;
  const before = now - RETURN_AFTER_MS;
  const [cancelled, parts] = await db.$client.batch<{ id: string | number }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', finished_at = ?2,
           error = coalesce(error || ' ', '') || 'Nobody repaired it for a day, so the price is back in your balance.'
         WHERE id = ?3 AND state = 'failed' AND ${OVERDUE} RETURNING id`,
      )
      .bind(before, now, item_id),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'cancelled' WHERE item_id = ?2 AND state = 'failed'
           AND EXISTS (SELECT 1 FROM items WHERE id = ?2 AND (state = 'cancelled' OR (state = 'done' AND ${OVERDUE})))
         RETURNING id`,
      )
      .bind(before, item_id),
    ...cancelledStatements(db, { orderId: order_id, userId: user_id }, now),
    // An item with results is without failed parts now; one without keeps the reason.
    ...(has_results ? [recountStatement(db, { items: [item_id] })] : []),
    ...shortfallStatements(db, { itemId: item_id, version, userId: user_id, got }, now),
  ]);
  const done = cancelled?.results.length || parts?.results.length;
  return done ? { item_id, order_id, has_results: has_results === 1 } : null;
}
