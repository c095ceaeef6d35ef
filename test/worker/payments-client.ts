import { env } from 'cloudflare:workers';
import Stripe from 'stripe';
import { type Answer, type Caller, caller } from './client.ts';

/** Controls the stand-in for Stripe, and reads the service's tables. */

const STAND_IN = 'http://stripe.test';

export interface SignedEvent {
  type: string;
  body: string;
  signature: string;
}

/** Triggers something at Stripe (`sessions/<id>/pay`) and returns the events that it would send. */
export async function happens(what: string): Promise<SignedEvent[]> {
  const answer = await fetch(`${STAND_IN}/test/${what}`, { method: 'POST' });
  if (!answer.ok) throw new Error(`${what}: ${answer.status}`);
  return answer.json();
}

/** Makes Stripe fail calls that contain one of the texts. Other test files use the same stand-in. */
export async function stripeIsDownFor(...texts: string[]): Promise<void> {
  for (const text of texts) await happens(`down?for=${encodeURIComponent(text)}`);
}

export const stripeIsUp = () => happens('up');

interface OpenedSession {
  id: string;
  status: string;
  customer_email: string | null;
  amount_total: number;
  automatic_tax: { enabled: boolean };
}

/** Returns every Checkout Session of the stand-in, of all tests. */
export const listSessions = async (): Promise<OpenedSession[]> => (await fetch(`${STAND_IN}/test/sessions`)).json();

/** Sends an event to the webhook as Stripe does. */
export const tell = ({ body, signature }: Pick<SignedEvent, 'body' | 'signature'>): Promise<Answer> =>
  caller().call('POST', '/v1/payment/webhook', body, { 'stripe-signature': signature });

/** Returns a signature made by Stripe's own package, to compare ours and the stand-in's with. */
export const signed = (body: string, { secret = env.STRIPE_WEBHOOK_SECRET ?? '', at = Date.now() } = {}) =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: Math.floor(at / 1000),
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });

/** Opens a top-up of some dollars. */
export async function opens(user: Caller, amount: number): Promise<string> {
  const { status, msg, data } = await user.call('POST', '/v1/payment/checkout', { amount });
  if (status !== 200) throw new Error(msg);
  return data.session_id;
}

/** Tops up by some dollars through the webhook and returns Stripe's id of the payment. */
export async function topsUp(user: Caller, amount: number): Promise<string> {
  const [event] = await happens(`sessions/${await opens(user, amount)}/pay`);
  if (!event) throw new Error('a payment sends an event');
  await tell(event);
  return JSON.parse(event.body).data.object.payment_intent;
}

export const rowsWhere = async <Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results;

/** Returns what an account was charged, in cents. */
export const chargesOf = async (id: string): Promise<number[]> =>
  (
    await rowsWhere<{ cents: number }>(
      `SELECT -amount_cents AS cents FROM ledger_entries WHERE user_id = ? AND kind = 'charge'`,
      id,
    )
  ).map(({ cents }) => cents);

/** Returns the sum of an account's ledger, and its balance. */
export async function booksOfUser(id: string): Promise<{ balance: number; sum: number; least: number }> {
  const [row] = await rowsWhere<{ balance: number; sum: number; least: number }>(
    `SELECT (SELECT balance_cents FROM users WHERE id = ?1) AS balance, coalesce(max(last), 0) AS sum,
       coalesce(min(running), 0) AS least
     FROM (SELECT sum(amount_cents) OVER (ORDER BY id) AS running, sum(amount_cents) OVER () AS last
       FROM ledger_entries WHERE user_id = ?1)`,
    id,
  );
  if (!row) throw new Error('no such user');
  return row;
}
