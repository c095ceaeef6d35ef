import { randomBytes } from 'node:crypto';

/** The stored objects of the Stripe stand-in, under the API's own names. */

export interface Session {
  id: string;
  object: 'checkout.session';
  mode: 'payment';
  client_reference_id: string | null;
  amount_total: number;
  currency: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  automatic_tax: { enabled: boolean };
  payment_intent: string | null;
  customer: string | null;
  customer_email: string | null;
  success_url: string;
  cancel_url: string;
  url: string | null;
  created: number;
}

export interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  status: 'succeeded' | 'processing' | 'requires_payment_method';
  customer: string | null;
  latest_charge: string;
  created: number;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  currency: string;
  payment_intent: string;
  receipt_url: string;
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  status: 'succeeded' | 'failed';
  payment_intent: string;
  charge: string;
  created: number;
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  currency: string;
  status: 'needs_response' | 'won';
  reason: string;
  /** Epoch seconds. */
  evidence_details: { due_by: number };
  payment_intent: string;
  charge: string;
  created: number;
}

export interface Transaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  currency: string;
  type: string;
  created: number;
  source: string;
}

export interface Event {
  id: string;
  object: 'event';
  type: string;
  created: number;
  api_version: string;
  data: { object: unknown };
}

export type Source = Charge | Refund | Dispute;

/** Returns an empty set of books. */
export const emptyBooks = () => ({
  sessions: {} as Record<string, Session>,
  intents: {} as Record<string, Intent>,
  charges: {} as Record<string, Charge>,
  refunds: {} as Record<string, Refund>,
  disputes: {} as Record<string, Dispute>,
  /** Newest last. */
  transactions: [] as Transaction[],
  /** Requests by idempotency key, with the session that they opened; null if the request ended in a 500. */
  answers: {} as Record<string, { request: string; id: string | null }>,
});

export type Books = ReturnType<typeof emptyBooks>;

/** Returns whether a value has all parts of a set of books. */
export const areBooks = (value: unknown): value is Books =>
  typeof value === 'object' && value !== null && Object.keys(emptyBooks()).every((name) => name in value);

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

const event = (type: string, object: unknown, created: number): Event => ({
  id: newId('evt'),
  object: 'event',
  type,
  created,
  api_version: '2026-10-28.endive',
  data: { object: structuredClone(object) },
});

function move(books: Books, source: Source, amount: number, type: string, created: number): void {
  const { id, currency } = source;
  books.transactions.push({
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    currency,
    type,
    created,
    source: id,
  });
}

/** Pays a session by card: moves money and returns the resulting event. Paying again changes nothing. */
export function pay(books: Books, session: Session, base: string, created: number): Event[] {
  const intent = complete(books, session, base, created);
  if (!intent) return [];
  receive(books, session, intent, created);
  return [event('checkout.session.completed', session, created)];
}

/** Pays by a bank transfer that takes days. The session is complete but not paid. */
export function payLater(books: Books, session: Session, base: string, created: number): Event[] {
  const intent = complete(books, session, base, created);
  return intent ? [event('checkout.session.completed', session, created)] : [];
}

/** Completes a bank transfer: the money arrives, or the bank refuses. */
export function settleLater(books: Books, session: Session, arrived: boolean, created: number): Event[] {
  const intent = books.intents[session.payment_intent ?? ''];
  if (intent?.status !== 'processing') return [];
  if (arrived) receive(books, session, intent, created);
  else intent.status = 'requires_payment_method';
  const outcome = arrived ? 'async_payment_succeeded' : 'async_payment_failed';
  return [event(`checkout.session.${outcome}`, session, created)];
}

/** Completes an open session with a payment intent without money; null if the session is not open. */
function complete(books: Books, session: Session, base: string, created: number): Intent | null {
  if (session.status !== 'open') return null;
  const { amount_total: amount, currency } = session;
  const id = newId('pi');
  const charge: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount,
    currency,
    payment_intent: id,
    receipt_url: `${base}/receipts/${id}`,
  };
  session.customer ??= newId('cus');
  const intent: Intent = {
    id,
    object: 'payment_intent',
    amount,
    amount_received: 0,
    currency,
    status: 'processing',
    customer: session.customer,
    latest_charge: charge.id,
    created,
  };
  books.charges[charge.id] = charge;
  books.intents[id] = intent;
  Object.assign(session, { status: 'complete', payment_intent: id, url: null });
  return intent;
}

function receive(books: Books, session: Session, intent: Intent, created: number): void {
  const charge = books.charges[intent.latest_charge];
  if (!charge) throw new Error('a payment intent has a charge');
  Object.assign(intent, { amount_received: intent.amount, status: 'succeeded' });
  session.payment_status = 'paid';
  move(books, charge, charge.amount, 'charge', created);
}

/** Returns whether a customer exists. Stripe creates one with a first payment. */
export const knowsCustomer = (books: Books, customer: string): boolean =>
  Object.values(books.sessions).some((session) => session.customer === customer);

/** Deletes a customer, as in the dashboard. Their payments stay. */
export function deleteCustomer(books: Books, customer: string): Event[] {
  for (const session of Object.values(books.sessions)) if (session.customer === customer) session.customer = null;
  return [];
}

/** Lets a session expire. */
export function expire(session: Session, created: number): Event[] {
  if (session.status !== 'open') return [];
  Object.assign(session, { status: 'expired', url: null });
  return [event('checkout.session.expired', session, created)];
}

/** Refunds a payment in full or in part, as in the dashboard. */
export function refund(books: Books, intent: Intent, amount: number, created: number): Event[] {
  const made: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    currency: intent.currency,
    status: 'succeeded',
    payment_intent: intent.id,
    charge: intent.latest_charge,
    created,
  };
  books.refunds[made.id] = made;
  move(books, made, -amount, 'refund', created);
  return [event('refund.created', made, created)];
}

/** Lets a refund fail, for example because the card was closed. */
export function failRefund(books: Books, made: Refund, created: number): Event[] {
  if (made.status === 'failed') return [];
  made.status = 'failed';
  move(books, made, made.amount, 'refund_failure', created);
  return [event('refund.failed', made, created)];
}

/** Disputes a payment at the payer's bank; Stripe takes its amount at once. */
export function dispute(books: Books, intent: Intent, created: number): Event[] {
  const opened: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: intent.amount,
    currency: intent.currency,
    status: 'needs_response',
    reason: 'fraudulent',
    evidence_details: { due_by: created + 7 * 86_400 },
    payment_intent: intent.id,
    charge: intent.latest_charge,
    created,
  };
  books.disputes[opened.id] = opened;
  move(books, opened, -opened.amount, 'adjustment', created);
  return [event('charge.dispute.created', opened, created), event('charge.dispute.funds_withdrawn', opened, created)];
}

/** Wins a dispute; its amount comes back. */
export function winDispute(books: Books, opened: Dispute, created: number): Event[] {
  if (opened.status === 'won') return [];
  opened.status = 'won';
  move(books, opened, opened.amount, 'adjustment', created);
  return [event('charge.dispute.funds_reinstated', opened, created)];
}
