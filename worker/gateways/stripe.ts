import type { Stripe } from 'stripe';
import type { Cents } from '../../domain/money/money.ts';
import type { PaymentState, ReversalKind } from '../../domain/money/payment.ts';
import type { Movement } from '../../domain/money/reconciliation.ts';
import { type Env, isLocal } from '../env.ts';
import { logError, Refusal } from '../errors.ts';
import type { CheckoutState } from '../models/money/payments.ts';

/** All calls to Stripe, through its own package. */

/** The API version that this code was written for, whatever the account's default. */
const API_VERSION = '2026-10-28.endive';
const TIMEOUT_MS = 10_000;

type Settings = Pick<Env, 'ENVIRONMENT' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE'>;

/** True if both secrets are set, so that top-ups are possible. */
export const takesPayments = (env: Settings): boolean => !!env.STRIPE_SECRET_KEY && !!env.STRIPE_WEBHOOK_SECRET;

/** Returns the address of a local copy's Stripe stand-in, if set. Refuses one elsewhere. */
function standIn(env: Settings) {
  const { STRIPE_API_BASE } = env;
  if (!STRIPE_API_BASE) return {};
  if (!isLocal(env)) throw new Error('STRIPE_API_BASE is for local copies: it cannot be set here.');
  const { hostname, port, protocol } = new URL(STRIPE_API_BASE);
  return { host: hostname, port, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) };
}

/** Returns a client with the account's keys. */
export async function stripeOf(env: Settings): Promise<Stripe> {
  const base = standIn(env);
  const { STRIPE_SECRET_KEY: key } = env;
  if (!key || !takesPayments(env))
    throw new Refusal('unavailable', 'Payments are not open yet. Please try again later.');
  // Loaded with the first payment instead of at start-up, because the package is large.
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

/** Types of transient Stripe errors: no connection, rate limit, internal error. */
const PASSING = new Set(['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']);

/** Returns the type of an error from Stripe's package. */
export const stripeErrorType = (error: unknown): string => String((error as { type?: unknown } | null)?.type ?? '');

/**
 * Calls Stripe. Returns null if the object does not exist. Throws a refusal that the user can act on if Stripe does not
 * answer.
 */
async function ask<Answer>(env: Settings, question: (stripe: Stripe) => Promise<Answer>): Promise<Answer | null> {
  const stripe = await stripeOf(env);
  try {
    return await question(stripe);
  } catch (error) {
    if ((error as { code?: string }).code === 'resource_missing') return null;
    if (!PASSING.has(stripeErrorType(error))) throw error;
    logError({ stripe: stripeErrorType(error) }, error);
    throw new Refusal(
      'unavailable',
      'Stripe, which handles our payments, does not answer just now. Nothing is lost: a payment that you made is added to your balance as soon as Stripe tells us. Please try again in a minute.',
    );
  }
}

const idOf = (thing: string | { id: string } | null | undefined): string | null =>
  typeof thing === 'string' ? thing : (thing?.id ?? null);

/** The fields of a Checkout Session that are used here. */
export interface CheckoutSession {
  id: string;
  client_reference_id: string | null;
  status: string | null;
  payment_status: string;
  amount_total: number | null;
  currency: string | null;
  payment_intent: string | { id: string } | null;
  customer: string | { id: string } | null;
}

function stateOf({ status, payment_status }: CheckoutSession): PaymentState {
  if (payment_status === 'paid') return 'paid';
  return status === 'expired' ? 'expired' : 'open';
}

/** Converts a session to the service's own type. */
export const checkoutOf = (session: CheckoutSession, state = stateOf(session)): CheckoutState => ({
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
  /** The page's origin. */
  origin: string;
  /** What the payer continues with afterwards, if anything. */
  back: 'order' | undefined;
}

/** Parameters of a session and its price for automatic tax, if the setting asks for it. Prices include the tax. */
const taxOf = ({ STRIPE_TAX }: Env, customer: string | null) =>
  STRIPE_TAX === 'on'
    ? {
        session: {
          automatic_tax: { enabled: true },
          // Stripe needs an address to tax. A known customer has none until this payment.
          ...(customer && { customer_update: { address: 'auto' as const } }),
        },
        price: { tax_behavior: 'inclusive' as const },
      }
    : {};

/**
 * Opens a new Checkout Session for a payment and returns its id and address. It carries no idempotency key of its own:
 * Stripe repeats a 500 under its key for a day, and refuses a key whose parameters changed. A session that nobody is
 * sent to takes no money. `customer_missing` is true if Stripe no longer knows the stored customer. Its next payment
 * creates another.
 */
export async function openCheckout(env: Env, { payment_id, amount, user, origin, back }: CheckoutRequest) {
  const then = back ? `&back=${back}` : '';
  const product_data = { name: 'Muster balance' };
  const open = (customer: string | null) => {
    const tax = taxOf(env, customer);
    return ask(env, (stripe) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        client_reference_id: payment_id,
        line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: amount, product_data, ...tax.price } }],
        // Stripe creates the customer with the first payment.
        ...(customer ? { customer } : { customer_creation: 'always' as const, customer_email: user.email }),
        ...tax.session,
        // The balance has one currency, so the customer pays in it.
        adaptive_pricing: { enabled: false },
        payment_intent_data: { description: 'Muster balance', metadata: { payment_id } },
        success_url: `${origin}/payment/status?status=success&session_id={CHECKOUT_SESSION_ID}${then}`,
        cancel_url: `${origin}/payment/status?status=cancelled${then}`,
      }),
    );
  };
  const customer = user.stripe_customer_id;
  const known = customer ? await open(customer) : null;
  const session = known ?? (await open(null));
  if (!session?.url) throw new Error('Stripe opened a session without an address.');
  return { session_id: session.id, url: session.url, customer_missing: customer !== null && !known };
}

