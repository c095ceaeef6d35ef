import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { checkoutState, openCheckout, takesPayments } from '../../worker/gateways/stripe.ts';
import { caller, scanOf, signedInUser } from './client.ts';
import {
  booksOfUser,
  happens,
  listSessions,
  opens,
  rowsWhere,
  signed,
  stripeIsDownFor,
  stripeIsUp,
  tell,
  topsUp,
} from './payments-client.ts';

const entriesOf = (id: string) =>
  rowsWhere(`SELECT kind, amount_cents, note FROM ledger_entries WHERE user_id = ? ORDER BY id`, id);

const sessionsOf = async (email: string) =>
  (await listSessions()).filter(({ customer_email }) => customer_email === email);

afterEach(stripeIsUp);

describe('a top-up', () => {
  it('opens a checkout page and, once paid, is added to the balance', async () => {
    const user = await signedInUser(0);
    const { status, data } = await user.call('POST', '/v1/payment/checkout', { amount: 12.5 });
    expect(status).toBe(200);
    const page = await (await fetch(data.url)).text();
    expect(page).toContain('This is a test payment.');
    expect(page).toContain('12.50 USD');

    const unpaid = await user.call('POST', '/v1/payment/status', { session_id: data.session_id });
    expect(unpaid.data).toEqual({ state: 'open', amount: 12.5, balance: 0, uncovered: 0 });
    const paid = await fetch(`${data.url}/pay`, { method: 'POST', redirect: 'manual' });
    expect(paid.headers.get('location')).toBe(
      `http://muster.test/payment/status?status=success&session_id=${data.session_id}`,
    );
    const settled = await user.call('POST', '/v1/payment/status', { session_id: data.session_id });
    expect(settled.data).toEqual({ state: 'paid', amount: 12.5, balance: 12.5, uncovered: 0 });
    expect(await entriesOf(user.id)).toEqual([{ kind: 'top_up', amount_cents: 1250, note: 'Paid by Stripe' }]);
  });

  it('for an order returns to it, paid or not', async () => {
    const user = await signedInUser(0);
    const { data } = await user.call('POST', '/v1/payment/checkout', { amount: 5, back: 'order' });
    expect(await (await fetch(data.url)).text()).toContain(
      'http://muster.test/payment/status?status=cancelled&amp;back=order',
    );
    const paid = await fetch(`${data.url}/pay`, { method: 'POST', redirect: 'manual' });
    expect(paid.headers.get('location')).toBe(
      `http://muster.test/payment/status?status=success&session_id=${data.session_id}&back=order`,
    );
    const elsewhere = await user.call('POST', '/v1/payment/checkout', { amount: 5, back: 'https://evil.test' });
    expect(elsewhere.status).toBe(400);
  });

  it('is credited once by concurrent status calls and webhooks', async () => {
    const user = await signedInUser(0);
    const session_id = await opens(user, 25);
    const [event] = await happens(`sessions/${session_id}/pay`);
    if (!event) throw new Error('no event');
    const status = () => user.call('POST', '/v1/payment/status', { session_id });
    const answers = await Promise.all([tell(event), status(), tell(event), status(), tell(event), status()]);
    expect(answers.map((each) => each.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await tell(event)).status).toBe(200);
    expect(await booksOfUser(user.id)).toEqual({ balance: 2500, sum: 2500, least: 2500 });
    expect(await entriesOf(user.id)).toHaveLength(1);
  });

  it('requested twice at once under one Idempotency-Key leaves one page to pay', async () => {
    const user = await signedInUser(0);
    const ask = (amount: number) =>
      user.call('POST', '/v1/payment/checkout', { amount }, { 'idempotency-key': 'double click' });
    const answers = await Promise.all([ask(10), ask(10), ask(10)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [first, second, third] = answers.map(({ data }) => data);
    expect([second, third]).toEqual([first, first]);
    const sessions = await sessionsOf(user.email);
    expect(sessions.map(({ status }) => status).sort()).toEqual(['expired', 'expired', 'open']);
    // Stripe reports the closed pages, which leaves the open one as it is.
    for (const object of sessions.filter(({ status }) => status === 'expired')) {
      const body = JSON.stringify({
        ...{ id: `evt_${object.id}`, object: 'event', type: 'checkout.session.expired', data: { object } },
      });
      expect((await tell({ body, signature: await signed(body) })).status).toBe(200);
    }
    expect(await rowsWhere('SELECT state, session_id FROM payments WHERE user_id = ?', user.id)).toEqual([
      { state: 'open', session_id: first.session_id },
    ]);
    expect((await ask(10)).data).toEqual(first);
    expect((await ask(20)).status).toBe(409);
  });

  it('gets a new page under its key if the old one expired, but not if it is complete', async () => {
    const user = await signedInUser(0);
    const ask = () => user.call('POST', '/v1/payment/checkout', { amount: 10 }, { 'idempotency-key': 'the next day' });
    const first = (await ask()).data;
    await happens(`sessions/${first.session_id}/expire`);
    const second = await ask();
    expect(second.status).toBe(200);
    expect(second.data.session_id).not.toBe(first.session_id);
    await happens(`sessions/${second.data.session_id}/pay-later`);
    expect(await ask()).toMatchObject({ status: 409, msg: 'Idempotency-Key: this payment has ended already.' });
  });

  it('opens under its key after an error of Stripe, and after the account got a customer', async () => {
    const user = await signedInUser(0);
    const ask = () => user.call('POST', '/v1/payment/checkout', { amount: 10 }, { 'idempotency-key': 'again' });
    await stripeIsDownFor(encodeURIComponent(user.email));
    expect((await ask()).status).toBe(503);
    await stripeIsUp();
    const { data } = await ask();
    // A crash loses the session; meanwhile another payment creates the customer.
    await env.DB.prepare('UPDATE payments SET session_id = NULL WHERE session_id = ?').bind(data.session_id).run();
    await topsUp(user, 5);
    expect((await ask()).status).toBe(200);
  });

  it('by transfer stays open until the money arrives, and fails if it does not', async () => {
    const user = await signedInUser(0);
    const [good, bad] = [await opens(user, 20), await opens(user, 30)];
    const status = async (session_id: string) => (await user.call('POST', '/v1/payment/status', { session_id })).data;
    for (const session of [good, bad])
      for (const event of await happens(`sessions/${session}/pay-later`)) await tell(event);
    expect(await status(good)).toMatchObject({ state: 'open', balance: 0 });
    for (const what of [`${good}/arrive`, `${bad}/bounce`])
      for (const event of await happens(`sessions/${what}`)) expect((await tell(event)).status).toBe(200);
    expect(await status(good)).toMatchObject({ state: 'paid', balance: 20 });
    expect(await status(bad)).toMatchObject({ state: 'failed', balance: 20 });
  });

  it('includes tax if the operator says so, before and after the account has a customer', async () => {
    const taxed = { ...env, STRIPE_TAX: 'on' };
    const payer = await signedInUser(0);
    await topsUp(payer, 5);
    const [known] = await rowsWhere<{ customer: string }>(
      'SELECT stripe_customer_id AS customer FROM users WHERE id = ?',
      payer.id,
    );
    for (const stripe_customer_id of [null, known?.customer ?? '']) {
      const user = { email: `taxed-${stripe_customer_id}@example.com`, stripe_customer_id };
      const asked = {
        payment_id: crypto.randomUUID(),
        amount: 500,
        user,
        origin: 'http://muster.test',
        back: undefined,
      };
      const of = async (settings: typeof env) => {
        const { session_id } = await openCheckout(settings, asked);
        const sessions = await listSessions();
        return sessions.find(({ id }) => id === session_id);
      };
      expect(await of(taxed)).toMatchObject({ automatic_tax: { enabled: true }, amount_total: 500 });
      expect(await of(env)).toMatchObject({ automatic_tax: { enabled: false }, amount_total: 500 });
    }
  });

  it('whose session was never stored is found through Stripe', async () => {
    const user = await signedInUser(0);
    const session_id = await opens(user, 5);
    // Simulates a crash between Stripe's answer and its storage.
    await env.DB.prepare('UPDATE payments SET session_id = NULL WHERE session_id = ?').bind(session_id).run();
    await happens(`sessions/${session_id}/pay`);
    const { data } = await user.call('POST', '/v1/payment/status', { session_id });
    expect(data).toMatchObject({ state: 'paid', balance: 5 });
  });

  it('that expired credits nothing, and a payment reported late still counts', async () => {
    const user = await signedInUser(0);
    const [lost, kept] = [await opens(user, 5), await opens(user, 7)];
    const [expired] = await happens(`sessions/${lost}/expire`);
    const [paid] = await happens(`sessions/${kept}/pay`);
    if (!expired || !paid) throw new Error('no event');
    await tell(expired);
    expect((await user.call('POST', '/v1/payment/status', { session_id: lost })).data.state).toBe('expired');
    await tell(paid);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(7);
  });

  it('of another user is not found', async () => {
    const [owner, stranger] = [await signedInUser(0), await signedInUser(0)];
    const session_id = await opens(owner, 5);
    await happens(`sessions/${session_id}/pay`);
    const theirs = await stranger.call('POST', '/v1/payment/status', { session_id });
    expect(theirs).toMatchObject({ status: 404, msg: 'There is no such payment.' });
    const none = await stranger.call('POST', '/v1/payment/status', { session_id: 'cs_test_00000000' });
    expect(none.status).toBe(404);
    expect((await booksOfUser(owner.id)).balance).toBe(0);
  });

  it('gives the account a customer, a portal and a receipt', async () => {
    const user = await signedInUser(0);
    const stranger = await signedInUser(0);
    expect((await user.call('GET', '/v1/account')).data.stripe_customer_url).toBeNull();
    expect((await user.call('GET', '/v1/payment/portal')).status).toBe(404);
    // For browsers too: only an unreachable Stripe redirects them back.
    const browser = { headers: { accept: 'text/html' }, redirect: 'manual' as const };
    expect((await user.fetch('/v1/payment/portal', browser)).status).toBe(404);
    await topsUp(user, 5);
    const { stripe_customer_url } = (await user.call('GET', '/v1/account')).data;
    expect(stripe_customer_url).toBe('http://muster.test/v1/payment/portal');
    const portal = await user.fetch('/v1/payment/portal', { redirect: 'manual' });
    expect(portal.status).toBe(303);
    expect(new URL(portal.headers.get('location') ?? '').searchParams.get('return')).toBe('http://muster.test/account');
    expect(await (await fetch(portal.headers.get('location') ?? '')).text()).toContain('5.00 USD');

    const { lines } = (await user.call('GET', '/v1/account/statement')).data;
    const path = `/v1/payment/receipt/${lines[0].payment_id}`;
    const receipt = await user.fetch(path, { redirect: 'manual' });
    expect(await (await fetch(receipt.headers.get('location') ?? '')).text()).toContain('Receipt');
    expect((await stranger.call('GET', path)).status).toBe(404);
  });

  it('works after the account’s customer was deleted at Stripe, and stores the next one', async () => {
    const user = await signedInUser(0);
    const customer = async () =>
      (await rowsWhere<{ id: string }>('SELECT stripe_customer_id AS id FROM users WHERE id = ?', user.id))[0]?.id;
    await topsUp(user, 5);
    const first = await customer();
    await happens(`customers/${first}/delete`);
    await topsUp(user, 6);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(11);
    expect(await customer()).toMatch(/^cus_/);
    expect(await customer()).not.toBe(first);
    await topsUp(user, 7);
    expect((await user.fetch('/v1/payment/portal', { redirect: 'manual' })).status).toBe(303);
  });

  it('survives an unreachable Stripe', async () => {
    const user = await signedInUser(0);
    const session_id = await opens(user, 30);
    const [event] = await happens(`sessions/${session_id}/pay`);
    if (!event) throw new Error('no event');
    await stripeIsDownFor(user.username, session_id);
    const asked = await user.call('POST', '/v1/payment/status', { session_id });
    expect(asked.status).toBe(503);
    expect(asked.msg).toContain('Nothing is lost');
    expect((await user.call('POST', '/v1/payment/checkout', { amount: 5 })).status).toBe(503);
    // An event from Stripe needs no call to Stripe.
    expect((await tell(event)).status).toBe(200);
    expect((await user.call('POST', '/v1/payment/status', { session_id })).data).toMatchObject({ balance: 30 });
    const { customer } = JSON.parse(event.body).data.object;
    await stripeIsDownFor(customer);
    const browser = { headers: { accept: 'text/html' }, redirect: 'manual' as const };
    const portal = await user.fetch('/v1/payment/portal', browser);
    expect(portal.headers.get('location')).toBe('/account/balance?stripe=unreachable');
    // A program gets a 503.
    expect((await user.call('GET', '/v1/payment/portal')).status).toBe(503);
  });
});

describe('a top-up is refused', () => {
  const cases: [string, unknown, string][] = [
    ['below 5', { amount: 4.99 }, 'amount: the smallest top-up is 5.00 USD.'],
    ['above 1,000', { amount: 1000.01 }, 'amount: the largest top-up is 1,000.00 USD.'],
    ['of a negative amount', { amount: -5 }, 'amount: the smallest top-up is 5.00 USD.'],
    ['of a fraction of a cent', { amount: 5.001 }, 'amount: must be dollars and whole cents, such as 12.50.'],
    ['of no number', { amount: 'ten' }, 'amount: must be a number of dollars, such as 25 or 12.50.'],
    ['of nothing', {}, 'amount: must be a number of dollars, such as 25 or 12.50.'],
    ['in another currency', { amount: 10, currency: 'eur' }, 'currency: balances are kept in usd only.'],
  ];
  it.each(cases)('%s', async (_, body, sentence) => {
    const user = await signedInUser(0);
    const { status, success, msg } = await user.call('POST', '/v1/payment/checkout', body);
    expect({ status, success, msg }).toEqual({ status: 400, success: 0, msg: sentence });
    expect(await rowsWhere('SELECT * FROM payments WHERE user_id = ?', user.id)).toEqual([]);
  });

  it('without a session', async () => {
    expect((await caller().call('POST', '/v1/payment/checkout', { amount: 5 })).status).toBe(401);
    expect((await caller().call('POST', '/v1/payment/status', { session_id: 'cs_test_00000000' })).status).toBe(401);
  });

  it('with an invalid session id', async () => {
    const user = await signedInUser(0);
    for (const session_id of ['', 'x', 'cs_', '../../v1/customers', `cs_${'a'.repeat(300)}`, 7, null])
      expect((await user.call('POST', '/v1/payment/status', { session_id })).status).toBe(400);
  });
});

describe('the webhook', () => {
  it('refuses events that Stripe did not just sign, and writes nothing', async () => {
    const user = await signedInUser(0);
    const [event] = await happens(`sessions/${await opens(user, 5)}/pay`);
    if (!event) throw new Error('no event');
    const { body } = event;
    const [stale, early] = [Date.now() - 6 * 60_000, Date.now() + 60_000];
    const forged = [
      { body, signature: '' },
      { body, signature: 't=1,v1=00' },
      { body, signature: await signed(body, { secret: 'whsec_of_a_thief' }) },
      { body, signature: await signed(body, { at: stale }) },
      { body, signature: await signed(body, { at: early }) },
      { body, signature: `${await signed(body, { at: early })},t=1` },
      { body: body.replace('"amount_total":500', '"amount_total":50000'), signature: event.signature },
      { body: `${body} `, signature: event.signature },
    ];
    for (const each of forged) {
      const { status, success } = await tell(each);
      expect({ status, success }).toEqual({ status: 400, success: 0 });
    }
    expect(await entriesOf(user.id)).toEqual([]);
    expect((await tell({ body, signature: await signed(body) })).status).toBe(200);
    expect(await entriesOf(user.id)).toHaveLength(1);
  });

  it('ignores what is not ours', async () => {
    const told = async (type: string, object: object) => {
      const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
      return (await tell({ body, signature: await signed(body) })).status;
    };
    const foreign = { id: 'cs_test_foreign1', status: 'complete', payment_status: 'paid', amount_total: 5_000 };
    expect(await told('invoice.paid', { id: 'in_1' })).toBe(200);
    expect(await told('checkout.session.completed', { ...foreign, client_reference_id: null })).toBe(200);
    expect(await told('checkout.session.completed', { ...foreign, client_reference_id: 'nobody' })).toBe(200);
    expect(await told('refund.created', { id: 're_1', amount: 5, payment_intent: 'pi_foreign' })).toBe(200);
  });

  it('credits no amount but the requested one, accepts the event and records it', async () => {
    const user = await signedInUser(0);
    const [event] = await happens(`sessions/${await opens(user, 5)}/pay`);
    const body = (event?.body ?? '').replace('"amount_total":500', '"amount_total":50000');
    expect((await tell({ body, signature: await signed(body) })).status).toBe(200);
    expect(await entriesOf(user.id)).toEqual([]);
    expect(await rowsWhere(`SELECT error FROM setbacks WHERE subject = ?`, JSON.parse(body).id)).toEqual([
      { error: expect.stringContaining('is paid with 50000 usd, not what was asked') },
    ]);
    const status = { session_id: JSON.parse(body).data.object.id };
    expect((await user.call('POST', '/v1/payment/status', status)).data).toMatchObject({ state: 'paid', balance: 5 });
  });

  const told = (type: string, object: unknown) => JSON.stringify({ id: `evt_${type}`, type, data: { object } });
  it.each([
    ['no JSON', 'an event'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an event without its object', '{"id":"evt_bare","type":"refund.created"}'],
    ['an event with an id of a million characters', JSON.stringify({ id: 'e'.repeat(900_000), type: '', data: {} })],
    ['a payment without its object', told('checkout.session.completed', null)],
    ['a payment of an amount in words', told('checkout.session.completed', { id: 'cs_1', amount_total: 'five' })],
    ['a refund below zero', told('refund.created', { id: 're_1', amount: -5, payment_intent: 'pi_1' })],
    ['a refund of a list', told('refund.updated', { id: 're_1', amount: 5, payment_intent: [] })],
    ['a dispute of half a cent', told('charge.dispute.funds_withdrawn', { id: 'dp_1', amount: 0.5 })],
  ])('accepts and records %s that Stripe signed', async (_, body) => {
    await env.DB.prepare('DELETE FROM setbacks').run();
    expect((await tell({ body, signature: await signed(body) })).status).toBe(200);
    const noted = await rowsWhere<{ subject: string }>(`SELECT job, subject, tries, error FROM setbacks`);
    expect(noted).toEqual([
      { job: 'webhooks', subject: expect.any(String), tries: 1, error: expect.stringContaining('another shape') },
    ]);
    expect(noted[0]?.subject.length).toBeLessThan(256);
  });
});

describe('the stand-in', () => {
  const session = 'cs_test_00000000';

  it('is refused outside a local copy', async () => {
    for (const ENVIRONMENT of ['production', 'staging', ''])
      await expect(checkoutState({ ...env, ENVIRONMENT }, session)).rejects.toThrow(/cannot be set here/);
    expect(await checkoutState(env, session)).toBeNull();
  });

  it('does not replace missing keys', async () => {
    const keyless = { ...env, STRIPE_SECRET_KEY: undefined };
    expect(takesPayments(keyless)).toBe(false);
    await expect(checkoutState(keyless, session)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(checkoutState({ ...env, STRIPE_SECRET_KEY: 'sk_of_a_thief' }, session)).rejects.toThrow(
      /Invalid API Key/,
    );
  });
});

describe('parallel orders', () => {
  it('place exactly 10 of 100 on a balance for 10', async () => {
    const user = await signedInUser(500);
    const asked = Array.from({ length: 100 }, (_, index) =>
      user.call('POST', '/v1/order/create', { orders: [scanOf([30_000 + index])] }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 402)).toHaveLength(90);
    expect(await booksOfUser(user.id)).toEqual({ balance: 0, sum: 0, least: 0 });
    expect(await rowsWhere('SELECT count(*) AS n FROM orders WHERE user_id = ?', user.id)).toEqual([{ n: 10 }]);
  });
});
