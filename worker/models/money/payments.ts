import { and, eq } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import { PAID } from '../../../domain/money/notes.ts';
import type { PaymentState } from '../../../domain/money/payment.ts';
import type { Db } from '../../db/open.ts';
import { payments } from '../../db/schema.ts';
import { Unusable } from '../../errors.ts';
import { collectStatements } from './reversals.ts';

export type Payment = typeof payments.$inferSelect;

export type OpenOutcome = { outcome: 'open'; payment: Payment } | { outcome: 'key_reused' };

/**
 * Records a top-up before calling Stripe. The same key returns the same payment; with a different amount it is refused.
 */
export async function openPayment(
  db: Db,
  { userId, amount, requestKey }: { userId: string; amount: Cents; requestKey: string },
  now = Date.now(),
): Promise<OpenOutcome> {
  await db
    .insert(payments)
    .values({
      id: crypto.randomUUID(),
      user_id: userId,
      amount_cents: amount,
      request_key: requestKey,
      created_at: now,
    })
    .onConflictDoNothing();
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.user_id, userId), eq(payments.request_key, requestKey)));
  if (payment?.amount_cents !== amount) return { outcome: 'key_reused' };
  return { outcome: 'open', payment };
}

/** Stores a payment's Checkout Session if `instead` is still stored (null: none). Returns the one stored afterwards. */
export async function noteSession(
  db: Db,
  paymentId: string,
  { session, instead }: { session: string; instead: string | null },
): Promise<string | null> {
  const { $client } = db;
  const [, noted] = await $client.batch<{ session_id: string | null }>([
    $client
      .prepare('UPDATE payments SET session_id = ? WHERE id = ? AND session_id IS ?')
      .bind(session, paymentId, instead),
    $client.prepare('SELECT session_id FROM payments WHERE id = ?').bind(paymentId),
  ]);
  return noted?.results[0]?.session_id ?? null;
}

/** Removes a customer that Stripe no longer knows, so that the next payment stores its own. */
export async function forgetCustomer(
  db: Db,
  { id, stripe_customer_id }: { id: string; stripe_customer_id: string | null },
): Promise<void> {
  await db.$client
    .prepare('UPDATE users SET stripe_customer_id = NULL WHERE id = ? AND stripe_customer_id = ?')
    .bind(id, stripe_customer_id)
    .run();
}

const paymentBy = async (db: Db, column: 'id' | 'session_id' | 'payment_intent', value: string) => {
  const [payment] = await db.select().from(payments).where(eq(payments[column], value));
  return payment ?? null;
};

export const paymentOfId = (db: Db, id: string): Promise<Payment | null> => paymentBy(db, 'id', id);
export const paymentOfSession = (db: Db, id: string): Promise<Payment | null> => paymentBy(db, 'session_id', id);
export const paymentOfIntent = (db: Db, id: string): Promise<Payment | null> => paymentBy(db, 'payment_intent', id);

/** A Checkout Session as reported by Stripe. */
export interface CheckoutState {
  session_id: string;
  /** Our payment id carried by the session; null if the session is not ours. */
  payment_id: string | null;
  state: PaymentState;
  amount: Cents;
  currency: string;
  payment_intent: string | null;
  customer: string | null;
}

/**
 * Updates a payment to the state that Stripe reports and credits it once, however often and in whatever order events
 * arrive. A paid payment stays paid, and only its current session ends it unpaid: earlier ones were closed when that one
 * was made. Returns whether this call credited it. `also` is written with the change.
 * @throws Unusable if the amount paid differs from the amount asked.
 */
export async function settlePayment(
  db: Db,
  payment: Payment,
  checkout: CheckoutState,
  now = Date.now(),
  also: readonly D1PreparedStatement[] = [],
): Promise<boolean> {
  const { state, session_id, payment_intent, customer } = checkout;
  if (state === 'open') return false;
  if (state !== 'paid') {
    await db.$client.batch([
      db.$client
        .prepare(
          `UPDATE payments SET state = ?1, session_id = ?2
           WHERE id = ?3 AND state = 'open' AND (session_id IS NULL OR session_id = ?2)`,
        )
        .bind(state, session_id, payment.id),
      ...also,
    ]);
    return false;
  }
  if (checkout.amount !== payment.amount_cents || checkout.currency !== 'usd')
    throw new Unusable(
      `Session ${session_id} is paid with ${checkout.amount} ${checkout.currency}, not what was asked.`,
    );
  const [, entry] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE payments SET state = 'paid', session_id = ?1, payment_intent = ?2, paid_at = ?3
         WHERE id = ?4 AND state <> 'paid'`,
      )
      .bind(session_id, payment_intent, now, payment.id),
    db.$client
      .prepare(
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
         VALUES (?, ?, 'top_up', ?, '${PAID}', ?) ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(payment.user_id, payment.amount_cents, `payment:${payment.id}`, now),
    db.$client
      .prepare(
        `UPDATE users SET stripe_customer_id = ?1 WHERE id = ?2 AND stripe_customer_id IS NULL AND deleted_at IS NULL`,
      )
      .bind(customer, payment.user_id),
    ...collectStatements(db, payment.user_id, now),
    ...also,
  ]);
  return (entry?.meta.changes ?? 0) > 0;
}
