import { DAY_MS } from '../../../domain/days.ts';
import { UNREACHABLE } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { botsOfGameSql, reachableSql, recentSql, unheldSql } from './reach.ts';
import { type EndedSubtask, recountStatement } from './subtasks.ts';

/**
 * Records that a bot cannot scan a leased subtask's kingdom and requeues the subtask without counting an attempt. If no
 * other bot online within the hour can scan the kingdom, the item's subtasks that no bot holds fail and are returned in
 * `ended`. Returns null if the bot does not hold the lease.
 */
export async function refuseKingdom(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string; reason: string },
  now = Date.now(),
): Promise<{ order_id: number; ended: EndedSubtask[] } | null> {
  const { subtask_id, lease, reason } = claim;
  const held = `mine.id = ?1 AND mine.lease = ?2 AND mine.bot_id = ?3 AND mine.state = 'leased'`;
  const [, , ended, back] = await db.$client.batch<EndedSubtask>([
    // Items stay open for at most a day, so older refusals are obsolete.
    db.$client.prepare(`DELETE FROM refusals WHERE refused_at <= ?`).bind(now - DAY_MS),
    db.$client
      .prepare(
        `INSERT INTO refusals (item_id, bot_id, refused_at) SELECT item_id, bot_id, ?4 FROM subtasks mine WHERE ${held}
         ON CONFLICT DO NOTHING`,
      )
      .bind(subtask_id, lease, bot, now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'failed', lease = NULL, error = ?5, ended_at = ?4
         WHERE (id = ?1 OR ${unheldSql('subtasks', '?4')}) AND item_id = (
           SELECT items.id FROM subtasks mine JOIN items ON items.id = mine.item_id
           WHERE ${held} AND NOT ${reachableSql('?4')})
         RETURNING id, item_id, order_id, error`,
      )
      .bind(subtask_id, lease, bot, now, reason),
    db.$client
      .prepare(
        `UPDATE subtasks AS mine SET state = 'waiting', lease = NULL, lease_until = ?4, attempts = attempts - 1, error = ?5
         WHERE ${held} RETURNING id, item_id, order_id, error`,
      )
      .bind(subtask_id, lease, bot, now, reason),
    recountStatement(db, { subtasks: [subtask_id] }),
  ]);
  const row = back?.results[0] ?? ended?.results[0];
  return row ? { order_id: row.order_id, ended: ended?.results ?? [] } : null;
}

/** How many subtasks one run fails; the next minute continues. */
const SWEPT_AT_ONCE = 500;

/** Minimum age of an item before it fails, in ms. Starting bots may still declare more kingdoms. */
const GRACE_MS = 5 * 60_000;

/**
 * Fails subtasks that no bot holds, of kingdoms that no bot online within the hour can scan. If no bot of the game was
 * online, they keep waiting.
 */
export async function failUnreachable(db: Db, now = Date.now()): Promise<EndedSubtask[]> {
  const failed = db.$client
    .prepare(
      `UPDATE subtasks SET state = 'failed', lease = NULL, ended_at = ?1,
         error = coalesce(error, '${UNREACHABLE}')
       WHERE id IN (
         SELECT queue.id
         FROM items JOIN orders ON orders.id = items.order_id
         CROSS JOIN subtasks queue ON queue.item_id = items.id AND ${unheldSql('queue', '?1')}
         WHERE items.state IN ('open', 'finishing') AND items.incomplete_count > 0
           AND coalesce(items.repaired_at, orders.placed_at) <= ?1 - ${GRACE_MS}
           AND EXISTS (SELECT 1 FROM ${botsOfGameSql('items.game')} AND ${recentSql('?1')})
           AND NOT ${reachableSql('?1')}
         LIMIT ${SWEPT_AT_ONCE})
       RETURNING id, item_id, order_id, error`,
    )
    .bind(now);
  const [ended] = await db.$client.batch<EndedSubtask>([failed, recountStatement(db, { failedAt: now })]);
  return ended?.results ?? [];
}
