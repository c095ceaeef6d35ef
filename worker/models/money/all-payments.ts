import type { Cents } from '../../../domain/money/money.ts';
import type { AdminPaymentsQuery } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import { containing } from '../patterns.ts';
import type { Payment } from './payments.ts';
import type { Reversal } from './reversals.ts';

/** Top-ups of all users, for admins. */

const PAYMENTS_PER_PAGE = 50;

type ListedReversal = Omit<Reversal, 'amount'> & { amount_cents: Cents; covered_cents: Cents; created_at: number };

export type ListedPayment = Pick<
  Payment,
  'user_id' | 'amount_cents' | 'state' | 'created_at' | 'paid_at' | 'session_id' | 'payment_intent'
> & { payment_id: string; username: string; reversals: ListedReversal[] };

/** Returns a page of the matching payments, newest first, and the `before` of the next page. */
export async function listPayments(
  db: Db,
  { search, state, before }: AdminPaymentsQuery,
): Promise<{ payments: ListedPayment[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(
      `WITH page AS MATERIALIZED (
         SELECT payments.*, username FROM payments JOIN users ON users.id = payments.user_id
         WHERE (?1 IS NULL OR username_key LIKE ?1 ESCAPE '\\' OR ?2 IN (payments.id, session_id, payment_intent)
             OR payments.id IN (SELECT payment_id FROM reversals WHERE id = ?2))
           AND (?3 IS NULL OR state = ?3 OR ?3 = 'taken_back' AND payments.id IN (SELECT payment_id FROM reversals))
           AND (?4 IS NULL OR (payments.created_at, payments.id) < (SELECT created_at, id FROM payments WHERE id = ?4))
         ORDER BY payments.created_at DESC, payments.id DESC LIMIT ${PAYMENTS_PER_PAGE + 1}),
       taken AS (
         SELECT payment_id, json_group_array(json_object('id', id, 'kind', kind, 'amount_cents', amount_cents,
           'covered_cents', covered_cents, 'stage', stage, 'created_at', created_at) ORDER BY created_at, id) AS reversals
         FROM reversals WHERE payment_id IN (SELECT id FROM page) GROUP BY payment_id)
       SELECT page.id AS payment_id, user_id, username, amount_cents, state, created_at, paid_at, session_id,
         payment_intent, coalesce(reversals, '[]') AS reversals
       FROM page LEFT JOIN taken ON taken.payment_id = page.id ORDER BY created_at DESC, page.id DESC`,
    )
    .bind(search ? containing(search) : null, search ?? null, state ?? null, before ?? null)
    .all<Omit<ListedPayment, 'reversals'> & { reversals: string }>();
  const payments = results
    .slice(0, PAYMENTS_PER_PAGE)
    .map((payment) => ({ ...payment, reversals: JSON.parse(payment.reversals) as ListedReversal[] }));
  return { payments, next: results.length > payments.length ? (payments.at(-1)?.payment_id ?? null) : null };
}
