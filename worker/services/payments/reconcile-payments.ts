import { DAY_MS } from '../../../domain/days.ts';
import { creditedLate, daysToCompare, differencesOf, unknownToStripe } from '../../../domain/money/reconciliation.ts';
import { type Db, openDb } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { movementsBetween, receivedBy, takesPayments } from '../../gateways/stripe.ts';
import {
  type BooksComparison,
  booksOf,
  comparedDays,
  creditedBetween,
  firstPaymentAt,
  recordComparison,
} from '../../models/money/reconciliation.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { settleIntent } from './take-webhook.ts';

/**
 * Compares a day: everything that moved at Stripe must be in the ledger, and everything credited that day must be known
 * to Stripe. Credits payments whose webhook never arrived and reports them.
 */
async function compare(db: Db, env: Env, day: string, now: number): Promise<BooksComparison> {
  const [from, to] = [Date.parse(day), Date.parse(day) + DAY_MS];
  const movements = await movementsBetween(env, from, to);
  const before = await booksOf(db, movements);
  const late: string[] = [];
  const unsettled: string[] = [];
  for (const { payment_intent, reversal, amount } of movements) {
    if (reversal !== null || payment_intent === null || before.credited.has(payment_intent)) continue;
    try {
      const settled = await settleIntent(db, env, payment_intent, now);
      if (settled) late.push(creditedLate(payment_intent, amount));
    } catch (error) {
      unsettled.push(`${payment_intent}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  // Some payments are credited by now. The day is compared again until all are.
  if (unsettled.length > 0) throw new Error(`Payments of ${day} could not be credited: ${unsettled.join('; ')}`);
  const differences = [...late, ...differencesOf(movements, late.length ? await booksOf(db, movements) : before)];

  const credited = await creditedBetween(db, from, to);
  const moved = new Set(movements.map(({ payment_intent }) => payment_intent));
  for (const [intent, amount] of credited) {
    // Paid on another day than credited, so Stripe is asked about this payment.
    const received = moved.has(intent) ? amount : await receivedBy(env, intent);
    if (received !== amount) differences.push(unknownToStripe(intent, amount, received));
  }
  return {
    day,
    stripe_cents: movements.reduce((sum, { amount }) => sum + amount, 0),
    ledger_cents: [...credited.values()].reduce((sum, amount) => sum + amount, 0),
    differences,
  };
}

/** Compares every past day not compared yet, independently of each other, and reports differences to the admins. */
export async function reconcilePayments(env: Env, now = Date.now()): Promise<void> {
  if (!takesPayments(env)) return;
  const db = openDb(env);
  const rows = daysToCompare(await comparedDays(db), await firstPaymentAt(db), now);
  const act = async (day: string) => recordComparison(db, await compare(db, env, day, now), now);
  await oneByOne(db, { job: 'payments', rows, subjectOf: (day) => day }, act, now);
}
