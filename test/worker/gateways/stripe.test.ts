import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal, Unusable } from '../../../worker/errors.ts';
import {
  checkoutOfIntent,
  checkoutState,
  movementsBetween,
  openCheckout,
  portalAddress,
  receiptAddress,
  receivedBy,
  takesPayments,
} from '../../../worker/gateways/stripe.ts';
import { checkSignature, readEvent, readMeaning } from '../../../worker/gateways/stripe-events.ts';
import { production } from '../client.ts';
import { signed } from '../payments-client.ts';

/** The exact requests to Stripe, and how its answers are read. */

const env = production({ STRIPE_SECRET_KEY: 'sk_live_own', STRIPE_WEBHOOK_SECRET: 'whsec_own' });

afterEach(() => {
  vi.restoreAllMocks();
});

interface Asked {
  method: string;
  url: URL;
  headers: Headers;
  form: Record<string, string>;
}

/** Stripe gives these answers in order, and repeats the last one; returns the requests. */
function stripe(...answers: [status: number, body: unknown][]): Asked[] {
  const asked: Asked[] = [];
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const [status, body] = answers[Math.min(asked.length, answers.length - 1)] as [number, unknown];
    const form = Object.fromEntries(new URLSearchParams(String(init.body ?? '')));
    asked.push({ method: init.method ?? '', url: new URL(String(input)), headers: new Headers(init.headers), form });
    // Without this header, the package waits before it retries.
    return Response.json(body, { status, headers: { 'stripe-should-retry': status === 500 ? 'true' : 'false' } });
  });
  return asked;
}

const error = (type: string, more: object = {}): { error: object } => ({ error: { type, message: 'no', ...more } });
const session = (about: object = {}) => ({
  id: 'cs_1',
  object: 'checkout.session',
  client_reference_id: 'p1',
  status: 'complete',
  payment_status: 'paid',
  amount_total: 500,
  currency: 'usd',
  payment_intent: 'pi_1',
  customer: { id: 'cus_1' },
  url: 'https://checkout.stripe.com/1',
  ...about,
});

