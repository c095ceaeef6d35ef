import { type Books, expire, knowsCustomer, newId, type Session } from './books.ts';

/** The few endpoints of Stripe's API that the service calls, with Stripe's parameters, answers and errors. */

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Form fields by their full names: `line_items[0][quantity]`. */
  form: URLSearchParams;
  idempotencyKey: string | null;
  /** Base address of the stand-in's own pages. */
  base: string;
  /** Epoch seconds. */
  now: number;
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  return status < 500 ? 'invalid_request_error' : 'api_error';
}

export class StripeError extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.body = { error: { type: typeOf(status), message, code } };
  }
}

function found<Thing>(things: Record<string, Thing>, id: string, what: string): Thing {
  const thing = things[id];
  if (!thing) throw new StripeError(404, `No such ${what}: '${id}'`, 'resource_missing');
  return thing;
}

function need(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (!value) throw new StripeError(400, `Missing required param: ${name}.`, 'parameter_missing');
  return value;
}

function checkCustomer(books: Books, customer: string): void {
  if (!knowsCustomer(books, customer))
    throw new StripeError(400, `No such customer: '${customer}'`, 'resource_missing');
}

const list = (url: string, data: unknown[], has_more = false) => ({ object: 'list', url, data, has_more });

function createSession(books: Books, { form, base, now }: Call): Session {
  const price = 'line_items[0][price_data]';
  const id = newId('cs_test');
  const customer = form.get('customer');
  if (customer) checkCustomer(books, customer);
  const session: Session = {
    id,
    object: 'checkout.session',
    mode: 'payment',
    client_reference_id: form.get('client_reference_id'),
    amount_total: Number(need(form, `${price}[unit_amount]`)) * Number(need(form, 'line_items[0][quantity]')),
    currency: need(form, `${price}[currency]`),
    status: 'open',
    payment_status: 'unpaid',
    automatic_tax: { enabled: form.get('automatic_tax[enabled]') === 'true' },
    payment_intent: null,
    customer,
    customer_email: form.get('customer_email'),
    success_url: need(form, 'success_url'),
    cancel_url: need(form, 'cancel_url'),
    url: `${base}/checkout/${id}`,
    created: now,
  };
  if (need(form, 'mode') !== 'payment') throw new StripeError(400, 'This stand-in knows mode payment only.');
  checkTax(form);
  books.sessions[id] = session;
  return session;
}

/** Checks that Stripe can learn the address, which it needs for taxes. */
function checkTax(form: URLSearchParams): void {
  if (form.get('automatic_tax[enabled]') !== 'true') return;
  need(form, 'line_items[0][price_data][tax_behavior]');
  if (form.get('customer') && form.get('customer_update[address]') !== 'auto')
    throw new StripeError(
      400,
      "Automatic tax calculation in Checkout requires a valid address on the Customer. You may set 'customer_update[address]' to 'auto'.",
      'customer_tax_location_invalid',
    );
}

/**
 * Returns the same answer, even a 500, for the same key and request. As at Stripe, another request under the same key
 * is an error.
 * @param fails whether the request ends in a 500.
 */
function createSessionOnce(books: Books, call: Call, fails: boolean): Session {
  const key = call.idempotencyKey;
  const request = call.form.toString();
  const before = key === null ? undefined : books.answers[key];
  if (before && before.request !== request)
    throw new StripeError(400, `Keys for idempotent requests can only be used with the same parameters.`);
  if (before?.id === null || (!before && fails)) {
    if (key !== null) books.answers[key] = { request, id: null };
    throw new StripeError(500, 'Stripe is down.');
  }
  if (before) return found(books.sessions, before.id, 'checkout.session');
  const session = createSession(books, call);
  if (key !== null) books.answers[key] = { request, id: session.id };
  return session;
}

function transactions(books: Books, { query, path }: Call) {
  const from = Number(query.get('created[gte]') ?? 0);
  const to = Number(query.get('created[lt]') ?? Number.MAX_SAFE_INTEGER);
  const limit = Number(query.get('limit') ?? 10);
  const wanted = books.transactions.filter(({ created }) => created >= from && created < to).reverse();
  const after = query.get('starting_after');
  const start = after ? wanted.findIndex(({ id }) => id === after) + 1 : 0;
  const expand = query.get('expand[0]') === 'data.source';
  const sources = { ...books.charges, ...books.refunds, ...books.disputes };
  const page = wanted
    .slice(start, start + limit)
    .map((each) => (expand ? { ...each, source: sources[each.source] } : each));
  return list(path, page, wanted.length > start + limit);
}

function retrieveIntent(books: Books, id: string, query: URLSearchParams) {
  const intent = found(books.intents, id, 'payment_intent');
  return query.get('expand[0]') === 'latest_charge'
    ? { ...intent, latest_charge: books.charges[intent.latest_charge] }
    : intent;
}

/**
 * Answers a call.
 * @param fails whether Stripe is down for this call.
 * @throws StripeError as Stripe would answer.
 */
export function answerCall(books: Books, call: Call, fails: boolean): object {
  const { method, path, query, form, base } = call;
  const [, , noun = '', second = '', third = ''] = path.split('/');
  const route = `${method} /${noun}${noun === 'checkout' || noun === 'billing_portal' ? `/${second}` : ''}`;
  if (fails && (route !== 'POST /checkout/sessions' || third)) throw new StripeError(500, 'Stripe is down.');
  switch (route) {
    case 'POST /checkout/sessions': {
      if (!third) return createSessionOnce(books, call, fails);
      const session = found(books.sessions, third, 'checkout.session');
      if (session.status !== 'open') throw new StripeError(400, 'Only open Checkout Sessions can be expired.');
      expire(session, call.now);
      return session;
    }
    case 'GET /checkout/sessions': {
      if (third) return found(books.sessions, third, 'checkout.session');
      const intent = query.get('payment_intent');
      return list(
        path,
        Object.values(books.sessions).filter(({ payment_intent }) => payment_intent === intent),
      );
    }
    case 'POST /billing_portal/sessions': {
      const customer = need(form, 'customer');
      checkCustomer(books, customer);
      const back = encodeURIComponent(form.get('return_url') ?? '');
      return { id: newId('bps'), object: 'billing_portal.session', url: `${base}/portal/${customer}?return=${back}` };
    }
    case 'GET /payment_intents':
      return retrieveIntent(books, second, query);
    case 'GET /refunds':
    case 'GET /disputes': {
      const all = Object.values(noun === 'refunds' ? books.refunds : books.disputes);
      return list(
        path,
        all.filter(({ payment_intent }) => payment_intent === query.get('payment_intent')),
      );
    }
    case 'GET /balance_transactions':
      return transactions(books, call);
    default:
      throw new StripeError(404, `Unrecognized request URL (${method}: ${path}).`);
  }
}
