import type { Cents } from '../../../domain/money/money.ts';
import { DISPUTE_WON, DISPUTED, REFUND_FAILED, REFUNDED } from '../../../domain/money/notes.ts';
import { GIVEN_BACK, type ReversalKind, type ReversalStage, TAKEN } from '../../../domain/money/payment.ts';
import type { Db } from '../../db/open.ts';
import { notInBackoffSql } from '../service/job-failures.ts';

/**
 * Money that Stripe took back (docs/decisions/money-taken-back.md). The ledger takes what the balance covers; the rest
 * is taken from the next money that comes in.
 */

/** Returns the statement that recomputes `covered_cents` from the ledger entries `reversal:<id>:…`. */
const recountStatement = (db: Db, userId: string): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE reversals SET covered_cents = (
         SELECT coalesce(-sum(amount_cents), 0) FROM ledger_entries
         WHERE reference > 'reversal:' || reversals.id || ':' AND reference < 'reversal:' || reversals.id || ';')
       WHERE user_id = ?`,
    )
    .bind(userId);

/**
 * Returns statements that take what the balance covers of reversed payments, oldest first. They belong in every batch
 * that credits an account, after the entry that does. Without open reversals they do nothing.
 */
export const collectStatements = (db: Db, userId: string, now: number): D1PreparedStatement[] => [
  db.$client
    .prepare(
      // The reference contains the amount covered so far, so the same collection twice is the same entry.
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
       SELECT user_id, -min(open, rest), 'adjustment', 'reversal:' || id || ':' || covered_cents,
         CASE kind WHEN 'refund' THEN '${REFUNDED}' ELSE '${DISPUTED}' END, ?2
       FROM (
         SELECT *, amount_cents - covered_cents AS open,
           (SELECT balance_cents FROM users WHERE id = ?1) - coalesce(sum(amount_cents - covered_cents) OVER (
             ORDER BY created_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS rest
         FROM reversals WHERE user_id = ?1 AND covered_cents < amount_cents)
       WHERE rest > 0`,
    )
    .bind(userId, now),
  recountStatement(db, userId),
];

export interface Reversal {
  /** Stripe's id of the refund or dispute. */
  id: string;
  kind: ReversalKind;
  amount: Cents;
  stage: ReversalStage;
}

/** Applies the state of a refund or dispute as reported by Stripe. Repeated or out-of-order reports change nothing. */
export async function applyReversal(
  db: Db,
  payment: { id: string; user_id: string },
  { id, kind, amount, stage }: Reversal,
  now = Date.now(),
): Promise<void> {
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO reversals (id, payment_id, user_id, kind, amount_cents, stage, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET stage = excluded.stage, amount_cents = excluded.amount_cents
         WHERE excluded.stage > reversals.stage`,
      )
      .bind(id, payment.id, payment.user_id, kind, stage === TAKEN ? amount : 0, stage, now),
    db.$client
      .prepare(
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
         SELECT user_id, covered_cents, 'adjustment', 'reversal:' || id || ':back',
           CASE kind WHEN 'refund' THEN '${REFUND_FAILED}' ELSE '${DISPUTE_WON}' END, ?1
         FROM reversals WHERE id = ?2 AND stage = ${GIVEN_BACK} AND covered_cents > 0
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(now, id),
    recountStatement(db, payment.user_id),
    ...collectStatements(db, payment.user_id, now),
  ]);
}

/** Returns the amount taken back that the balance did not cover. It blocks new orders. */
export async function uncoveredOf(db: Db, userId: string): Promise<Cents> {
  const row = await db.$client
    .prepare(
      `SELECT coalesce(sum(amount_cents - covered_cents), 0) AS uncovered FROM reversals
       WHERE user_id = ? AND covered_cents < amount_cents`,
    )
    .bind(userId)
    .first<{ uncovered: Cents }>();
  return row?.uncovered ?? 0;
}

/** Name of the minute's job that collects. */
export const COLLECTING = 'money taken back';
const COLLECTED_AT_ONCE = 50;

/** Returns users with open reversals and a positive balance, except those in backoff after a failure. */
export async function usersToCollectFrom(db: Db, now: number): Promise<string[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT DISTINCT user_id FROM reversals
       WHERE covered_cents < amount_cents AND (SELECT balance_cents FROM users WHERE id = user_id) > 0
         AND ${notInBackoffSql(COLLECTING, 'user_id', 1)} LIMIT ?2`,
    )
    .bind(now, COLLECTED_AT_ONCE)
    .all<{ user_id: string }>();
  return results.map(({ user_id }) => user_id);
}

/** Takes what a user's balance covers. */
export async function collectFrom(db: Db, userId: string, now: number): Promise<void> {
  await db.$client.batch(collectStatements(db, userId, now));
}
