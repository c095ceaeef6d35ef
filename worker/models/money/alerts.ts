import { eq } from 'drizzle-orm';
import type { Locale } from '../../../domain/language/locales.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import { balance_alerts } from '../../db/schema.ts';
import { mailIfChanged } from '../messages/outbox.ts';
import { lowBalanceMail } from '../messages/user-mails.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/** Low balance warnings: one mail each time the balance falls below the user's threshold. */

/** Returns the user's threshold in cents, or null if warnings are off. */
export async function thresholdOf(db: Db, userId: string): Promise<Cents | null> {
  const [row] = await db.select().from(balance_alerts).where(eq(balance_alerts.user_id, userId));
  return row?.threshold_cents ?? null;
}

/** Sets the user's threshold, or removes it if null. A new threshold is checked again. */
export async function setThreshold(db: Db, userId: string, threshold: Cents | null): Promise<void> {
  if (threshold === null) {
    await db.delete(balance_alerts).where(eq(balance_alerts.user_id, userId));
    return;
  }
  await db.$client
    .prepare(
      `INSERT INTO balance_alerts (user_id, threshold_cents, last_entry)
       SELECT ?1, ?2, coalesce(max(id), 0) FROM ledger_entries WHERE user_id = ?1
       ON CONFLICT (user_id) DO UPDATE SET threshold_cents = ?2, checked_entry = -1, warned = 0`,
    )
    .bind(userId, threshold)
    .run();
}

/** An alert whose balance changed since the last check. */
export interface DueAlert {
  user_id: string;
  threshold_cents: Cents;
  last_entry: number;
  checked_entry: number;
  warned: number;
  balance_cents: Cents;
  email: string;
  language: Locale | null;
}

/** Name of the minute's job that checks them. */
export const WARNING = 'balance warnings';
const LOOKED_AT_ONCE = 50;

/** Returns alerts to check, except those in backoff after a failure. */
export async function dueAlerts(db: Db, now: number): Promise<DueAlert[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT alert.*, users.balance_cents, users.email, users.language FROM balance_alerts alert
       JOIN users ON users.id = alert.user_id
       WHERE alert.last_entry > alert.checked_entry AND ${notInBackoffSql(WARNING, 'alert.user_id', 1)} LIMIT ?2`,
    )
    .bind(now, LOOKED_AT_ONCE)
    .all<DueAlert>();
  return results;
}

/**
 * Checks one balance and queues a warning, in the current language, if it fell below the threshold. Does nothing if the
 * threshold changed or another check was first.
 */
export async function lookAtBalance(db: Db, due: DueAlert, origin: string, now: number): Promise<void> {
  const low = due.balance_cents < due.threshold_cents;
  const statements = [
    db.$client
      .prepare(
        `UPDATE balance_alerts SET checked_entry = ?, warned = ?
         WHERE user_id = ? AND threshold_cents = ? AND checked_entry = ?`,
      )
      .bind(due.last_entry, low ? 1 : 0, due.user_id, due.threshold_cents, due.checked_entry),
  ];
  if (low && !due.warned) {
    const mail = {
      ...lowBalanceMail(due, origin),
      to: due.email,
      reference: `low-balance:${due.user_id}:${due.last_entry}:${due.threshold_cents}`,
    };
    statements.push(mailIfChanged(db, mail, now));
  }
  await db.$client.batch(statements);
}
