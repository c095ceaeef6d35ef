import type { Stripe } from 'stripe';
import type { Cents } from '../../domain/money/money.ts';
import type { PaymentState } from '../../domain/money/payment.ts';
import type { Movement } from '../../domain/money/reconciliation.ts';
import { type Env, isLocal } from '../env.ts';
import { Refusal } from '../errors.ts';
import { logError } from '../log.ts';
import type { CheckoutState } from '../models/money/payments.ts';

/** Stripe, by its own package: everything that the service asks of it or hears from it. */

/** The version that this code was written against; the account's own default may be another. */
const API_VERSION = '2026-10-28.endive';
const TIMEOUT_MS = 10_000;

type Settings = Pick<Env, 'ENVIRONMENT' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE'>;

/** True where top-ups can be made: both keys are there. */
export const takesPayments = (env: Settings): boolean => !!env.STRIPE_SECRET_KEY && !!env.STRIPE_WEBHOOK_SECRET;

/** Where Stripe's API is, if not at Stripe: the stand-in of a local copy. Anywhere else that is refused. */
function standIn(env: Settings) {
  const { STRIPE_API_BASE } = env;
  if (!STRIPE_API_BASE) return {};
  if (!isLocal(env)) throw new Error('STRIPE_API_BASE is for local copies: it cannot be set here.');
  const { hostname, port, protocol } = new URL(STRIPE_API_BASE);
  return { host: hostname, port, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) };
}

/** The client of the account's own keys. */
export async function stripeOf(env: Settings): Promise<Stripe> {
  const base = standIn(env);
  const { STRIPE_SECRET_KEY: key } = env;
  if (!key || !takesPayments(env))
    throw new Refusal('unavailable', 'Payments are not open yet. Please try again later.');
  // Loaded by the first payment, not at start-up: the package is large.
  const { Stripe: Client } = await import('stripe');
  return new Client(key, {
    ...base,
    apiVersion: API_VERSION,
    httpClient: Client.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

/** Types of Stripe's errors that pass by themselves: no connection, too many calls, trouble of its own. */
const PASSING = new Set(['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']);

/** The type that Stripe's package gives its errors. */
export const typeOf = (error: unknown): string => String((error as { type?: unknown } | null)?.type ?? '');

/** Asks Stripe; null where it knows no such thing, a refusal that the user can act on where it does not answer. */
async function ask<Answer>(env: Settings, question: (stripe: Stripe) => Promise<Answer>): Promise<Answer | null> {
  const stripe = await stripeOf(env);
  try {
    return await question(stripe);
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return null;
    if (!PASSING.has(typeOf(error))) throw error;
    logError({ stripe: typeOf(error) }, error);
    throw new Refusal(
      'unavailable',
      'Stripe, which handles our payments, does not answer just now. Nothing is lost: a payment that you made is ' +
        'added to your balance as soon as Stripe tells us. Please try again in a minute.',
    );
  }
}

const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null);

/** A Checkout Session's fields that count here. */
export interface Session {
  id: string;
  client_reference_id: string | null;
  status: string | null;
  payment_status: string;
  amount_total: number | null;
  currency: string | null;
  payment_intent: string | { id: string } | null;
  customer: string | { id: string } | null;
}

function stateOf({ status, payment_status }: Session): PaymentState {
  if (payment_status === 'paid') return 'paid';
  return status === 'expired' ? 'expired' : 'open';
}

/** A session as the rest of the service reads it. */
export const checkoutOf = (session: Session, state = stateOf(session)): CheckoutState => ({
  session_id: session.id,
  payment_id: session.client_reference_id,
  state,
  amount: session.amount_total ?? 0,
  currency: session.currency ?? '',
  payment_intent: idOf(session.payment_intent),
  customer: idOf(session.customer),
});

export interface CheckoutRequest {
  payment_id: string;
  amount: Cents;
  user: { email: string; stripe_customer_id: string | null };
  /** The page's own address, without a path. */
  origin: string;
  /** What the payer goes on with; undefined: with nothing. */
  back: 'order' | undefined;
}

/** Opens a Checkout Session for a payment; the same payment gets the same session. Answers its id and address. */
export async function openCheckout(env: Settings, { payment_id, amount, user, origin, back }: CheckoutRequest) {
  const then = back ? `&back=${back}` : '';
  const session = await ask(env, (stripe) =>
    stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: payment_id,
        line_items: [
          {
            quantity: 1,
            price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Muster balance' } },
          },
        ],
        // The payer's customer comes into being with the first payment.
        ...(user.stripe_customer_id
          ? { customer: user.stripe_customer_id }
          : { customer_creation: 'always' as const, customer_email: user.email }),
        // What is paid must be what is credited, in the one currency of the balance.
        adaptive_pricing: { enabled: false },
        payment_intent_data: { description: 'Muster balance', metadata: { payment_id } },
        success_url: `${origin}/payment/status?status=success&session_id={CHECKOUT_SESSION_ID}${then}`,
        cancel_url: `${origin}/payment/status?status=cancelled${then}`,
      },
      { idempotencyKey: `payment-${payment_id}` },
    ),
  );
  if (!session?.url) throw new Error('Stripe opened a session without an address.');
  return { session_id: session.id, url: session.url };
}

