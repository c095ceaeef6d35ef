import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bot, caller, scanOf, settled, signedInUser, work } from './client.ts';
import { daysOfKingdom } from './scans.ts';

const rowsWhere = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, number>>()
  ).results;

/** The whole course of one order through every part, and every sentence that refuses one. */

describe('an order', () => {
  it('goes from payment to results: charge, subtasks, bots, snapshot', async () => {
    const user = await signedInUser(1_000);
    const placed = await user.call('POST', '/v1/order/create', { orders: [scanOf([3584, 3585], 250)] });
    expect(placed).toMatchObject({ status: 200, success: 1, data: { total: 3 } });

    const before = (await user.call('GET', '/v1/orders/')).data;
    expect(before.live).toBe(true);
    expect(before.orders[0]).toMatchObject({ order_id: placed.data.order_id, total: 3, has_results: false });
    expect(before.orders[0].items).toHaveLength(2);
    expect(before.orders[0].items[0]).toMatchObject({ subtask_count: 3, incomplete_count: 3, price: 1.5 });

    expect(await work(await bot())).toBe(6);
    const order = await settled(user);
    expect(order).toMatchObject({ has_results: true, is_done_loading: true });
    expect(order.items[0]).toMatchObject({ state: 'done', incomplete_count: 0, failed_count: 0 });

    const item = (await user.call('GET', `/v1/order/item/${order.items[0].item_id}/`)).data;
    expect(item).toMatchObject({ order_id: order.order_id, kingdom_id: 3584, rows: 250, quality: { ok: 250 } });
    const account = (await user.call('GET', '/v1/account')).data;
    expect(account.balance).toBe(7);
    expect(await rowsWhere(`SELECT count(*) AS n FROM governors WHERE kingdom_id = 3584`)).toEqual([{ n: 250 }]);
    expect(await daysOfKingdom('rok', 3585)).toHaveLength(250);
  });

  it('repeated under its Idempotency-Key returns the first order, charged once', async () => {
    const user = await signedInUser(1_000);
    const body = { orders: [scanOf([1])] };
    const key = { 'idempotency-key': 'one and the same' };
    const both = await Promise.all([
      user.call('POST', '/v1/order/create', body, key),
      user.call('POST', '/v1/order/create', body, key),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.data).toEqual(both[1]?.data);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(9.5);
    const other = await user.call('POST', '/v1/order/create', { orders: [scanOf([2])] }, key);
    expect(other.status).toBe(409);
  });

  it('beyond the balance writes nothing', async () => {
    const user = await signedInUser(49);
    const { status, msg } = await user.call('POST', '/v1/order/create', { orders: [scanOf([77])] });
    expect(status).toBe(402);
    expect(msg).toBe('Your balance of 0.49 USD does not cover the price of 0.50 USD.');
    expect(await rowsWhere(`SELECT count(*) AS n FROM orders WHERE user_id = ?`, user.id)).toEqual([{ n: 0 }]);
    expect(await rowsWhere(`SELECT count(*) AS n FROM items WHERE kingdom_id = 77`)).toEqual([{ n: 0 }]);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(0.49);
  });

  it('of another user is not found', async () => {
    const [owner, stranger] = [await signedInUser(), await signedInUser()];
    const { data } = await owner.call('POST', '/v1/order/create', { orders: [scanOf([5])] });
    const { item_id } = (await owner.call('GET', '/v1/orders/')).data.orders[0].items[0];
    expect((await stranger.call('GET', `/v1/order/item/${item_id}/`)).status).toBe(404);
    expect((await stranger.call('GET', '/v1/orders/')).data.orders).toEqual([]);
    const live = await stranger.fetch(`/v1/orders/live?orders=${data.order_id}`, { headers: { upgrade: 'websocket' } });
    expect(live.status).toBe(404);
  });

  it('of 1,000 kingdoms is created whole', async () => {
    const user = await signedInUser(200_000);
    const kingdoms = Array.from({ length: 1000 }, (_, index) => 20_000 + index);
    const { status, data } = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, 300)] });
    expect(status).toBe(200);
    const counts = await rowsWhere(
      `SELECT count(*) AS n, count(DISTINCT due) AS dues, max(due) - min(due) AS span FROM subtasks WHERE order_id = ?`,
      data.order_id,
    );
    expect(counts).toEqual([{ n: 3000, dues: 3000, span: 2_999_000 }]);
    const listed = (await user.call('GET', '/v1/orders/')).data.orders[0];
    expect(listed.item_count).toBe(1000);
    expect(listed.items).toHaveLength(100);
  });
});

describe('an order is refused', () => {
  const scan = scanOf([3584], 300);
  const withParams = (params: object, price = scan.price) => ({
    ...scan,
    params: { ...scan.params, ...params },
    price,
  });
  const cases: [string, unknown, RegExp][] = [
    ['without a body', '{', /json/i],
    ['without entries', { orders: [] }, /^orders: /],
    ['with an unknown product', { orders: [{ ...scan, type: 'gold' }] }, /orders\[0\]: there is no product 'gold'/],
    ['of a product that is not ready', { orders: [{ ...scan, type: 'cod-server-scan' }] }, /cannot be ordered yet/],
    ['with a kingdom that is no number', { orders: [withParams({ kingdoms: ['3584', 'x'] })] }, /kingdoms: 'x'/],
    ['without kingdoms', { orders: [withParams({ kingdoms: [] }, 0)] }, /kingdoms: name at least one/],
    [
      'with 5,001 kingdoms',
      { orders: [withParams({ kingdoms: Array.from({ length: 5001 }, (_, index) => String(index + 1)) })] },
      /kingdoms: more than 5,000/,
    ],
    [
      'with too few governors',
      { orders: [withParams({ governors: 99 })] },
      /The following value is out-of-bounds for Governors: 99/,
    ],
    ['with too many governors', { orders: [withParams({ governors: '5,001' })] }, /out-of-bounds for Governors: 5,001/],
    ['with half a governor', { orders: [withParams({ governors: 150.5 })] }, /governors: must be a whole number/],
    ['with a wrong price', { orders: [{ ...scan, price: 0.5 }] }, /price: this costs 1\.50 USD, not 0\.5/],
    ['with a price that is no number', { orders: [{ ...scan, price: '1.50' }] }, /^orders\[0\]\.price: /],
    ['with an unknown field', { orders: [withParams({ vip: true })] }, /vip: Kingdom scan has no such field/],
  ];

  it.each(cases)('%s', async (_, body, sentence) => {
    const user = await signedInUser();
    const { status, success, msg } = await user.call('POST', '/v1/order/create', body);
    expect({ status, success, msg }).toMatchObject({ status: 400, success: 0, msg: expect.stringMatching(sentence) });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(100);
  });

  it('without a session', async () => {
    const { status, success, msg } = await caller().call('POST', '/v1/order/create', { orders: [scan] });
    expect({ status, success, msg }).toEqual({ status: 401, success: 0, msg: 'Please sign in first.' });
  });
});