describe('a checkout', () => {
  const wish = {
    payment_id: 'p1',
    amount: 1250,
    user: { email: 'a@mail.example', stripe_customer_id: null },
    origin: 'https://muster.test',
    back: undefined,
  } as const;

  it('is opened for the amount, in one currency, under a new key for each try', async () => {
    const asked = stripe([200, session()]);
    expect(await openCheckout(env, wish)).toEqual({
      ...{ session_id: 'cs_1', url: 'https://checkout.stripe.com/1', customer_missing: false },
    });
    expect(asked).toHaveLength(1);
    const [{ method, url, headers, form }] = asked as [Asked];
    expect([method, url.href]).toEqual(['POST', 'https://api.stripe.com/v1/checkout/sessions']);
    expect(headers.get('authorization')).toBe('Bearer sk_live_own');
    expect(headers.get('idempotency-key')).toMatch(/^stripe-node-retry-/);
    expect(headers.get('stripe-version')).toBe('2026-10-28.endive');
    expect(form).toEqual({
      mode: 'payment',
      client_reference_id: 'p1',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1250',
      'line_items[0][price_data][product_data][name]': 'Muster balance',
      customer_creation: 'always',
      customer_email: 'a@mail.example',
      'adaptive_pricing[enabled]': 'false',
      'payment_intent_data[description]': 'Muster balance',
      'payment_intent_data[metadata][payment_id]': 'p1',
      success_url: 'https://muster.test/payment/status?status=success&session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://muster.test/payment/status?status=cancelled',
    });
  });

  it('uses the known customer, and leads back to the page they came from', async () => {
    const asked = stripe([200, session()]);
    const user = { ...wish.user, stripe_customer_id: 'cus_9' };
    await openCheckout(env, { ...wish, user, back: 'order' });
    const { form } = asked[0] as Asked;
    expect([form.customer, form.customer_creation, form.customer_email]).toEqual(['cus_9', undefined, undefined]);
    expect(form.success_url).toMatch(/&back=order$/);
    expect(form.cancel_url).toMatch(/status=cancelled&back=order$/);
  });

  it('is opened for a new customer if Stripe no longer knows the stored one', async () => {
    const asked = stripe([400, error('invalid_request_error', { code: 'resource_missing' })], [200, session()]);
    const user = { ...wish.user, stripe_customer_id: 'cus_gone' };
    expect(await openCheckout({ ...env, STRIPE_TAX: 'on' }, { ...wish, user })).toEqual({
      ...{ session_id: 'cs_1', url: 'https://checkout.stripe.com/1', customer_missing: true },
    });
    expect(asked.map(({ form }) => [form.customer, form.customer_creation, form['customer_update[address]']])).toEqual([
      ['cus_gone', undefined, 'auto'],
      [undefined, 'always', undefined],
    ]);
  });

  it('without an address is a failure', async () => {
    for (const answer of [session({ url: null }), session({ url: '' })]) {
      stripe([200, answer]);
      await expect(openCheckout(env, wish)).rejects.toThrow('without an address');
      vi.restoreAllMocks();
    }
    stripe([404, error('invalid_request_error', { code: 'resource_missing' })]);
    await expect(openCheckout(env, wish)).rejects.toThrow('without an address');
  });

  it.each([
    [{}, 'paid'],
    [{ status: 'expired' }, 'paid'],
    [{ payment_status: 'unpaid' }, 'open'],
    [{ payment_status: 'no_payment_required' }, 'open'],
    [{ payment_status: 'unpaid', status: 'open' }, 'open'],
    [{ payment_status: 'unpaid', status: 'expired' }, 'expired'],
  ])('%j is %s', async (about, state) => {
    const asked = stripe([200, session(about)]);
    expect(await checkoutState(env, 'cs_1')).toEqual({
      session_id: 'cs_1',
      payment_id: 'p1',
      state,
      amount: 500,
      currency: 'usd',
      payment_intent: 'pi_1',
      customer: 'cus_1',
    });
    expect(asked.map(({ method, url }) => [method, url.pathname])).toEqual([['GET', '/v1/checkout/sessions/cs_1']]);
  });

  it('with missing fields is read as empty', async () => {
    const silent = {
      amount_total: null,
      currency: null,
      payment_intent: null,
      customer: null,
      client_reference_id: null,
    };
    stripe([200, session(silent)]);
    expect(await checkoutState(env, 'cs_1')).toMatchObject({
      amount: 0,
      currency: '',
      payment_intent: null,
      customer: null,
      payment_id: null,
    });
  });

  it('is found by its payment', async () => {
    const asked = stripe([200, { object: 'list', data: [session(), session({ id: 'cs_2' })], has_more: false }]);
    expect(await checkoutOfIntent(env, 'pi_1')).toMatchObject({ session_id: 'cs_1' });
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({ payment_intent: 'pi_1', limit: '1' });
    vi.restoreAllMocks();
    stripe([200, { object: 'list', data: [], has_more: false }]);
    expect(await checkoutOfIntent(env, 'pi_1')).toBeNull();
    vi.restoreAllMocks();
    stripe([404, error('invalid_request_error', { code: 'resource_missing' })]);
    expect(await checkoutOfIntent(env, 'pi_1')).toBeNull();
  });
});

