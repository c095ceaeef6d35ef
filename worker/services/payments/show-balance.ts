import type * as z from 'zod';
import { dollars } from '../../../domain/money/money.ts';
import type { balanceAnswer } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { receiptAddress, takesPayments } from '../../gateways/stripe.ts';
import type { Viewer } from '../../models/accounts/user.ts';
import { thresholdOf } from '../../models/money/alerts.ts';
import { paymentOfId } from '../../models/money/payments.ts';
import { uncoveredOf } from '../../models/money/reversals.ts';

/** Returns a user's balance, debt and low balance threshold. */
export async function showBalance(db: Db, env: Env, viewer: Viewer): Promise<z.infer<typeof balanceAnswer>> {
  const [user, uncovered, threshold] = await Promise.all([
    viewer.user(),
    uncoveredOf(db, viewer.userId),
    thresholdOf(db, viewer.userId),
  ]);
  return {
    balance: dollars(user.balance_cents),
    /** Amount that Stripe took back beyond the balance. Above zero, it blocks orders. */
    uncovered: dollars(uncovered),
    threshold: threshold === null ? null : dollars(threshold),
    takes_payments: takesPayments(env),
  };
}

/** Returns the URL of Stripe's receipt for a user's payment, or null if there is none. */
export async function openReceipt(db: Db, env: Env, userId: string, paymentId: string): Promise<string | null> {
  const payment = await paymentOfId(db, paymentId);
  if (payment?.user_id !== userId || !payment.payment_intent) throw notFound('receipt');
  return receiptAddress(env, payment.payment_intent);
}
