import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, dayOf, HOUR_MS } from '../../domain/days.ts';
import {
  caller,
  fireCron,
  type Person,
  person,
  production,
  scanOf,
  send,
  signedInAdmin,
  signedInUser,
} from './client.ts';
import { chargesOf, rowsWhere } from './payments-client.ts';
import { cell, withSecondFactor } from './people.ts';

/** Prices with a day from which they hold, and readiness, set by admins. */

const SCAN = 'rok-kingdom-scan';
const today = () => dayOf(Date.now());
const inDays = (days: number) => dayOf(Date.now() + days * DAY_MS);

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});
beforeEach(() => env.DB.prepare(`DELETE FROM settings WHERE name LIKE 'product:%'`).run());

interface Shown {
  id: string;
  version: number;
  price: number;
  prices: { from: string; price: number }[];
  ready: boolean;
}
const products = async (who = admin): Promise<Shown[]> => (await who.call('GET', '/v1/admin/products')).data.products;
const scan = async () => (await products()).find(({ id }) => id === SCAN) as Shown;
const price = async (body: object, id = SCAN) =>
  admin.call('PUT', `/v1/admin/products/${id}/price`, {
    ...{ from: today(), version: (await scan()).version, reason: 'costs of bots' },
    ...body,
  });
const readiness = async (body: object, id = SCAN) =>
  admin.call('PUT', `/v1/admin/products/${id}/readiness`, {
    ...{ version: (await scan()).version, reason: 'the fleet rests' },
    ...body,
  });
const listed = async () => {
  const groups = (await caller().call('GET', '/v1/products/list')).data as { items: Shown[] }[];
  return groups.flatMap(({ items }) => items).find(({ id }) => id === SCAN);
};
const order = (user: Person, each: number, extra: object = {}) =>
  user.call('POST', '/v1/order/create', { orders: [{ ...scanOf([1011]), price: each }], ...extra });

describe('a price', () => {
  it('holds from its day on for orders, which keep the price at which they were placed', async () => {
    const user = await signedInUser();
    const before = await order(user, 0.5);
    expect(before.status).toBe(200);
    expect((await price({ price: 0.6 })).status).toBe(200);
    expect(await listed()).toMatchObject({ price: 0.6, ready: true });
    expect(await order(user, 0.5)).toMatchObject({
      status: 400,
      msg: 'orders[0].price: this costs 0.60 USD, not 0.5. Please review your order.',
    });
    expect((await order(user, 0.6)).status).toBe(200);
    expect(await chargesOf(user.id)).toEqual([50, 60]);
    const { data } = await user.call('GET', '/v1/orders/');
    expect(data.orders.map(({ total }: { total: number }) => total)).toEqual([0.6, 0.5]);
    const entry = await rowsWhere(
      `SELECT user_id, actor, subject, detail FROM audit_entries WHERE action = 'product.priced'`,
    );
    expect(entry).toMatchObject([{ user_id: null, actor: `admin:${admin.id}`, subject: SCAN }]);
    expect(JSON.parse(String(entry[0]?.detail))).toEqual({
      reason: 'costs of bots',
      before: { from: today(), price: null },
      after: { from: today(), price: '0.60' },
    });
  });

  it('of a later day leaves today alone, and schedules pay the price of the day on which they run', async () => {
    const user = await signedInUser();
    expect((await price({ from: inDays(2), price: 0.8 })).status).toBe(200);
    expect(await listed()).toMatchObject({ price: 0.5 });
    const tomorrow = Date.parse(inDays(1)) + 12 * HOUR_MS;
    const scheduleInfo = { period: 'day', interval: 1, start: new Date(tomorrow).toISOString() };
    const made = await order(user, 0.5, { scheduleInfo });
    expect(made).toMatchObject({ status: 200, data: { total: 0.5 } });
    for (const days of [0, 1, 2]) await fireCron('* * * * *', tomorrow + days * DAY_MS);
    expect(await chargesOf(user.id)).toEqual([50, 80, 80]);
    await user.call('POST', `/v1/orders/scheduled/${made.data.schedule_id}/end`);
  });

  it('replaces that of the same day, and can be removed before its day', async () => {
    await price({ from: inDays(3), price: 0.7 });
    await price({ from: inDays(1), price: 0.55 });
    await price({ from: inDays(3), price: 0.65 });
    expect((await scan()).prices).toEqual([
      { from: inDays(1), price: 0.55 },
      { from: inDays(3), price: 0.65 },
    ]);
    expect((await price({ from: inDays(3), price: null })).status).toBe(200);
    expect((await scan()).prices).toEqual([{ from: inDays(1), price: 0.55 }]);
    expect(await price({ from: inDays(3), price: null })).toMatchObject({
      status: 400,
      msg: `from: no price begins on ${inDays(3)}.`,
    });
  });

  it.each([
    [{ from: dayOf(Date.now() - DAY_MS), price: 1 }, /^from: is in the past\. The first day of a new price is /],
    [{ from: 'soon', price: 1 }, /^from: must be a day/],
    [{ price: 0 }, /^price: must be whole cents, from 0\.01/],
    [{ price: -1 }, /^price: must be whole cents/],
    [{ price: 0.005 }, /^price: must be whole cents/],
    [{ price: 1000.01 }, /^price: must be whole cents/],
    [{ price: '1' }, /^price: must be whole cents/],
    [{ price: 1, reason: 'no' }, /^reason: /],
  ])('of %j is refused', async (body, msg) => {
    expect(await price(body)).toMatchObject({ status: 400, msg: expect.stringMatching(msg) });
    expect((await scan()).prices).toEqual([]);
  });

  it('is refused with the difference if somebody changed it meanwhile', async () => {
    await price({ from: inDays(1), price: 0.7 });
    expect(await price({ from: inDays(1), price: 0.9, version: 0 })).toMatchObject({
      status: 409,
      msg: 'Somebody changed this meanwhile. What is stored now, and yours in brackets: price: 0.70 (0.90)',
    });
    expect((await scan()).prices).toEqual([{ from: inDays(1), price: 0.7 }]);
    expect(await price({ from: inDays(1), price: 0.7, version: 0 })).toMatchObject({
      status: 409,
      msg: 'Somebody made the same change meanwhile.',
    });
    // Two at once: one wins.
    const both = await Promise.all([0.8, 0.9].map((each) => price({ from: inDays(1), price: each, version: 1 })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await scan()).version).toBe(2);
  });

  it('needs the second factor of an admin who has one', async () => {
    const careful = await person({ role: 'admin' });
    await withSecondFactor(careful);
    const body = { from: today(), price: 1, version: 0, reason: 'costs of bots' };
    expect(await careful.call('PUT', `/v1/admin/products/${SCAN}/price`, body)).toMatchObject({
      status: 403,
      msg: 'code: is wrong or was used before.',
    });
    expect((await scan()).prices).toEqual([]);
  });

  it('is unknown for a product that is not sold', async () => {
    expect(await price({ price: 1 }, 'gold')).toMatchObject({ status: 404 });
    expect(await readiness({ readiness: 'available' }, 'gold')).toMatchObject({ status: 404 });
    expect(await cell(`SELECT count(*) FROM settings WHERE name LIKE 'product:%'`)).toBe(0);
  });
});