describe('a failed call to Stripe', () => {
  it('returns nothing if Stripe does not know the thing', async () => {
    stripe([404, error('invalid_request_error', { code: 'resource_missing' })]);
    expect(await checkoutState(env, 'cs_1')).toBeNull();
    expect(await portalAddress(env, 'cus_1', 'https://muster.test/back')).toBeNull();
    expect(await receiptAddress(env, 'pi_1')).toBeNull();
    expect(await receivedBy(env, 'pi_1')).toBe(0);
    expect(await movementsBetween(env, 0, 1)).toEqual([]);
  });

  it.each([
    [500, 'api_error', 2],
    [429, 'rate_limit_error', 1],
  ])('with %d (%s) is reported as unavailable, after %d tries', async (status, type, tries) => {
    const asked = stripe([status, error(type)]);
    const refusal = await checkoutState(env, 'cs_1').catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).code).toBe('unavailable');
    expect((refusal as Refusal).message).toMatch(/^Stripe, which handles our payments, does not answer just now\./);
    expect(asked).toHaveLength(tries);
  });

  it('that was wrong is our failure', async () => {
    for (const [status, type] of [
      [400, 'invalid_request_error'],
      [401, 'authentication_error'],
    ] as const) {
      stripe([status, error(type)]);
      const thrown = await checkoutState(env, 'cs_1').catch((each: unknown) => each);
      expect(thrown).toBeInstanceOf(Error);
      expect(thrown).not.toBeInstanceOf(Refusal);
      vi.restoreAllMocks();
    }
  });

  it('is not sent without both keys, nor to another address outside local copies', async () => {
    const asked = stripe([200, session()]);
    const settings = (about: object) => ({ ...env, ...about });
    for (const lacking of [{ STRIPE_SECRET_KEY: '' }, { STRIPE_WEBHOOK_SECRET: '' }]) {
      expect(takesPayments(settings(lacking))).toBe(false);
      await expect(checkoutState(settings(lacking), 'cs_1')).rejects.toThrow('Payments are not open yet.');
    }
    expect(takesPayments(env)).toBe(true);
    await expect(checkoutState(settings({ STRIPE_API_BASE: 'http://stripe.test' }), 'cs_1')).rejects.toThrow(
      'STRIPE_API_BASE is for local copies',
    );
    expect(asked).toEqual([]);
    for (const base of ['http://127.0.0.1:4242', 'https://stand-in.test'])
      await checkoutState(settings({ ENVIRONMENT: 'local', STRIPE_API_BASE: base }), 'cs_1');
    expect(asked.map(({ url }) => url.origin)).toEqual(['http://127.0.0.1:4242', 'https://stand-in.test']);
  });
});

it('a customer’s pages are Stripe’s own', async () => {
  const asked = stripe([200, { object: 'billing_portal.session', url: 'https://billing.stripe.com/1' }]);
  expect(await portalAddress(env, 'cus_1', 'https://muster.test/back')).toBe('https://billing.stripe.com/1');
  expect(asked[0]?.form).toEqual({ customer: 'cus_1', return_url: 'https://muster.test/back' });
  vi.restoreAllMocks();
  const paid = stripe([200, { latest_charge: { receipt_url: 'https://pay.stripe.com/r' }, amount_received: 700 }]);
  expect(await receiptAddress(env, 'pi_1')).toBe('https://pay.stripe.com/r');
  expect(paid[0]?.url.search).toBe('?expand[0]=latest_charge');
  expect(await receivedBy(env, 'pi_1')).toBe(700);
  for (const charge of [null, 'ch_1', { receipt_url: null }]) {
    vi.restoreAllMocks();
    stripe([200, { latest_charge: charge }]);
    expect(await receiptAddress(env, 'pi_1')).toBeNull();
    expect(await receivedBy(env, 'pi_1')).toBe(0);
  }
});

