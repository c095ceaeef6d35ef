import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { thresholdOf } from '../../worker/models/money/alerts.ts';
import { noteSession } from '../../worker/models/money/payments.ts';
import { recordComparison } from '../../worker/models/money/reconciliation.ts';
import { type Caller, db, fireCron, PASSWORD, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { booksOfUser, happens, opens, rowsWhere, tell, topsUp } from './payments-client.ts';
import { mailsTo } from './people.ts';

/** Two users who do the same at the same time, under the same keys, each pay for their own. */

const HOUR_MS = 3_600_000;
const two = async (balance = 1_000) => [await signedInUser(balance), await signedInUser(balance)] as const;
const balance = async (user: { id: string }) => (await booksOfUser(user.id)).balance;
const keyed = (key: string) => ({ 'idempotency-key': key });
const scheduleInfo = (start: number) => ({ period: 'hour', interval: 1, start: new Date(start).toISOString() });
const order = (user: Caller, kingdom: number, key: string, more: object = {}) =>
  user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom])], ...more }, keyed(key));
const orderIds = async (user: Caller): Promise<number[]> =>
  (await user.call('GET', '/v1/orders/')).data.orders.map(({ order_id }: { order_id: number }) => order_id);

describe('two users under one Idempotency-Key', () => {
  it('each pay into their own account', async () => {
    const [first, second] = await two(0);
    const ask = async (user: Caller) =>
      (await user.call('POST', '/v1/payment/checkout', { amount: 10 }, keyed('the same'))).data.session_id as string;
    const [one, other] = [await ask(first), await ask(second)];
    expect(other).not.toBe(one);
    expect([await ask(first), await ask(second)]).toEqual([one, other]);
    for (const event of await happens(`sessions/${other}/pay`)) await tell(event);
    expect([await balance(first), await balance(second)]).toEqual([0, 1_000]);
    for (const event of await happens(`sessions/${one}/pay`)) await tell(event);
    expect([await balance(first), await balance(second)]).toEqual([1_000, 1_000]);
  });

  it('each place an order, and repeats return their own', async () => {
    const [first, second] = await two();
    const placed = [await order(first, 70_001, 'k'), await order(second, 70_001, 'k')];
    const again = [await order(first, 70_001, 'k'), await order(second, 70_001, 'k')];
    expect(again.map(({ data }) => data)).toEqual(placed.map(({ data }) => data));
    expect(placed[0]?.data.order_id).not.toBe(placed[1]?.data.order_id);
    expect([await orderIds(first), await orderIds(second)]).toEqual(placed.map(({ data }) => [data.order_id]));
    expect([await balance(first), await balance(second)]).toEqual([950, 950]);
  });

  it('each keep a schedule, whatever keys the other has used', async () => {
    const [first, second] = await two();
    const start = Date.now() + HOUR_MS;
    const keep = (user: Caller, key: string) => order(user, 70_002, key, { scheduleInfo: scheduleInfo(start) });
    await order(first, 70_002, 'ordered');
    const kept = await keep(first, 'kept');
    // A key is free for one user though the other has used it.
    const theirs = [await keep(second, 'kept'), await keep(second, 'ordered')];
    expect(theirs.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set([kept, ...theirs].map(({ data }) => data.schedule_id)).size).toBe(3);
    expect((await keep(second, 'kept')).data.schedule_id).toBe(theirs[0]?.data.schedule_id);
    expect((await keep(first, 'ordered')).status).toBe(409);
    expect((await order(first, 70_002, 'kept')).status).toBe(409);
    const third = await signedInUser();
    expect((await order(third, 70_002, 'kept')).status).toBe(200);
    await rowsWhere(
      `UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id IN (?, ?)`,
      first.id,
      second.id,
    );
  });

  it('adjust once each as admins', async () => {
    const [user, one, other] = [await signedInUser(0), await signedInAdmin(), await signedInAdmin()];
    const adjust = (by: Caller) =>
      by.call(
        'POST',
        '/v1/admin/adjustments',
        { username: user.username, amount: 2, reason: 'A gift.' },
        keyed('gift'),
      );
    for (const by of [one, other, one, other]) expect((await adjust(by)).status).toBe(200);
    expect(await balance(user)).toBe(400);
  });
});

