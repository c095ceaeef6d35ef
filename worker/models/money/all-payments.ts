import type { AdminPaymentsQuery } from '../../../domain/money/admin-contract.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import type { ledger_entries } from '../../db/schema.ts';
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

interface Row extends Omit<ListedPayment, 'reversals'> {
  reversals: string;
}

const listed = (row: Row): ListedPayment => ({ ...row, reversals: JSON.parse(row.reversals) as ListedReversal[] });

/** SQL: the rows of `page` (payments with their username), newest first, each with its reversals as JSON. */
const WITH_REVERSALS = `taken AS (
    SELECT payment_id, json_group_array(json_object('id', id, 'kind', kind, 'amount_cents', amount_cents,
      'covered_cents', covered_cents, 'stage', stage, 'created_at', created_at) ORDER BY created_at, id) AS reversals
    FROM reversals WHERE payment_id IN (SELECT id FROM page) GROUP BY payment_id)
  SELECT page.id AS payment_id, user_id, username, amount_cents, state, created_at, paid_at, session_id,
    payment_intent, coalesce(reversals, '[]') AS reversals
  FROM page LEFT JOIN taken ON taken.payment_id = page.id ORDER BY created_at DESC, page.id DESC`;

/**
 * SQL: payments of users whose name contains ?1, or with ?2 as an id of theirs. `+` lets the newest be read in order,
 * so that a search that matches many ends after a page.
 */
const NAMED = `(+payments.user_id IN (SELECT id FROM users WHERE username_key LIKE ?1 ESCAPE '\\')
  OR +payments.id IN (
    SELECT ?2 UNION SELECT id FROM payments WHERE session_id = ?2 UNION SELECT id FROM payments WHERE payment_intent = ?2
    UNION SELECT payment_id FROM reversals WHERE id = ?2))`;

/** Returns a page of the matching payments, newest first, and the `before` of the next page. */
export async function listPayments(
  db: Db,
  { search, state, before }: AdminPaymentsQuery,
): Promise<{ payments: ListedPayment[]; next: string | null }> {
  const { results } = await db.$client
    .prepare(
      `WITH page AS MATERIALIZED (
         SELECT payments.*, username FROM payments JOIN users ON users.id = payments.user_id
         WHERE ${search ? NAMED : '1'}
           AND (?3 IS NULL OR state = ?3 OR ?3 = 'taken_back' AND payments.id IN (SELECT payment_id FROM reversals))
           AND (?4 IS NULL OR (payments.created_at, payments.id) < (SELECT created_at, id FROM payments WHERE id = ?4))
         ORDER BY payments.created_at DESC, payments.id DESC LIMIT ${PAYMENTS_PER_PAGE + 1}),
       ${WITH_REVERSALS}`,
    )
    .bind(search ? containing(search) : null, search ?? null, state ?? null, before ?? null)
    .all<Row>();
  const payments = results.slice(0, PAYMENTS_PER_PAGE).map(listed);
  return { payments, next: results.length > payments.length ? (payments.at(-1)?.payment_id ?? null) : null };
}

export type PaymentEntry = Pick<typeof ledger_entries.$inferSelect, 'created_at' | 'kind' | 'amount_cents' | 'note'> & {
  entry_id: number;
};

/** Returns a payment with its ledger entries, oldest first; null if the id is unknown. */
export async function paymentWhole(
  db: Db,
  id: string,
): Promise<{ payment: ListedPayment; ledger: PaymentEntry[] } | null> {
  const [found, entries] = await db.$client.batch([
    db.$client
      .prepare(
        `WITH page AS MATERIALIZED (
           SELECT payments.*, username FROM payments JOIN users ON users.id = payments.user_id WHERE payments.id = ?),
         ${WITH_REVERSALS}`,
      )
      .bind(id),
    db.$client
      .prepare(
        `SELECT id AS entry_id, created_at, kind, amount_cents, note FROM ledger_entries WHERE reference = 'payment:' || ?1
         UNION ALL
         SELECT ledger_entries.id, ledger_entries.created_at, ledger_entries.kind, ledger_entries.amount_cents, note
         FROM reversals JOIN ledger_entries
           ON reference > 'reversal:' || reversals.id || ':' AND reference < 'reversal:' || reversals.id || ';'
         WHERE payment_id = ?1 ORDER BY 1`,
      )
      .bind(id),
  ]);
  const [row] = (found?.results ?? []) as Row[];
  return row ? { payment: listed(row), ledger: (entries?.results ?? []) as PaymentEntry[] } : null;
}