describe('a paused product', () => {
  const SENTENCE = 'The fleet moves house until Monday.';

  it('refuses orders with its sentence, and schedules miss their run with it', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const scheduleInfo = { start: new Date(start).toISOString() };
    const { data } = await order(user, 0.5, { scheduleInfo });
    expect((await readiness({ readiness: 'paused', sentence: SENTENCE })).status).toBe(200);
    expect(await listed()).toMatchObject({ ready: false, paused: SENTENCE });
    expect(await order(user, 0.5)).toMatchObject({
      status: 400,
      msg: `orders[0]: Rise of Kingdoms: Kingdom scan: ${SENTENCE}`,
    });
    await fireCron('* * * * *', start);
    expect(await rowsWhere(`SELECT outcome, note FROM runs WHERE schedule_id = ?`, data.schedule_id)).toEqual([
      { outcome: 'not_ready', note: `Rise of Kingdoms: Kingdom scan: ${SENTENCE}` },
    ]);
    expect(await chargesOf(user.id)).toEqual([]);
    expect((await readiness({ readiness: 'available' })).status).toBe(200);
    expect(await listed()).toMatchObject({ ready: true, paused: null });
    expect((await order(user, 0.5)).status).toBe(200);
    const acts = await rowsWhere(
      `SELECT action FROM audit_entries WHERE action LIKE 'product.%a%' ORDER BY id DESC LIMIT 2`,
    );
    expect(acts.map(({ action }) => action)).toEqual(['product.available', 'product.paused']);
  });

  it.each([
    ['an order', null],
    ['a schedule', { period: 'day', interval: 1 }],
  ])('answers the repeat of %s with what it placed before', async (_, scheduleInfo) => {
    const user = await signedInUser(1_000);
    const place = (kingdom: number) => {
      const body = { orders: [scanOf([kingdom])], scheduleInfo };
      return user.call('POST', '/v1/order/create', body, { 'idempotency-key': 'answer lost' });
    };
    const first = await place(77);
    expect(first).toMatchObject({ status: 200, data: { order_id: expect.any(Number), total: 0.5 } });
    await readiness({ readiness: 'paused', sentence: SENTENCE });
    expect(await place(77)).toMatchObject({ status: 200, data: first.data });
    expect((await place(78)).status).toBe(400);
    await readiness({ readiness: 'available' });
    expect(await chargesOf(user.id)).toHaveLength(1);
  });

  it('needs a sentence, and a product that was never on sale can be opened', async () => {
    expect(await readiness({ readiness: 'paused' })).toMatchObject({
      status: 400,
      msg: 'sentence: tell customers why, in 5 characters or more.',
    });
    expect(await readiness({ readiness: 'gone' })).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/^readiness: /),
    });
    const opened = async () => (await products()).find(({ id }) => id === 'cod-server-scan')?.ready;
    expect(await opened()).toBe(false);
    expect((await readiness({ readiness: 'available' }, 'cod-server-scan')).status).toBe(200);
    expect(await opened()).toBe(true);
  });

  it('is refused with the difference if somebody changed it meanwhile', async () => {
    await readiness({ readiness: 'paused', sentence: SENTENCE });
    expect(await readiness({ readiness: 'paused', sentence: 'Other.', version: 0 })).toMatchObject({
      status: 409,
      msg: `Somebody changed this meanwhile. What is stored now, and yours in brackets: sentence: ${SENTENCE} (Other.)`,
    });
  });
});

it('prices on the home page and in the FAQ follow', async () => {
  await price({ price: 0.85 });
  for (const path of ['/', '/faq']) {
    const page = await (await send(path, {}, production())).text();
    expect(page, path).toContain('$0.85 per 100');
    expect(page, path).not.toContain('$0.50 per 100 governors');
  }
});
