import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ItemState } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { items } from '../../db/schema.ts';
import type { Bought } from '../money/returns.ts';
import { comparedSql, earlierSql } from '../scans/snapshots.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** The state of an item whose subtasks have all ended. */
export interface Claim {
  /** 'finishing', unless the user cancelled or repaired the item before. */
  state: ItemState | 'repaired';
  /** Key of the snapshot against which counters are checked. */
  compared: string | null;
  /** Key of the kingdom's previous scan, with or without profiles. */
  before: string | null;
  bought: Bought;
}

/**
 * Marks items whose subtasks have all ended as finishing, so that their snapshots may be written. `captured_at` (epoch
 * ms) is the time of their rows. Returns each item's state by id.
 */
export async function beginFinishing(
  db: Db,
  ready: readonly { item_id: string; version: number; captured_at: number }[],
): Promise<Map<string, Claim>> {
  const named = JSON.stringify(ready.map(({ item_id, version, captured_at }) => ({ item_id, version, captured_at })));
  const capture = {
    game: 'items.game',
    kingdom: 'items.kingdom_id',
    captured_at: `(named.value ->> 'captured_at')`,
    item: 'items.id',
  };
  const [, found] = await db.$client.batch<
    Pick<Claim, 'state' | 'compared' | 'before'> & Bought & { item_id: string; version: number; asked: number }
  >([
    db.$client
      .prepare(
        `UPDATE items SET state = 'finishing'
         FROM json_each(?) named
         WHERE items.id = named.value ->> 'item_id' AND items.version = named.value ->> 'version'
           AND items.state IN ('open', 'finishing')`,
      )
      .bind(named),
    db.$client
      .prepare(
        `SELECT items.id AS item_id, items.state, items.version, named.value ->> 'version' AS asked,
           (${comparedSql(capture)}) AS compared, (${earlierSql(capture)}) AS before, orders.user_id, items.governors
         FROM json_each(?) named JOIN items ON items.id = named.value ->> 'item_id'
         JOIN orders ON orders.id = items.order_id`,
      )
      .bind(named),
  ]);
  const claims = found?.results.map(({ item_id, state, version, asked, compared, before, user_id, governors }) => {
    const bought = { user_id, governors };
    return [item_id, { state: version > asked ? 'repaired' : state, compared, before, bought }] as const;
  });
  return new Map(claims);
}

/** Ends an item whose subtasks brought no rows. It fails, unless it has results of an earlier version. */
export async function endWithoutRows(db: Db, itemId: string, now = Date.now()): Promise<ItemState> {
  const [ended] = await db
    .update(items)
    .set({ state: sql`CASE WHEN ${items.snapshot_id} IS NULL THEN 'failed' ELSE 'done' END`, finished_at: now })
    .where(and(eq(items.id, itemId), inArray(items.state, ['open', 'finishing'])))
    .returning({ state: items.state });
  return ended?.state ?? 'failed';
}

const FINISHED_AT_ONCE = 100;
/** Name of the sweep's job that checks these items again. */
export const FINISHING = 'items to be finished';

/**
 * Returns items whose subtasks have all ended (or that have none) but that are not finished: those of an order, or all
 * that are not in backoff. They remain if their object missed a call.
 */
export async function finishedItems(
  db: Db,
  of: { orderId: number } | { now: number },
): Promise<{ item_id: string; order_id: number }[]> {
  const all = 'now' in of;
  const { results } = await db.$client
    .prepare(
      // Literals instead of parameters, otherwise SQLite does not use the partial index.
      `SELECT id AS item_id, order_id FROM items WHERE state IN ('open', 'finishing') AND incomplete_count = 0
         AND ${all ? notInBackoffSql(FINISHING, 'items.id', 1) : 'order_id = ?1'} LIMIT ${FINISHED_AT_ONCE}`,
    )
    .bind(all ? of.now : of.orderId)
    .all<{ item_id: string; order_id: number }>();
  return results;
}

/** True if an item of the order may still change. */
export const isUnfinished = async (db: Db, orderId: number): Promise<boolean> =>
  (await db.$client
    .prepare(`SELECT 1 FROM items WHERE order_id = ? AND state IN ('open', 'finishing') LIMIT 1`)
    .bind(orderId)
    .first()) !== null;