describe('movements', () => {
  const movement = (id: string, source: unknown) => ({
    id,
    object: 'balance_transaction',
    amount: 5,
    currency: 'usd',
    source,
  });
  const intent = { payment_intent: 'pi_1' };

  it('are those of payments, refunds and disputes between two seconds, page by page', async () => {
    const first = [
      movement('1', { object: 'charge', id: 'ch_1', ...intent }),
      movement('2', { object: 'refund', id: 're_1', ...intent }),
      movement('3', { object: 'dispute', id: 'du_1', payment_intent: { id: 'pi_2' } }),
      movement('4', { object: 'payout', id: 'po_1' }),
      movement('5', 'ch_9'),
      movement('6', null),
    ];
    const asked = stripe(
      [200, { object: 'list', url: '/v1/balance_transactions', data: first, has_more: true }],
      [
        200,
        {
          object: 'list',
          url: '/v1/balance_transactions',
          data: [movement('7', { object: 'charge', id: 'ch_2', payment_intent: null })],
          has_more: false,
        },
      ],
    );
    expect(await movementsBetween(env, 1001, 5000)).toEqual([
      { id: '1', amount: 5, currency: 'usd', payment_intent: 'pi_1', reversal: null },
      { id: '2', amount: 5, currency: 'usd', payment_intent: 'pi_1', reversal: 're_1' },
      { id: '3', amount: 5, currency: 'usd', payment_intent: 'pi_2', reversal: 'du_1' },
      { id: '7', amount: 5, currency: 'usd', payment_intent: null, reversal: null },
    ]);
    expect(asked[0]?.url.search).toBe('?created[gte]=2&created[lt]=5&limit=100&expand[0]=data.source');
    expect(asked[1]?.url.searchParams.get('starting_after')).toBe('6');
    expect(asked).toHaveLength(2);
  });
});

describe('an event', () => {
  const told = async (type: string, object: object, about: { secret?: string; at?: number } = {}) => {
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
    await checkSignature(env, body, await signed(body, { secret: 'whsec_own', ...about }), Date.now());
    return readMeaning(readEvent(body));
  };
  const back = { id: 're_1', amount: 300, payment_intent: 'pi_1' };

  it.each([
    ['checkout.session.completed', 'paid'],
    ['checkout.session.async_payment_succeeded', 'paid'],
    ['checkout.session.expired', 'paid'],
    ['checkout.session.async_payment_failed', 'failed'],
  ])('%s is of a checkout that is %s', async (type, state) => {
    expect(await told(type, session())).toMatchObject({ about: 'checkout', checkout: { session_id: 'cs_1', state } });
  });

  it.each([
    ['refund.created', 'pending', 1],
    ['refund.updated', 'succeeded', 1],
    ['refund.updated', 'canceled', 2],
    ['refund.failed', 'failed', 2],
  ])('%s of a refund that is %s is at stage %d', async (type, status, stage) => {
    expect(await told(type, { ...back, status })).toEqual({
      about: 'reversal',
      reversal: { id: 're_1', kind: 'refund', amount: 300, stage },
      payment_intent: 'pi_1',
    });
  });

  it.each([
    ['charge.dispute.funds_withdrawn', 1],
    ['charge.dispute.funds_reinstated', 2],
  ])('%s is at stage %d', async (type, stage) => {
    expect(await told(type, { ...back, payment_intent: { id: 'pi_2' } })).toEqual({
      about: 'reversal',
      reversal: { id: 're_1', kind: 'dispute', amount: 300, stage },
      payment_intent: 'pi_2',
    });
  });

  it('that does not concern us is ignored', async () => {
    for (const type of ['charge.dispute.created', 'charge.dispute.closed', 'charge.refunded', 'customer.created'])
      expect(await told(type, back)).toBeNull();
    for (const type of ['refund.created', 'charge.dispute.funds_withdrawn'])
      expect(await told(type, { ...back, payment_intent: null })).toBeNull();
  });

  it('is valid for five minutes, and only with Stripe’s signature', async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    expect(await told('refund.created', back, { at: now - 299_000 })).not.toBeNull();
    await expect(told('refund.created', back, { at: now - 302_000 })).rejects.toThrow('no valid, recent signature');
    await expect(told('refund.created', back, { secret: 'whsec_other' })).rejects.toThrow('no valid, recent signature');
    expect(await told('refund.created', back, { at: now + 10_000 })).not.toBeNull();
    await expect(told('refund.created', back, { at: now + 12_000 })).rejects.toThrow('no valid, recent signature');
    await expect(checkSignature(env, '{}', 'nothing', now)).rejects.toThrow(Refusal);
    expect(() => readEvent('{')).toThrow(Unusable);
    vi.useRealTimers();
  });
});
