import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { checkoutOfIntent } from '../../gateways/stripe.ts';
import type { StripeEvent } from '../../gateways/stripe-events.ts';
import { type Payment, paymentOfId, paymentOfIntent, settlePayment } from '../../models/money/payments.ts';
import { applyReversal } from '../../models/money/reversals.ts';

/**
 * Credits a payment intent of ours for which no webhook has arrived (yet). Returns the payment, or null if the intent
 * is not ours.
 */
export async function settleIntent(db: Db, env: Env, intent: string, now = Date.now()): Promise<Payment | null> {
  const checkout = await checkoutOfIntent(env, intent);
  const payment = checkout?.payment_id ? await paymentOfId(db, checkout.payment_id) : null;
  if (!checkout || !payment) return null;
  await settlePayment(db, payment, checkout, now);
  return payment;
}

/** Applies a Stripe event. Ignores events that do not concern us. Idempotent. */
export async function handleStripeEvent(db: Db, env: Env, event: StripeEvent, now = Date.now()): Promise<void> {
  if (event?.about === 'checkout') {
    const { checkout } = event;
    const payment = checkout.payment_id ? await paymentOfId(db, checkout.payment_id) : null;
    if (payment) await settlePayment(db, payment, checkout, now);
  }
  if (event?.about === 'reversal') {
    // A refund may arrive before its payment.
    const { payment_intent, reversal } = event;
    const payment = (await paymentOfIntent(db, payment_intent)) ?? (await settleIntent(db, env, payment_intent, now));
    if (payment) await applyReversal(db, payment, reversal, now);
  }
}
