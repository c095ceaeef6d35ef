import { describe, expect, it } from 'vitest';
import { paymentOfSession, settlePayment } from '../../worker/models/money/payments.ts';
import { caller, db, scanOf, signedInUser } from './client.ts';
import { booksOfUser, happens, opens, rowsWhere, type SignedEvent, signed, tell, topsUp } from './payments-client.ts';

/** What Stripe reports of a payment, and what does not count as paid. */

const balance = async (user: { id: string }) => (await booksOfUser(user.id)).balance;
const paymentOf = async (session: string) =>
  (await rowsWhere('SELECT state, paid_at, session_id FROM payments WHERE session_id = ?', session))[0];

/** An event signed by Stripe with changed contents. */
async function retold(event: SignedEvent, type: string, changes: Record<string, unknown>): Promise<SignedEvent> {
  const told = JSON.parse(event.body);
  Object.assign(told, { type });
  Object.assign(told.data.object, changes);
  const body = JSON.stringify(told);
  return { type, body, signature: await signed(body) };
}

async function paidSession(user: Awaited<ReturnType<typeof signedInUser>>, amount = 5) {
  const session = await opens(user, amount);
  const [event] = await happens(`sessions/${session}/pay`);
  if (!event) throw new Error('a payment sends an event');
  return { session, event };
}

describe('a payment', () => {
  it('that is complete but unpaid is credited once its money arrives', async () => {
    const user = await signedInUser(0);
    const { session, event } = await paidSession(user);
    const unpaid = { status: 'complete', payment_status: 'unpaid' };
    expect((await tell(await retold(event, 'checkout.session.completed', unpaid))).status).toBe(200);
    expect(await balance(user)).toBe(0);
    expect(await paymentOf(session)).toMatchObject({ state: 'open', paid_at: null });
    const later = await retold(event, 'checkout.session.async_payment_succeeded', {});
    expect((await tell(later)).status).toBe(200);
    expect(await balance(user)).toBe(500);
  });

  it('whose money never arrives fails and credits nothing', async () => {
    const user = await signedInUser(0);
    const { session, event } = await paidSession(user);
    const unpaid = { status: 'complete', payment_status: 'unpaid' };
    await tell(await retold(event, 'checkout.session.async_payment_failed', unpaid));
    expect(await paymentOf(session)).toMatchObject({ state: 'failed' });
    expect(await balance(user)).toBe(0);
  });

  it('in another currency or amount is accepted but not credited', async () => {
    for (const changes of [{ currency: 'eur' }, { currency: null }, { amount_total: 501 }, { amount_total: 499 }]) {
      const user = await signedInUser(0);
      const { session, event } = await paidSession(user);
      expect((await tell(await retold(event, 'checkout.session.completed', changes))).status).toBe(200);
      expect(await balance(user)).toBe(0);
      expect(await paymentOf(session)).toMatchObject({ state: 'open', paid_at: null });
    }
  });

  it('that is paid stays paid, whatever is reported later', async () => {
    const user = await signedInUser(0);
    const { session, event } = await paidSession(user);
    await tell(event);
    const before = await paymentOf(session);
    expect(before).toMatchObject({ state: 'paid', paid_at: expect.any(Number) });
    const late = [
      await retold(event, 'checkout.session.expired', { status: 'expired', payment_status: 'unpaid' }),
      await retold(event, 'checkout.session.async_payment_failed', { payment_status: 'unpaid' }),
      await retold(event, 'checkout.session.completed', { payment_status: 'unpaid' }),
      event,
    ];
    for (const each of late) expect((await tell(each)).status).toBe(200);
    const payment = await paymentOfSession(db, session);
    if (!payment) throw new Error('a payment expected');
    const checkout = { payment_id: payment.id, amount: 500, currency: 'usd', payment_intent: 'pi_x', customer: null };
    expect(await settlePayment(db, payment, { ...checkout, session_id: 'cs_other', state: 'paid' })).toBe(false);
    expect(await paymentOf(session)).toEqual(before);
    expect(await balance(user)).toBe(500);
    const asked = await user.call('POST', '/v1/payment/status', { session_id: session });
    expect(asked.data).toMatchObject({ state: 'paid', balance: 5 });
  });

  it('that expired stays expired, unless it is paid after all', async () => {
    const user = await signedInUser(0);
    const { session, event } = await paidSession(user);
    const expired = await retold(event, 'checkout.session.expired', { status: 'expired', payment_status: 'unpaid' });
    await tell(expired);
    await tell(await retold(event, 'checkout.session.async_payment_failed', { payment_status: 'unpaid' }));
    expect(await paymentOf(session)).toMatchObject({ state: 'expired' });
    await tell(event);
    expect(await paymentOf(session)).toMatchObject({ state: 'paid' });
    expect(await balance(user)).toBe(500);
  });

  it('keeps the customer of the first payment', async () => {
    const user = await signedInUser(0);
    await topsUp(user, 5);
    const customer = () => rowsWhere('SELECT stripe_customer_id FROM users WHERE id = ?', user.id);
    const first = await customer();
    const { event } = await paidSession(user, 6);
    await tell(await retold(event, 'checkout.session.completed', { customer: 'cus_another' }));
    expect(await customer()).toEqual(first);
    expect(await balance(user)).toBe(1100);
  });
});

