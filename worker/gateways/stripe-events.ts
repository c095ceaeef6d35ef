import * as z from 'zod';
import { GIVEN_BACK, TAKEN } from '../../domain/money/payment.ts';
import type { Env } from '../env.ts';
import { Refusal, Unusable } from '../errors.ts';
import type { CheckoutState } from '../models/money/payments.ts';
import type { Reversal } from '../models/money/reversals.ts';
import { checkoutOf, stripeErrorType, stripeOf } from './stripe.ts';

/** Events from Stripe's webhook. */

/** What an event means for an account; null if nothing. */
export type StripeEvent =
  | { about: 'checkout'; checkout: CheckoutState }
  | { about: 'reversal'; reversal: Reversal; payment_intent: string }
  | null;

const id = z.string().min(1).max(255);
/** A reference to another Stripe object: its id or the object itself. */
const named = z
  .union([id, z.object({ id }).transform((object) => object.id)])
  .nullish()
  .transform((name) => name ?? null);
const word = z
  .string()
  .max(255)
  .nullish()
  .transform((text) => text ?? null);
const cents = z.int().min(0);

const session = z.object({
  id,
  client_reference_id: word,
  status: word,
  payment_status: z.string(),
  amount_total: cents.nullish().transform((amount) => amount ?? null),
  currency: word,
  payment_intent: named,
  customer: named,
});
const refund = z.object({ id, amount: cents, status: word, payment_intent: named });
const dispute = z.object({ id, amount: cents, payment_intent: named });
const event = z.object({ id, type: z.string(), data: z.object({ object: z.unknown() }) });

function refundOf(object: unknown): StripeEvent {
  const { id, amount, status, payment_intent } = refund.parse(object);
  if (!payment_intent) return null;
  const stage = status === 'failed' || status === 'canceled' ? GIVEN_BACK : TAKEN;
  return { about: 'reversal', reversal: { id, kind: 'refund', amount, stage }, payment_intent };
}

function disputeOf(object: unknown, stage: Reversal['stage']): StripeEvent {
  const { id, amount, payment_intent } = dispute.parse(object);
  if (!payment_intent) return null;
  return { about: 'reversal', reversal: { id, kind: 'dispute', amount, stage }, payment_intent };
}

function meaningOf(type: string, object: unknown): StripeEvent {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return { about: 'checkout', checkout: checkoutOf(session.parse(object)) };
    case 'checkout.session.async_payment_failed':
      return { about: 'checkout', checkout: checkoutOf(session.parse(object), 'failed') };
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundOf(object);
    // A dispute takes money when its funds are withdrawn, not when it is opened; inquiries take none.
    case 'charge.dispute.funds_withdrawn':
      return disputeOf(object, TAKEN);
    case 'charge.dispute.funds_reinstated':
      return disputeOf(object, GIVEN_BACK);
    default:
      return null;
  }
}

/** How far Stripe's clock may be ahead of ours. */
const AHEAD_MS = 10_000;

const isAhead = (signature: string, now: number): boolean =>
  signature
    .split(',')
    .some((part) => part.startsWith('t=') && Number.parseInt(part.slice(2), 10) * 1000 > now + AHEAD_MS);

/** Checks that Stripe signed the body within the last five minutes. @throws Refusal if not. */
export async function checkSignature(env: Env, body: string, signature: string, now: number): Promise<void> {
  const refused = () => new Refusal('invalid', 'The body has no valid, recent signature from Stripe.');
  const stripe = await stripeOf(env);
  const { Stripe: Client } = await import('stripe');
  const crypto = Client.createSubtleCryptoProvider();
  try {
    await stripe.webhooks.signature?.verifyHeaderAsync(
      body,
      signature,
      env.STRIPE_WEBHOOK_SECRET ?? '',
      undefined,
      crypto,
    );
  } catch (error) {
    throw stripeErrorType(error) === 'StripeSignatureVerificationError' ? refused() : error;
  }
  // Stripe's package only refuses signatures that are too old.
  if (isAhead(signature, now)) throw refused();
}

type Told = z.output<typeof event>;

/** Parses with a schema. @throws Unusable if the shape differs. */
function readWith<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Unusable(`An event of Stripe's has another shape than agreed: ${why}`);
  }
}

/** Parses the event in a signed body. @throws Unusable */
export const readEvent = (body: string): Told => readWith(() => event.parse(JSON.parse(body)));

/** Returns what an event means for an account. @throws Unusable */
export const readMeaning = ({ type, data }: Told): StripeEvent => readWith(() => meaningOf(type, data.object));
