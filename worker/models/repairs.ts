import { RANKS_PER_SUBTASK } from '../../domain/catalogue.ts';
import { REPAIR_EVERY_MS } from '../../domain/order.ts';
import type { Db } from '../db/open.ts';
import { allowsSql } from './orders.ts';
import { collectStatements } from './reversals.ts';
import { recountStatement } from './subtasks.ts';

export interface Repair {
  item_id: string;
  /** Places of badly read rows in the snapshot, from 0: the ranks to read again. */
  badRows: readonly number[];
}

// Its failed subtasks and those of the ranks in ?2; an item that has none is made anew as long as it has no results.
const WANTING = `subtasks.item_id = ?1 AND (subtasks.state = 'failed' OR number IN (SELECT value FROM json_each(?2)))`;
const IN_WANT = `(EXISTS (SELECT 1 FROM subtasks WHERE ${WANTING}) OR (subtask_count = 0 AND snapshot_id IS NULL))`;

/**
 * Sends bots out again for what an item lacks: its failed subtasks and those whose ranks hold badly read rows. Free,
 * and once in ten minutes. Answers how many subtasks were put back; 0 where nothing was wrong, null where it is too
 * soon or the item is not at rest.
 */
export async function repairItem(db: Db, { item_id, badRows }: Repair, now = Date.now()): Promise<number | null> {
  const numbers = [...new Set(badRows.map((row) => Math.floor(row / RANKS_PER_SUBTASK)))];
  const [claimed, requeued] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'open', version = version + 1, repaired_at = ?3
         WHERE id = ?1 AND ${allowsSql('repair', 'items')} AND coalesce(repaired_at, 0) <= ?3 - ${REPAIR_EVERY_MS}
           AND ${IN_WANT}
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(numbers), now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = 0, error = NULL,
           due = ?3 + number * 1000
         WHERE ${WANTING} AND EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'open' AND repaired_at = ?3)
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(numbers), now),
    recountStatement(db, { items: [item_id] }),
  ]);
  if (claimed?.results.length) return requeued?.results.length || 1;
  return (await nothingToRepair(db, item_id, numbers)) ? 0 : null;
}

async function nothingToRepair(db: Db, itemId: string, numbers: readonly number[]): Promise<boolean> {
  const row = await db.$client
    .prepare(`SELECT 1 FROM items WHERE id = ?1 AND ${IN_WANT}`)
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
       WHERE items.order_id = ? AND ${allowsSql('repair', 'items')} AND (items.subtask_count > 0 OR items.snapshot_id IS NULL)
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
  const cancellable = `NOT EXISTS (SELECT 1 FROM items other
    WHERE other.order_id = ?1 AND NOT ${allowsSql('cancel', 'other')})`;
  const [cancelled] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'cancelled', finished_at = ?2, incomplete_count = 0
         WHERE order_id = ?1 AND ${cancellable} RETURNING id`,
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
         SELECT user_id, total_cents, 'return', 'return:' || uuid, '', ?2 FROM orders
         WHERE id = ?1 AND EXISTS (SELECT 1 FROM items WHERE order_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM items WHERE order_id = ?1 AND state <> 'cancelled')
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(orderId, now),
    ...collectStatements(db, user_id, now),
  ]);
  return cancelled && cancelled.results.length > 0 ? cancelled.results.map(({ id }) => id) : null;
}
