import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { PAYMENT_STATES, REVERSAL_KINDS } from '../../domain/money/payment.ts';
import { users } from './users.ts';

/** Tables of payments other than the ledger; part of worker/db/schema.ts. */

/** A top-up, recorded before Stripe is called. The credited amount is in the ledger under `payment:<id>`. */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id),
    amount_cents: integer().notNull(),
    /** The caller's idempotency key: the same key is the same payment. */
    request_key: text().notNull(),
    state: text({ enum: PAYMENT_STATES }).notNull().default('open'),
    /** Stripe's Checkout Session; null until Stripe has answered. */
    session_id: text(),
    /** Stripe's payment intent, which refunds and disputes refer to. */
    payment_intent: text(),
    created_at: integer().notNull(),
    paid_at: integer(),
  },
  (table) => [
    uniqueIndex('payments_request').on(table.user_id, table.request_key),
    uniqueIndex('payments_session').on(table.session_id),
    uniqueIndex('payments_intent').on(table.payment_intent),
    index('payments_paid').on(table.paid_at).where(sql`${table.paid_at} IS NOT NULL`),
    index('payments_created').on(table.created_at, table.id),
  ],
);

/**
 * Money that Stripe took back. A balance cannot fall below zero, so the ledger takes what it covers (`covered_cents`,
 * the sum of the entries `reversal:<id>:…`). The rest is taken from the account's next money; until then, a trigger
 * refuses charges (docs/decisions/money-taken-back.md).
 */
export const reversals = sqliteTable(
  'reversals',
  {
    /** Stripe's id of the refund or dispute. */
    id: text().primaryKey(),
    payment_id: text()
      .notNull()
      .references(() => payments.id),
    user_id: text().notNull(),
    kind: text({ enum: REVERSAL_KINDS }).notNull(),
    /** Amount that Stripe keeps; 0 once it was given back. */
    amount_cents: integer().notNull(),
    covered_cents: integer().notNull().default(0),
    /** domain/payment; never decreases. */
    stage: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('reversals_uncovered').on(table.user_id).where(sql`${table.covered_cents} < ${table.amount_cents}`),
    check('reversal_not_negative', sql`${table.amount_cents} >= 0 AND ${table.covered_cents} >= 0`),
  ],
);

/** Low balance warnings. A trigger on the ledger records the newest entry; the cron checks accounts with new ones. */
export const balance_alerts = sqliteTable(
  'balance_alerts',
  {
    user_id: text()
      .primaryKey()
      .references(() => users.id),
    threshold_cents: integer().notNull(),
    /** The account's newest ledger entry, and the last one at which the balance was checked. */
    last_entry: integer().notNull().default(0),
    checked_entry: integer().notNull().default(-1),
    /** Warned since the balance fell below the threshold. */
    warned: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (table) => [index('balance_alerts_due').on(table.user_id).where(sql`${table.last_entry} > ${table.checked_entry}`)],
);

/** Daily comparisons of the ledger with Stripe's balance transactions. */
export const reconciliations = sqliteTable('reconciliations', {
  /** 'YYYY-MM-DD' in UTC. */
  day: text().primaryKey(),
  ran_at: integer().notNull(),
  stripe_cents: integer().notNull(),
  ledger_cents: integer().notNull(),
  /** JSON: one sentence per difference. */
  differences: text().notNull(),
});
