import type { Cents } from '../../../domain/money/money.ts';
import { ENDED_EARLY } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { failedAttemptSql } from '../fleet/failed-attempts.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { PAYER, PAYER_TEAM } from '../money/returns.ts';
import { collectStatements } from '../money/reversals.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';

/** Acts of admins on an order's items that its owner cannot do. Each is logged in the same batch. */

/** Subtasks that have brought no rows and may still. */
const UNFINISHED = `state IN ('waiting', 'leased', 'failed')`;

/**
 * Puts the unfinished subtasks of an order's open items, or of the one given, back into the queue at once, for any bot
 * and with all of their attempts. Returns how many items changed.
 */
export async function retryItems(
  db: Db,
  { orderId, itemId }: { orderId: number; itemId: string | null },
  entry: AuditEntry,
  now = Date.now(),
): Promise<number> {
  const open = `order_id = ?1 AND (?2 IS NULL OR id = ?2) AND state = 'open'`;
  const statement = (sql: string) => db.$client.prepare(sql).bind(orderId, itemId);
  const [changed] = await db.$client.batch([
    statement(
      `UPDATE items SET preparing_until = NULL
       WHERE ${open} AND EXISTS (SELECT 1 FROM subtasks WHERE item_id = items.id AND subtasks.${UNFINISHED})`,
    ),
    auditIfChanged(db, entry, now),
    statement(
      `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = 0, error = NULL,
         empty_by = NULL, doubted_by = NULL, ended_at = NULL
       WHERE item_id IN (SELECT id FROM items WHERE ${open}) AND ${UNFINISHED}`,
    ),
    statement(`DELETE FROM refusals WHERE item_id IN (SELECT id FROM items WHERE ${open})`),
    recountStatement(db, { order: orderId }),
  ]);
  return changed?.meta.changes ?? 0;
}

/**
 * Ends an open item with the rows that have arrived. Its other subtasks fail, so the owner may repair them; otherwise
 * their price returns within a day. Returns how many failed; 0 if the item is not open or no rows have arrived.
 */
export async function endItemEarly(db: Db, itemId: string, entry: AuditEntry, now = Date.now()): Promise<number> {
  const left = `item_id = ?1 AND subtasks.state IN ('waiting', 'leased')
    AND EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'open')
    AND EXISTS (SELECT 1 FROM subtasks brought WHERE brought.item_id = ?1 AND brought.state = 'done')`;
  const [, ended] = await db.$client.batch<{ id: number }>([
    db.$client.prepare(failedAttemptSql('?2', `'${ENDED_EARLY}'`, left)).bind(itemId, now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'failed', lease = NULL, ended_at = ?2, error = '${ENDED_EARLY}'
         WHERE ${left} RETURNING id`,
      )
      .bind(itemId, now),
    auditIfChanged(db, entry, now),
    recountStatement(db, { items: [itemId] }),
  ]);
  return ended?.results.length ?? 0;
}

interface HandReturn {
  orderId: number;
  itemId: string;
  userId: string;
  amount: Cents;
  reason: string;
  /** Idempotency key: the same key again changes nothing. */
  key: string;
}

/**
 * Returns money paid for an item. Nothing is written if more would return than was paid (`too_much`) or if the key was
 * used for another amount (`key_reused`). Returns what has returned for the item in all.
 */
export async function returnByHand(
  db: Db,
  { orderId, itemId, userId, amount, reason, key }: HandReturn,
  entry: AuditEntry,
  now = Date.now(),
): Promise<{ outcome: 'returned' | 'repeated' | 'too_much' | 'key_reused' | 'unknown'; returned: Cents }> {
  const reference = `'return:' || orders.uuid || ':' || items.id || ':admin:' || ?4`;
  const statements = [
    db.$client
      .prepare(
        // More than was paid makes the user NULL, which fails the whole batch.
        `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, note, created_at)
         SELECT CASE WHEN returned_cents + ?3 <= price_cents THEN ${PAYER} END, ${PAYER_TEAM}, ?3, 'return', ${reference}, ?5, ?6
         FROM items JOIN orders ON orders.id = items.order_id
         WHERE items.id = ?1 AND orders.id = ?2
           AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE reference = ${reference})`,
      )
      .bind(itemId, orderId, amount, key, reason, now),
    db.$client
      .prepare(`UPDATE items SET returned_cents = returned_cents + ? WHERE id = ? AND changes() > 0`)
      .bind(amount, itemId),
    auditIfChanged(db, entry, now),
    ...collectStatements(db, userId, now),
    db.$client
      .prepare(
        `SELECT returned_cents, amount_cents FROM items JOIN orders ON orders.id = items.order_id
         LEFT JOIN ledger_entries ON reference = ${reference} WHERE items.id = ?1 AND orders.id = ?2`,
      )
      .bind(itemId, orderId, null, key),
  ];
  try {
    const answers = await db.$client.batch<{ returned_cents: Cents; amount_cents: Cents }>(statements);
    const last = answers.at(-1)?.results[0];
    if (!last) return { outcome: 'unknown', returned: 0 };
    const returned = last.returned_cents;
    if (last.amount_cents !== amount) return { outcome: 'key_reused', returned };
    return { outcome: answers[1]?.meta.changes ? 'returned' : 'repeated', returned };
  } catch (error) {
    if (brokeConstraint(error, 'ledger_entries.user_id')) return { outcome: 'too_much', returned: 0 };
    throw error;
  }
}