describe('a refund', () => {
  it.each(['failed', 'canceled'])('that is %s returns its money, once', async (status) => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 8);
    const [made] = await happens(`intents/${intent}/refund?amount=300`);
    if (!made) throw new Error('a refund sends an event');
    await tell(made);
    expect(await balance(user)).toBe(500);
    const back = await retold(made, 'refund.updated', { status });
    for (const each of [back, back, made]) expect((await tell(each)).status).toBe(200);
    expect(await balance(user)).toBe(800);
  });

  it.each(['pending', 'requires_action', 'succeeded'])('that is %s has taken its money', async (status) => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 8);
    const [made] = await happens(`intents/${intent}/refund?amount=300`);
    if (!made) throw new Error('a refund sends an event');
    await tell(await retold(made, 'refund.updated', { status }));
    expect(await balance(user)).toBe(500);
  });
});

describe('a dispute', () => {
  it('takes nothing before its money is withdrawn', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 8);
    const [opened, withdrawn] = await happens(`intents/${intent}/dispute`);
    if (!opened || !withdrawn) throw new Error('two events expected');
    await tell(opened);
    expect(await balance(user)).toBe(800);
    await tell(withdrawn);
    expect(await balance(user)).toBe(0);
  });
});

describe('a price', () => {
  it.each([0.5, 1.49, 1.51, 2, 15, 1.505])('of %s instead of 1.50 is refused, higher or lower', async (price) => {
    const user = await signedInUser(10_000);
    const entry = { ...scanOf([71_000], 300), price };
    const { status, msg } = await user.call('POST', '/v1/order/create', { orders: [entry] });
    expect({ status, msg }).toMatchObject({ status: 400, msg: expect.stringContaining('this costs 1.50 USD') });
    expect(await balance(user)).toBe(10_000);
  });

  it('is checked by the server in a schedule too', async () => {
    const user = await signedInUser(10_000);
    const entry = { ...scanOf([71_001], 300), price: 2 };
    const scheduleInfo = { period: 'day', interval: 1 };
    expect((await user.call('POST', '/v1/order/create', { orders: [entry], scheduleInfo })).status).toBe(400);
    expect(await rowsWhere('SELECT id FROM schedules WHERE user_id = ?', user.id)).toEqual([]);
  });
});

describe('a receipt and a statement', () => {
  it('are for their signed-in owner alone', async () => {
    const [owner, stranger] = [await signedInUser(0), await signedInUser(0)];
    await topsUp(owner, 5);
    const [line] = (await owner.call('GET', '/v1/account/statement')).data.lines;
    const path = `/v1/payment/receipt/${line.payment_id}`;
    expect((await owner.fetch(path, { redirect: 'manual' })).status).toBe(303);
    expect((await stranger.fetch(path, { redirect: 'manual' })).status).toBe(404);
    expect((await caller().fetch(path, { redirect: 'manual' })).status).toBe(401);
    const csv = await (await stranger.fetch('/v1/account/statement/download')).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1);
    // A statement contains no other user's money, not even in its running balance.
    await topsUp(stranger, 7);
    const lines = (await stranger.call('GET', '/v1/account/statement')).data.lines;
    expect(lines.map(({ balance: running }: { balance: number }) => running)).toEqual([7]);
  });
});