describe('a key that looks like a run of a schedule', () => {
  it('does not stop the run', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const { data } = await order(user, 70_003, 'mine', { scheduleInfo: scheduleInfo(start) });
    const key = `schedule:${data.schedule_id}:${start}`;
    expect((await order(user, 70_004, key)).status).toBe(200);
    await fireCron('* * * * *', start);
    expect(await rowsWhere('SELECT outcome FROM runs WHERE schedule_id = ?', data.schedule_id)).toEqual([
      { outcome: 'placed' },
    ]);
    // A customer cannot use the key of a run either.
    const met = await order(user, 70_005, `schedule:${data.schedule_id}:${start}`);
    expect(met.status).toBe(409);
    expect(await balance(user)).toBe(10_000 - 100);
    await user.call('POST', `/v1/orders/scheduled/${data.schedule_id}/end`);
  });
});

describe('a deleted account', () => {
  it('orders nothing more, and ends nobody else’s schedule', async () => {
    const [gone, stays] = await two();
    const start = Date.now() + HOUR_MS;
    const ids = [];
    for (const user of [gone, stays])
      ids.push((await order(user, 70_006, 's', { scheduleInfo: scheduleInfo(start) })).data.schedule_id);
    const body = { current_password: PASSWORD, username: gone.username };
    expect((await gone.call('POST', '/v1/account/delete', body)).status).toBe(200);
    await fireCron('* * * * *', start);
    const states = await rowsWhere('SELECT state, next_at FROM schedules WHERE id IN (?, ?) ORDER BY id', ...ids);
    expect(states).toEqual([
      { state: 'ended', next_at: null },
      { state: 'active', next_at: start + HOUR_MS },
    ]);
    expect(await rowsWhere('SELECT user_id FROM orders WHERE user_id IN (?, ?)', gone.id, stays.id)).toEqual([
      { user_id: stays.id },
    ]);
    await rowsWhere(`UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id = ?`, stays.id);
  });

  it('gets no Stripe customer from a payment that was still open', async () => {
    const gone = await signedInUser(0);
    const [event] = await happens(`sessions/${await opens(gone, 5)}/pay`);
    await gone.call('POST', '/v1/account/delete', { current_password: PASSWORD, username: gone.username });
    if (event) await tell(event);
    expect(await rowsWhere('SELECT stripe_customer_id, balance_cents FROM users WHERE id = ?', gone.id)).toEqual([
      { stripe_customer_id: null, balance_cents: 500 },
    ]);
  });
});

