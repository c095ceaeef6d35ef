import { and, desc, eq, gte, isNotNull, lt, min, sql } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import type { Books, Movement } from '../../../domain/money/reconciliation.ts';
import type { Db } from '../../db/open.ts';
import { ledger_entries, payments, reconciliations, reversals, users } from '../../db/schema.ts';
import { isActiveAdminSql } from '../accounts/user.ts';
import { mailStatement } from '../messages/outbox.ts';

/** Joins a payment to its ledger entry, because the ledger, not the payment, is the source of truth. */
const creditOf = eq(ledger_entries.reference, sql`'payment:' || ${payments.id}`);

/** Passed as one JSON value, because D1 binds at most 100 parameters. */
const among = (column: typeof payments.payment_intent | typeof reversals.id, ids: readonly string[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Returns what the ledger knows about the payments, refunds and disputes in the movements. */
export async function booksOf(db: Db, movements: readonly Movement[]): Promise<Books> {
  const credited = await db
    .select({ intent: payments.payment_intent, amount: ledger_entries.amount_cents })
    .from(payments)
    .innerJoin(ledger_entries, creditOf)
    .where(
      among(
        payments.payment_intent,
        movements.flatMap(({ payment_intent }) => payment_intent ?? []),
      ),
    );
  const reversed = await db
    .select()
    .from(reversals)
    .where(
      among(
        reversals.id,
        movements.flatMap(({ reversal }) => reversal ?? []),
      ),
    );
  return {
    credited: new Map(credited.map(({ intent, amount }) => [intent ?? '', amount])),
    reversed: new Map(reversed.map(({ id, amount_cents, stage }) => [id, { amount: amount_cents, stage }])),
  };
}

/** Returns top-ups credited from `from` until before `to` (epoch ms), by payment intent. */
export async function creditedBetween(db: Db, from: number, to: number): Promise<Map<string, Cents>> {
  const rows = await db
    .select({ intent: payments.payment_intent, amount: ledger_entries.amount_cents })
    .from(payments)
    .innerJoin(ledger_entries, creditOf)
    .where(and(isNotNull(payments.paid_at), gte(payments.paid_at, from), lt(payments.paid_at, to)));
  return new Map(rows.map(({ intent, amount }) => [intent ?? '', amount]));
}

/** Returns when the first payment was opened, or null if there is none. */
export async function firstPaymentAt(db: Db): Promise<number | null> {
  const [row] = await db.select({ at: min(payments.created_at) }).from(payments);
  return row?.at ?? null;
}

/** Returns the newest 30 compared days. */
export async function comparedDays(db: Db): Promise<string[]> {
  const rows = await db
    .select({ day: reconciliations.day })
    .from(reconciliations)
    .orderBy(desc(reconciliations.day))
    .limit(30);
  return rows.map(({ day }) => day);
}

export interface BooksComparison {
  day: string;
  stripe_cents: Cents;
  ledger_cents: Cents;
  differences: readonly string[];
}

const report = ({ day, differences }: BooksComparison): string =>
  [
    `On ${day} (UTC) the ledger and Stripe differ:`,
    ...differences.map((difference) => `- ${difference}`),
    'Compare the payments named above in the Stripe dashboard, then correct what is wrong by an adjustment.',
  ].join('\n\n');

/**
 * Stores a day's comparison and mails the admins if it found differences. If the day was compared before, the first
 * result stays.
 */
export async function recordComparison(db: Db, comparison: BooksComparison, now = Date.now()): Promise<void> {
  const { day, stripe_cents, ledger_cents, differences } = comparison;
  const admins = differences.length
    ? await db
        .select({ id: users.id, email: users.email })
        .from(users)
        .where(sql.raw(isActiveAdminSql('users')))
    : [];
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO reconciliations (day, ran_at, stripe_cents, ledger_cents, differences) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (day) DO NOTHING`,
      )
      .bind(day, now, stripe_cents, ledger_cents, JSON.stringify(differences)),
    ...admins.map(({ id, email }) =>
      mailStatement(
        db,
        {
          to: email,
          subject: `Muster: ${differences.length} differences between ledger and Stripe on ${day}`,
          text: report(comparison),
          reference: `reconciliation:${day}:${id}`,
        },
        now,
      ),
    ),
  ]);
}

const SHOWN = 60;

/** Returns the newest comparisons. */
export const listComparisons = (db: Db) =>
  db.select().from(reconciliations).orderBy(desc(reconciliations.day)).limit(SHOWN);
