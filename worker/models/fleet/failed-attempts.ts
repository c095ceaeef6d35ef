import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';

/** Attempts at subtasks that brought no rows: what went wrong with an order, a bot or a game. */

/**
 * Returns SQL that records an attempt for each subtask that matches `which`. It comes before the statement that requeues
 * or fails them. `at` and `reason` are SQL too; `beside` is a table that
 * they refer to.
 */
export const failedAttemptSql = (at: string, reason: string, which: string, beside = ''): string =>
  `INSERT INTO failed_attempts (at, subtask_id, item_id, order_id, game, bot_id, reason)
   SELECT ${at}, subtasks.id, item_id, order_id, subtasks.game, coalesce(subtasks.bot_id, ''), ${reason}
   FROM ${beside}subtasks WHERE ${which}`;

const KEPT_MS = 30 * DAY_MS;

export async function dropOldAttempts(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(`DELETE FROM failed_attempts WHERE at < ?`)
    .bind(now - KEPT_MS)
    .run();
}