describe('mails about money', () => {
  it('that tell of differences go to admins alone', async () => {
    const [admin, customer] = [await signedInAdmin(), await signedInUser(0)];
    const found = { day: '2026-01-01', stripe_cents: 1, ledger_cents: 2, differences: ['One cent is missing.'] };
    await recordComparison(db, found);
    expect((await mailsTo(admin.email))[0]?.text).toContain('One cent is missing.');
    expect(await mailsTo(customer.email)).toEqual([]);
    const recipients = await rowsWhere<{ role: string | null }>(
      `SELECT (SELECT role FROM users WHERE email = recipient) AS role FROM outbox WHERE reference LIKE 'reconciliation:%'`,
    );
    expect([...new Set(recipients.map(({ role }) => role))]).toEqual(['admin']);
  });

  it('that warn of a low balance go to its owner, who alone sets the threshold', async () => {
    const [low, other] = await two(600);
    for (const user of [low, other]) await user.call('POST', '/v1/account/low-balance', { threshold: 5 });
    await order(low, 70_007, 'falls');
    await order(low, 70_008, 'further');
    await order(low, 70_009, 'below');
    await fireCron('* * * * *');
    const warned = async (user: { email: string }) =>
      (await mailsTo(user.email)).filter(({ reference }) => reference.startsWith('low-balance:')).length;
    expect([await warned(low), await warned(other)]).toEqual([1, 0]);
    // Movements of another user are no reason for a second warning.
    await order(other, 70_007, 'moves');
    await fireCron('* * * * *');
    await order(low, 70_007, 'even lower');
    await fireCron('* * * * *');
    expect([await warned(low), await warned(other)]).toEqual([1, 0]);
    await low.call('POST', '/v1/account/low-balance', { threshold: null });
    expect([await thresholdOf(db, low.id), await thresholdOf(db, other.id)]).toEqual([null, 500]);
    await other.call('POST', '/v1/account/low-balance', { threshold: 1 });
    expect(await thresholdOf(db, low.id)).toBeNull();
    await low.call('POST', '/v1/account/low-balance', { threshold: 2 });
    expect([await thresholdOf(db, low.id), await thresholdOf(db, other.id)]).toEqual([200, 100]);
  });

  it('that tell of an unpaid run go to the owner of the schedule', async () => {
    const [poor, rich] = [await signedInUser(0), await signedInUser()];
    const start = Date.now() + HOUR_MS;
    for (const user of [poor, rich])
      await order(user, 70_010, 'r', { scheduleInfo: { ...scheduleInfo(start), period: 'day' } });
    await fireCron('* * * * *', start);
    const missed = async (user: { email: string }) =>
      (await mailsTo(user.email)).filter(({ reference }) => reference.startsWith('run:')).length;
    expect([await missed(poor), await missed(rich)]).toEqual([1, 0]);
    await rowsWhere(`UPDATE schedules SET state = 'ended', next_at = NULL WHERE user_id IN (?, ?)`, poor.id, rich.id);
  });
});

describe('money that Stripe took back from a user', () => {
  it('is collected from their balance alone, and blocks their orders alone', async () => {
    const [taken, other] = await two(0);
    const intent = await topsUp(taken, 5);
    await topsUp(other, 20);
    await order(taken, 70_011, 'spent');
    for (const event of await happens(`intents/${intent}/refund`)) await tell(event);
    expect((await taken.call('GET', '/v1/account/balance')).data).toMatchObject({ balance: 0, uncovered: 0.5 });
    expect((await other.call('GET', '/v1/account/balance')).data).toMatchObject({ balance: 20, uncovered: 0 });
    await fireCron('* * * * *');
    expect((await order(taken, 70_012, 'blocked')).status).toBe(402);
    expect((await order(other, 70_012, 'free')).status).toBe(200);
    expect([await balance(taken), await balance(other)]).toEqual([0, 1950]);
  });

  it('changes no reversal of another user when it comes back', async () => {
    const [first, second] = await two(0);
    const intents = [await topsUp(first, 6), await topsUp(second, 6)];
    const refunds: string[] = [];
    for (const intent of intents)
      for (const event of await happens(`intents/${intent}/refund`)) {
        refunds.push(JSON.parse(event.body).data.object.id);
        await tell(event);
      }
    for (const event of await happens(`refunds/${refunds[0]}/fail`)) await tell(event);
    expect([await balance(first), await balance(second)]).toEqual([600, 0]);
  });
});

describe('a session', () => {
  it('is stored for its own payment alone', async () => {
    const user = await signedInUser(0);
    const [one, other] = [await opens(user, 5), await opens(user, 6)];
    const [row] = await rowsWhere<{ id: string }>('SELECT id FROM payments WHERE session_id = ?', one);
    const change = { session: `${one}x`, instead: one };
    expect(await noteSession(db, row?.id ?? '', change)).toBe(`${one}x`);
    // A second call that replaced the same session learns which one counts.
    expect(await noteSession(db, row?.id ?? '', { session: `${one}y`, instead: one })).toBe(`${one}x`);
    expect(await rowsWhere('SELECT session_id FROM payments WHERE user_id = ? ORDER BY amount_cents', user.id)).toEqual(
      [{ session_id: `${one}x` }, { session_id: other }],
    );
    await env.DB.prepare('DELETE FROM payments WHERE user_id = ?').bind(user.id).run();
  });
});