/** What Stripe says of a session, or null where there is none. */
export async function checkoutState(env: Settings, sessionId: string): Promise<CheckoutState | null> {
  const session = await ask(env, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
  return session && checkoutOf(session);
}

/** The session by which a payment intent was paid, or null where it came about otherwise. */
export async function checkoutOfIntent(env: Settings, paymentIntent: string): Promise<CheckoutState | null> {
  const list = await ask(env, (stripe) => stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 }));
  const [session] = list?.data ?? [];
  return session ? checkoutOf(session) : null;
}

/** Opens Stripe's billing portal for a customer and answers its address; null where Stripe knows no such customer. */
export async function portalAddress(env: Settings, customer: string, return_url: string): Promise<string | null> {
  const session = await ask(env, (stripe) => stripe.billingPortal.sessions.create({ customer, return_url }));
  return session?.url ?? null;
}

/** The address of Stripe's receipt for a payment; asked anew each time, since such addresses run out. */
export async function receiptAddress(env: Settings, paymentIntent: string): Promise<string | null> {
  const intent = await ask(env, (stripe) =>
    stripe.paymentIntents.retrieve(paymentIntent, { expand: ['latest_charge'] }),
  );
  const charge = intent?.latest_charge;
  return charge && typeof charge === 'object' ? charge.receipt_url : null;
}

function movementOf({ id, amount, currency, source }: Stripe.BalanceTransaction): Movement | null {
  if (!source || typeof source === 'string') return null;
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute') return null;
  const reversal = source.object === 'charge' ? null : source.id;
  return { id, amount, currency, payment_intent: idOf(source.payment_intent), reversal };
}

/** Stripe's balance transactions of payments, refunds and disputes, created from `from` until before `to` (ms). */
export async function movementsBetween(env: Settings, from: number, to: number): Promise<Movement[]> {
  const created = { gte: Math.ceil(from / 1000), lt: Math.ceil(to / 1000) };
  const movements = await ask(env, async (stripe) => {
    const found: Movement[] = [];
    for await (const transaction of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
      const movement = movementOf(transaction);
      if (movement) found.push(movement);
    }
    return found;
  });
  return movements ?? [];
}

/** What was received by a payment intent, in cents; 0 where it is unknown or was not paid. */
export async function receivedBy(env: Settings, paymentIntent: string): Promise<Cents> {
  const intent = await ask(env, (stripe) => stripe.paymentIntents.retrieve(paymentIntent));
  return intent?.amount_received ?? 0;
}
