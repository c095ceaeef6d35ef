import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { checkoutOfIntent } from '../../gateways/stripe.ts';
import type { StripeEvent } from '../../gateways/stripe-events.ts';
import { type Payment, paymentOfId, paymentOfIntent, settlePayment } from '../../models/money/payments.ts';
import { applyReversal } from '../../models/money/reversals.ts';

/**
 * Credits what a payment intent paid, where it is one of ours that no webhook told of (yet). Answers the payment, or
 * null where the intent belongs to none.
 */
export async function settleIntent(db: Db, env: Env, intent: string, now = Date.now()): Promise<Payment | null> {
  const checkout = await checkoutOfIntent(env, intent);
  const payment = checkout?.payment_id ? await paymentOfId(db, checkout.payment_id) : null;
  if (!checkout || !payment) return null;
  await settlePayment(db, payment, checkout, now);
  return payment;
}

/** Does what an event of Stripe means. What concerns nothing of ours is left alone; again changes nothing. */
export async function handleStripeEvent(db: Db, env: Env, event: StripeEvent, now = Date.now()): Promise<void> {
  if (event?.about === 'checkout') {
    const { checkout } = event;
    const payment = checkout.payment_id ? await paymentOfId(db, checkout.payment_id) : null;
    if (payment) await settlePayment(db, payment, checkout, now);
  }
  if (event?.about === 'reversal') {
    // A refund may be told before the payment that it is of.
    const { payment_intent, reversal } = event;
    const payment = (await paymentOfIntent(db, payment_intent)) ?? (await settleIntent(db, env, payment_intent, now));
    if (payment) await applyReversal(db, payment, reversal, now);
  }
}