/** A session's status and, while it is open, the address of its page; null if Stripe does not know it. */
export async function checkoutPage(env: Env, sessionId: string) {
  const session = await ask(env, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
  return session && { status: session.status, url: session.url };
}

/** Closes a session that nobody was sent to. */
export async function closeCheckout(env: Env, sessionId: string): Promise<void> {
  await ask(env, (stripe) => stripe.checkout.sessions.expire(sessionId));
}

/** Returns the state of a session, or null if it does not exist. */
export async function checkoutState(env: Settings, sessionId: string): Promise<CheckoutState | null> {
  const session = await ask(env, (stripe) => stripe.checkout.sessions.retrieve(sessionId));
  return session && checkoutOf(session);
}

/** Returns the session that paid a payment intent, or null if there was none. */
export async function checkoutOfIntent(env: Settings, paymentIntent: string): Promise<CheckoutState | null> {
  const list = await ask(env, (stripe) => stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 }));
  const [session] = list?.data ?? [];
  return session ? checkoutOf(session) : null;
}

/** Opens Stripe's billing portal for a customer and returns its URL, or null if Stripe does not know the customer. */
export async function portalAddress(env: Settings, customer: string, return_url: string): Promise<string | null> {
  const session = await ask(env, (stripe) => stripe.billingPortal.sessions.create({ customer, return_url }));
  return session?.url ?? null;
}

/** Returns the URL of Stripe's receipt for a payment. Requested each time, because such URLs expire. */
export async function receiptAddress(env: Settings, paymentIntent: string): Promise<string | null> {
  const intent = await ask(env, (stripe) =>
    stripe.paymentIntents.retrieve(paymentIntent, { expand: ['latest_charge'] }),
  );
  const charge = intent?.latest_charge;
  return charge && typeof charge === 'object' ? charge.receipt_url : null;
}

/** A payment as Stripe shows it now, in Stripe's words; amounts in cents, times in epoch ms. */
export interface StripePayment {
  session: string;
  payment: string;
  amount: Cents;
  currency: string;
  customer: string | null;
  intent: { status: string; received: Cents; failure: string | null; receipt: string | null } | null;
  reversals: {
    id: string;
    kind: ReversalKind;
    amount: Cents;
    status: string;
    reason: string | null;
    due_at: number | null;
    created_at: number;
  }[];
}

const MOST_REVERSALS = 100;

/** Returns everything that Stripe says of a session and its payment, or null if it does not know the session. */
export async function describePayment(env: Settings, sessionId: string): Promise<StripePayment | null> {
  return ask(env, async (stripe) => {
    const session = await stripe.checkout.sessions.retrieve(sessionId);
    const payment_intent = idOf(session.payment_intent);
    const [intent, refunds, disputes] = payment_intent
      ? await Promise.all([
          stripe.paymentIntents.retrieve(payment_intent, { expand: ['latest_charge'] }),
          stripe.refunds.list({ payment_intent, limit: MOST_REVERSALS }),
          stripe.disputes.list({ payment_intent, limit: MOST_REVERSALS }),
        ])
      : [];
    const charge = intent?.latest_charge;
    const both = [
      ...(refunds?.data ?? []).map((each) => ({ ...each, kind: 'refund' as const, due: null })),
      ...(disputes?.data ?? []).map((each) => ({
        ...each,
        kind: 'dispute' as const,
        due: each.status === 'needs_response' ? each.evidence_details.due_by : null,
      })),
    ];
    return {
      session: session.status ?? 'unknown',
      payment: session.payment_status,
      amount: session.amount_total ?? 0,
      currency: session.currency ?? '',
      customer: idOf(session.customer),
      intent: intent
        ? {
            status: intent.status,
            received: intent.amount_received,
            failure: intent.last_payment_error?.message ?? null,
            receipt: charge && typeof charge === 'object' ? charge.receipt_url : null,
          }
        : null,
      reversals: both
        .map(({ id, kind, amount, status, reason, due, created }) => ({
          ...{ id, kind, amount, status: status ?? 'unknown', reason: reason ?? null },
          due_at: due === null ? null : due * 1000,
          created_at: created * 1000,
        }))
        .sort((a, b) => b.created_at - a.created_at),
    };
  });
}

function movementOf({ id, amount, currency, source }: Stripe.BalanceTransaction): Movement | null {
  if (!source || typeof source === 'string') return null;
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute') return null;
  const reversal = source.object === 'charge' ? null : source.id;
  return { id, amount, currency, payment_intent: idOf(source.payment_intent), reversal };
}

/**
 * Returns Stripe's balance transactions of payments, refunds and disputes created from `from` until before `to` (epoch
 * ms).
 */
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

/** Returns the amount received by a payment intent in cents; 0 if it is unknown or unpaid. */
export async function receivedBy(env: Settings, paymentIntent: string): Promise<Cents> {
  const intent = await ask(env, (stripe) => stripe.paymentIntents.retrieve(paymentIntent));
  return intent?.amount_received ?? 0;
}
