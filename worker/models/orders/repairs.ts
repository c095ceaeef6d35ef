import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import { REPAIR_EVERY_MS } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import { allowsSql } from './orders.ts';

interface Repair {
  item: Pick<Repairable, 'item_id' | 'failed_count'>;
  /** Positions of badly read rows in the snapshot, from 0: the ranks to scan again. */
  badRows: readonly number[];
  /** The log entry if an admin repairs it, without the wait between repairs. */
  byAdmin?: AuditEntry;
}

/**
 * SQL: an item's (?1) subtasks that a repair reads again: failed ones, and those at places (?2) of the snapshot, which
 * has the rows of those delivered. After a repair that was given up, it has more rows than are delivered now: then all
 * subtasks have a place.
 */
const WANTING = `item_id = ?1 AND (state = 'failed' OR number IN (
  SELECT number FROM (
    SELECT number, row_number() OVER (ORDER BY number) - 1 AS place FROM subtasks
    WHERE item_id = ?1 AND (state = 'done' OR
      (SELECT snapshots.rows FROM items JOIN snapshots ON snapshots.id = snapshot_id WHERE items.id = ?1) >
        ${RANKS_PER_SUBTASK} * (SELECT count(*) FROM subtasks WHERE item_id = ?1 AND state = 'done')))
  WHERE place IN (SELECT value FROM json_each(?2))))`;

/**
 * Requeues an item's failed subtasks and those with badly read rows. Free, at most once in ten minutes. Returns the
 * number of requeued subtasks: 0 if nothing was wrong, null if it is too soon or the item is still in progress.
 */
export async function repairItem(
  db: Db,
  { item: { item_id, failed_count }, badRows, byAdmin }: Repair,
  now = Date.now(),
): Promise<number | null> {
  if (failed_count === 0 && badRows.length === 0) return 0;
  const every = byAdmin ? 0 : REPAIR_EVERY_MS;
  const places = [...new Set(badRows.map((row) => Math.floor(row / RANKS_PER_SUBTASK)))];
  const [claimed, ...others] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `UPDATE items SET state = 'open', version = version + 1, repaired_at = ?3
         WHERE id = ?1 AND ${allowsSql('repair', 'items')} AND coalesce(repaired_at, 0) <= ?3 - ${every}
           AND EXISTS (SELECT 1 FROM subtasks WHERE ${WANTING})
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(places), now),
    ...(byAdmin ? [auditIfChanged(db, byAdmin, now)] : []),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = 0, error = NULL, empty_by = NULL, doubted_by = NULL,
           ended_at = NULL,
           due = ?3 + number * 1000, kingdom_id = (SELECT kingdom_id FROM items WHERE id = ?1)
         WHERE ${WANTING} AND EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'open' AND repaired_at = ?3)
         RETURNING id`,
      )
      .bind(item_id, JSON.stringify(places), now),
    recountStatement(db, { items: [item_id] }),
    // Asks every bot again, including those that refused the kingdom.
    db.$client
      .prepare(`DELETE FROM refusals WHERE item_id IN (SELECT id FROM items WHERE id = ?1 AND repaired_at = ?2)`)
      .bind(item_id, now),
  ]);
  if (claimed?.results.length) return others[byAdmin ? 1 : 0]?.results.length ?? 0;
  return (await nothingToRepair(db, item_id, places)) ? 0 : null;
}

async function nothingToRepair(db: Db, itemId: string, places: readonly number[]): Promise<boolean> {
  const row = await db.$client
    .prepare(`SELECT 1 AS wanting FROM subtasks WHERE ${WANTING} LIMIT 1`)
    .bind(itemId, JSON.stringify(places))
    .first();
  return row === null;
}

/** An item with its snapshot. */
export interface Repairable {
  item_id: string;
  governors: number;
  failed_count: number;
  key: string | null;
  /** Number of rows of each quality (JSON). */
  quality: string | null;
}

/** Returns the items of an order that allow a repair. */
export async function repairableItems(db: Db, orderId: number): Promise<Repairable[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.id AS item_id, items.governors, items.failed_count, snapshots.key, snapshots.quality
       FROM items LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
       WHERE items.order_id = ? AND ${allowsSql('repair', 'items')}
       ORDER BY items.position`,
    )
    .bind(orderId)
    .all<Repairable>();
  return results;
}
