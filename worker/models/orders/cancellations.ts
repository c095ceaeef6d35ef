import { eq } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import type { ItemState } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { items, orders } from '../../db/schema.ts';
import { cancelledStatements } from '../money/returns.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import { allowsSql } from './orders.ts';

const stopSubtasks = (db: Db, orderId: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE subtasks SET state = 'cancelled', lease = NULL
       WHERE state <> 'cancelled' AND item_id IN (SELECT id FROM items WHERE order_id = ? AND state = 'cancelled')`,
    )
    .bind(orderId);

interface Cancellation {
  orderId: number;
  userId: string;
  /** Null: every item without results. */
  itemId: string | null;
  /** The log entry if an admin cancels it. */
  byAdmin?: AuditEntry;
}

/** The cancelled items and the refund. */
interface Cancelled {
  items: string[];
  returned: Cents;
}

/**
 * Cancels the items of an order that have no results, or only the one given, and refunds them in the same batch. D1 has
 * a single writer, so either the cancellation or the last hand-in wins. Returns null if it was too late for all.
 */
export async function cancelItems(
  db: Db,
  { orderId, userId, itemId, byAdmin }: Cancellation,
  now = Date.now(),
): Promise<Cancelled | null> {
  const [cancelled] = await db.$client.batch<{ id: string; returned: Cents }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', finished_at = ?3, incomplete_count = 0, error = NULL
         WHERE order_id = ?1 AND (?2 IS NULL OR id = ?2) AND ${allowsSql('cancel', 'items')}
         RETURNING id, price_cents - returned_cents AS returned`,
      )
      .bind(orderId, itemId, now),
    ...(byAdmin ? [auditIfChanged(db, byAdmin, now)] : []),
    stopSubtasks(db, orderId),
    ...cancelledStatements(db, { orderId, userId }, now),
  ]);
  const stopped = cancelled?.results ?? [];
  if (stopped.length === 0) return null;
  return { items: stopped.map(({ id }) => id), returned: stopped.reduce((sum, each) => sum + each.returned, 0) };
}

/**
 * Cancels an item that is unavailable, with its reason, and refunds it without asking the user, because a repair cannot
 * help. Returns the item's state afterwards.
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
