import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { receiptAddress } from '../../gateways/stripe.ts';
import { paymentOfId } from '../../models/money/payments.ts';

/** Returns the URL of Stripe's receipt for a user's payment, or null if there is none. */
export async function openReceipt(db: Db, env: Env, userId: string, paymentId: string): Promise<string | null> {
  const payment = await paymentOfId(db, paymentId);
  if (payment?.user_id !== userId || !payment.payment_intent) throw notFound('receipt');
  return receiptAddress(env, payment.payment_intent);
}
