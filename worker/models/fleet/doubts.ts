import { MAX_ATTEMPTS } from '../../../domain/orders/order.ts';
import { IMPLAUSIBLE_ROWS } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { auditIfChanged } from '../service/audit.ts';
import { IMPLAUSIBLE, noteFailure } from '../service/job-failures.ts';
import { failedAttemptSql } from './failed-attempts.ts';
import { recountStatement } from './subtasks.ts';

/** Implausible rows of a subtask. */
export interface HeldBack {
  subtask_id: number;
  /** The bot that delivered them, as `group/bot`; empty if unknown. */
  bot: string;
  /** The reason, for admins. */
  why: string;
}

/**
 * Requeues subtasks with implausible rows for another bot, or fails them after the last attempt. Reopens their item and
 * reports the bot and the reason to admins. Returns the current state of each. Idempotent.
 */
export async function holdBack(
  db: Db,
  { item_id, version }: { item_id: string; version: number },
  held: readonly HeldBack[],
  now = Date.now(),
): Promise<Map<number, 'waiting' | 'failed'>> {
  const named = JSON.stringify(held);
  // Includes subtasks whose hand-in has not marked them done yet.
  const brought = `(state = 'done' OR state IN ('waiting', 'leased') AND bot_id = held.value ->> 'bot')`;
  const [, put, , , , states] = await db.$client.batch<{ id: number; state: string }>([
    db.$client
      .prepare(
        failedAttemptSql(
          '?3',
          `held.value ->> 'why'`,
          `subtasks.id = held.value ->> 'subtask_id' AND item_id = ?2 AND ${brought}`,
          'json_each(?1) held, ',
        ),
      )
      .bind(named, item_id, now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'waiting' END,
           error = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN '${IMPLAUSIBLE_ROWS}' END,
           doubted_by = held.value ->> 'bot', bot_id = NULL, lease = NULL, lease_until = ?3,
           ended_at = iif(attempts >= ${MAX_ATTEMPTS}, ?3, NULL)
         FROM json_each(?1) held
         WHERE subtasks.id = held.value ->> 'subtask_id' AND item_id = ?2 AND ${brought}
         RETURNING subtasks.id, state`,
      )
      .bind(named, item_id, now),
    auditIfChanged(db, { userId: null, actor: 'system', action: 'rows.held', subject: item_id, detail: { held } }, now),
    recountStatement(db, { items: [item_id] }),
    db.$client
      .prepare(
        `UPDATE items SET state = 'open' WHERE id = ? AND version = ? AND state = 'finishing' AND incomplete_count > 0`,
      )
      .bind(item_id, version),
    db.$client
      .prepare(`SELECT id, state FROM subtasks WHERE id IN (SELECT value ->> 'subtask_id' FROM json_each(?))`)
      .bind(named),
  ]);
  const changed = new Set(put?.results.map(({ id }) => id));
  for (const { subtask_id, bot, why } of held)
    if (changed.has(subtask_id))
      await noteFailure(db, { job: IMPLAUSIBLE, subject: bot }, { error: why, now, every: 0 });
  return new Map(states?.results.map(({ id, state }) => [id, state === 'failed' ? 'failed' : 'waiting'] as const));
}
