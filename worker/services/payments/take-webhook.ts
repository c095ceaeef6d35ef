import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal, Unusable } from '../../errors.ts';
import { checkoutOfIntent } from '../../gateways/stripe.ts';
import { checkSignature, readEvent, readMeaning, type StripeEvent } from '../../gateways/stripe-events.ts';
import { type Payment, paymentOfId, paymentOfIntent, settlePayment } from '../../models/money/payments.ts';
import { applyReversal } from '../../models/money/reversals.ts';
import { noteFailure, succeededStatement, UNSIGNED, WEBHOOK_CALLS } from '../../models/service/job-failures.ts';

/** Calls without Stripe's signature are recorded at most this often. */
const NOTED_EVERY_MS = 10_000;

const workOf = (subject: string) => ({ job: WEBHOOK_CALLS, subject });

/**
 * Handles a call of Stripe's webhook and records failures for admins. Throws on internal errors, so that Stripe
 * retries. An unusable event is recorded and accepted, because a retry would not help.
 */
export async function takeWebhook(
  db: Db,
  env: Env,
  { body, signature }: { body: string; signature: string },
  now = Date.now(),
): Promise<void> {
  try {
    await checkSignature(env, body, signature, now);
  } catch (error) {
    if (error instanceof Refusal) await noteFailure(db, workOf(UNSIGNED), { error, now, every: NOTED_EVERY_MS });
    throw error;
  }
  // The signature proves that the secret is right.
  const signed = succeededStatement(db, workOf(UNSIGNED));
  let subject = 'unreadable event';
  try {
    const event = readEvent(body);
    subject = event.id;
    await handleStripeEvent(db, env, readMeaning(event), now);
    await db.$client.batch([succeededStatement(db, workOf(subject)), signed]);
  } catch (error) {
    await noteFailure(db, workOf(subject), { error, now, every: 0 });
    if (!(error instanceof Unusable)) throw error;
    await signed.run();
  }
}

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
