import { eq } from 'drizzle-orm';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import { type ItemState, REPAIR_EVERY_MS } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { items, orders } from '../../db/schema.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { collectStatements } from '../money/reversals.ts';
import { allowsSql } from './orders.ts';

export interface Repair {
  item_id: string;
  /** Places of badly read rows in the snapshot, from 0: the ranks to read again. */
  badRows: readonly number[];
}

/**
 * Sends bots out again for what an item lacks: its failed subtasks and those whose ranks hold badly read rows. Free,
 * and once in ten minutes. Answers how many subtasks were put back; 0 where nothing was wrong, null where it is too
 * soon or the item is not at rest.
 */
export async function repairItem(db: Db, { item_id, badRows }: Repair, now = Date.now()): Promise<number | null> {
  const numbers = [...new Set(badRows.map((row) => Math.floor(row / RANKS_PER_SUBTASK)))];
  const wanting = `item_id = ?1 AND (state = 'failed' OR number IN (SELECT value FROM json_each(?2)))`;
  const [claimed, requeued] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'open', version = version + 1, repaired_at = ?3
         WHERE id = ?1 AND ${allowsSql('repair', 'items')} AND coalesce(repaired_at, 0) <= ?3 - ${REPAIR_EVERY_MS}
           AND EXISTS (SELECT 1 FROM subtasks WHERE ${wanting})
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(numbers), now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = 0, error = NULL,
           due = ?3 + number * 1000
         WHERE ${wanting} AND EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'open' AND repaired_at = ?3)
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(numbers), now),
    recountStatement(db, { items: [item_id] }),
  ]);
  if (claimed?.results.length) return requeued?.results.length ?? 0;
  return (await nothingToRepair(db, item_id, numbers)) ? 0 : null;
}

async function nothingToRepair(db: Db, itemId: string, numbers: readonly number[]): Promise<boolean> {
  const row = await db.$client
    .prepare(
      `SELECT 1 AS wanting FROM subtasks
       WHERE item_id = ? AND (state = 'failed' OR number IN (SELECT value FROM json_each(?))) LIMIT 1`,
    )
    .bind(itemId, JSON.stringify(numbers))
    .first();
  return row === null;
}

/** Items of an order that a repair can be asked for, with the snapshot that their rows are in. */
export async function repairableItems(
  db: Db,
  orderId: number,
): Promise<{ item_id: string; key: string | null; quality: string | null }[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.id AS item_id, snapshots.key, snapshots.quality
       FROM items LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
       WHERE items.order_id = ? AND ${allowsSql('repair', 'items')}
       ORDER BY items.position`,
    )
    .bind(orderId)
    .all<{ item_id: string; key: string | null; quality: string | null }>();
  return results;
}

/**
 * Cancels an order without results and returns its price, in one batch: D1 takes one writer at a time, so of a
 * cancellation and the last hand-in exactly one wins. Answers the cancelled items, or null where it was too late.
 */
export async function cancelOrder(
  db: Db,
  { id: orderId, user_id }: { id: number; user_id: string },
  now = Date.now(),
): Promise<string[] | null> {
  // Items that were cancelled by themselves are paid back already, and hold up nothing.
  const cancellable = `NOT EXISTS (SELECT 1 FROM items other
    WHERE other.order_id = ?1 AND other.state <> 'cancelled' AND NOT ${allowsSql('cancel', 'other')})`;
  const [cancelled] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', finished_at = ?2, incomplete_count = 0
         WHERE order_id = ?1 AND state <> 'cancelled' AND ${cancellable} RETURNING id`,
      )
      .bind(orderId, now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'cancelled', lease = NULL
         WHERE item_id IN (SELECT id FROM items WHERE order_id = ?1 AND state = 'cancelled')`,
      )
      .bind(orderId),
    db.$client
      .prepare(
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
         SELECT user_id, sum(price_cents), 'return', 'return:' || uuid, '', ?2
         FROM orders JOIN items ON items.order_id = orders.id
         WHERE orders.id = ?1
           AND NOT EXISTS (SELECT 1 FROM items WHERE order_id = ?1 AND state <> 'cancelled')
           AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE reference = 'return:' || uuid || ':' || items.id)
         GROUP BY orders.id
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(orderId, now),
    ...collectStatements(db, user_id, now),
  ]);
  return cancelled && cancelled.results.length > 0 ? cancelled.results.map(({ id }) => id) : null;
}

/**
 * Cancels an item that cannot be had, with its reason, and returns its price: nobody's click is waited for, since what
 * is not there cannot be repaired. Answers the state that the item has after this.
 */
export async function cancelItem(db: Db, itemId: string, reason: string, now = Date.now()): Promise<ItemState> {
  const [order] = await db
    .select({ user_id: orders.user_id })
    .from(orders)
    .innerJoin(items, eq(items.order_id, orders.id))
    .where(eq(items.id, itemId));
  if (!order) return 'cancelled';
  const [cancelled] = await db.$client.batch<{ state: ItemState }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', error = ?2, finished_at = ?3
         WHERE id = ?1 AND state IN ('open', 'finishing') AND snapshot_id IS NULL RETURNING state`,
      )
      .bind(itemId, reason, now),
    db.$client
      .prepare(
        // Only of the item that this very batch cancelled: another was paid back with its order.
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
         SELECT user_id, price_cents, 'return', 'return:' || uuid || ':' || items.id, '', ?3
         FROM items JOIN orders ON orders.id = items.order_id
         WHERE items.id = ?1 AND state = 'cancelled' AND error = ?2 AND finished_at = ?3
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(itemId, reason, now),
    ...collectStatements(db, order.user_id, now),
  ]);
  return cancelled?.results[0]?.state ?? 'cancelled';
}
