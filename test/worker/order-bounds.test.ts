import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { MAX_ITEMS_PER_ORDER, MAX_RANKS_PER_ORDER, PRODUCTS } from '../../domain/orders/catalogue.ts';
import { MAX_ORDER_BYTES } from '../../domain/orders/contract.ts';
import { type PricedEntry, priceEntry } from '../../domain/orders/entry.ts';
import { configuredSale } from '../../domain/orders/sale.ts';
import { MAX_RECORD_KEYS, MAX_RECORD_LENGTH } from '../../domain/records.ts';
import { post } from '../../worker/models/money/ledger.ts';
import { writeOrder } from '../../worker/models/orders/placing.ts';
import { type Caller, db, scanOf, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';

const kingdoms = (count: number, from = 10_000) => Array.from({ length: count }, (_, index) => from + index);
const create = (user: Caller, orders: object[], more: object = {}) =>
  user.call('POST', '/v1/order/create', { orders, ...more });
const written = async (userId: string) => [
  await rowsWhere(`SELECT id FROM orders WHERE user_id = ?`, userId),
  await rowsWhere(`SELECT id FROM schedules WHERE user_id = ?`, userId),
];
const hourly = { scheduleInfo: { period: 'hour', interval: 1 } };

describe('the size of an order is checked before its contents', () => {
  const rich = 1_000_000_000;

  it.each<[string, object[], number, RegExp]>([
    [
      'more kingdoms than one order holds, in one entry',
      [scanOf(kingdoms(MAX_ITEMS_PER_ORDER + 1))],
      400,
      /^orders\[0\]: kingdoms: more than 5,000 in one order\.$/,
    ],
    [
      'more kingdoms than one order holds, over its entries',
      [scanOf(kingdoms(MAX_ITEMS_PER_ORDER - 1)), scanOf([1, 2])],
      400,
      /^orders: 5,001 kingdoms or servers are more than the 5,000 of one order/,
    ],
    [
      'more governors than one order holds',
      [scanOf(kingdoms(MAX_RANKS_PER_ORDER / 5000), 5000), scanOf([1], 100)],
      400,
      /^orders: 2,000,100 governors or lords are more than the 2,000,000 of one order/,
    ],
    [
      'more bytes than one order holds',
      [{ ...scanOf(kingdoms(1000)), fields: { note: 'x'.repeat(MAX_ORDER_BYTES) } }],
      413,
      /^An order may carry 200 KB at most\.$/,
    ],
    [
      'fields of more characters than one entry holds',
      [{ ...scanOf([1]), fields: { note: 'x'.repeat(MAX_RECORD_LENGTH - 3) } }],
      400,
      /^orders\[0\]\.fields: has 80,001 characters; at most 80,000 are allowed\.$/,
    ],
    [
      'more fields than one entry holds',
      [{ ...scanOf([1]), fields: Object.fromEntries(kingdoms(MAX_RECORD_KEYS + 1).map((key) => [key, ''])) }],
      400,
      /^orders\[0\]\.fields: has 21 entries; at most 20 are allowed\.$/,
    ],
    [
      'fields that nest',
      [{ ...scanOf([1]), fields: { a: { b: 1 } } }],
      400,
      /^orders\[0\]\.fields: a: must be a text, a number/,
    ],
    [
      'parameters that nest',
      [{ ...scanOf([1]), params: { kingdoms: [['1']], governors: 100 } }],
      400,
      /^orders\[0\]\.params: kingdoms: must be a text, a number/,
    ],
  ])('%s: refused with the limit, nothing written', async (_, orders, status, sentence) => {
    const user = await signedInUser(rich);
    for (const more of [{}, hourly])
      expect(await create(user, orders, more)).toMatchObject({ status, msg: expect.stringMatching(sentence) });
    expect(await written(user.id)).toEqual([[], []]);
  });

  it('accepts exactly as much as the limits allow', async () => {
    const user = await signedInUser(rich);
    const full = { note: 'x'.repeat(MAX_RECORD_LENGTH - 4) };
    const keys = Object.fromEntries(kingdoms(MAX_RECORD_KEYS).map((key) => [key, '']));
    const small = { ...scanOf(kingdoms(1, 1)), fields: full };
    const most = scanOf(kingdoms(MAX_ITEMS_PER_ORDER - 2), 400);
    const { status, data, msg } = await create(user, [small, { ...scanOf([2]), fields: keys }, most]);
    expect([status, msg]).toEqual([200, undefined]);
    const [counts] = await rowsWhere(
      `SELECT count(*) AS items, sum(subtask_count) AS subtasks,
         (SELECT count(*) FROM subtasks WHERE order_id = ?1) AS there FROM items WHERE order_id = ?1`,
      data.order_id,
    );
    expect(counts).toEqual({ items: 5000, subtasks: 2 + 4998 * 4, there: 2 + 4998 * 4 });
  });

  it('refuses a hundred thousand nested brackets as a bad request', async () => {
    const user = await signedInUser();
    const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;
    const body = JSON.stringify({ orders: [scanOf([1])] });
    for (const part of ['"params":{', '"fields":{']) {
      const answer = await user.call('POST', '/v1/order/create', body.replace(part, `${part}"deep":${deep},`));
      expect(answer).toMatchObject({ status: 400, msg: expect.stringMatching(/deep: must be a text/) });
    }
    expect(await written(user.id)).toEqual([[], []]);
  });

  it('refuses an order that cannot be paid before building it', async () => {
    const orders = [scanOf(kingdoms(MAX_ITEMS_PER_ORDER))];
    const price = (orders[0]?.price ?? 0) * 100;
    const user = await signedInUser(price - 1);
    expect(await create(user, orders)).toMatchObject({ status: 402, msg: expect.stringMatching(/^Your balance of/) });
    expect(await written(user.id)).toEqual([[], []]);
    // The batch is not built if a cent is missing.
    const also = vi.fn(() => []);
    const priced = orders.map(
      (entry) => priceEntry(entry, configuredSale(env.READY_PRODUCTS), Date.now()) as PricedEntry,
    );
    const placement = { userId: user.id, entries: priced, idempotencyKey: null, requestHash: '', also };
    expect(await writeOrder(db, placement)).toMatchObject({ outcome: 'unpaid', balance: price - 1, total: price });
    expect(also).not.toHaveBeenCalled();
    await post(db, { userId: user.id, amount: 1, kind: 'top_up', reference: `cent:${user.id}` });
    expect(await writeOrder(db, placement)).toMatchObject({ outcome: 'placed' });
    expect(also).toHaveBeenCalled();
  });

  it('repeats the first answer for a paid order, whatever the balance', async () => {
    const user = await signedInUser(50);
    const key = { 'idempotency-key': 'once' };
    const [first, again] = [
      await user.call('POST', '/v1/order/create', { orders: [scanOf([1])] }, key),
      await user.call('POST', '/v1/order/create', { orders: [scanOf([1])] }, key),
    ];
    expect(first.status).toBe(200);
    expect(again).toEqual(first);
  });
});

describe('the details of an item', () => {
  it('come from its parameters, not from the client’s fields', async () => {
    const user = await signedInUser();
    const forged = { ...scanOf([1011, 1012]), fields: { Governors: '5,000 (forged)', 'Sold as': 'gift' } };
    const { fields: _, ...bare } = scanOf([1013]);
    const { data } = await create(user, [{ ...forged, product_name: 'Another' }, bare]);
    const { data: listed } = await user.call('GET', '/v1/orders/');
    const details = (kingdom: string) => ({ Kingdoms: kingdom, Governors: '100', 'Full profile': 'Yes' });
    expect(listed.orders[0].items.map((item: { details: object }) => item.details)).toEqual(
      ['1011', '1012', '1013'].map(details),
    );
    const { data: again } = await user.call('GET', `/v1/order/${data.order_id}/entries`);
    expect(again.entries[0]).toEqual({
      ...scanOf([1011, 1012]),
      fields: { Kingdoms: '1011, 1012', Governors: '100', 'Full profile': 'Yes' },
    });
    expect(again.entries[1].fields).toEqual(details('1013'));
    const [stored] = await rowsWhere(`SELECT entries FROM orders WHERE id = ?`, data.order_id);
    expect(JSON.stringify(stored)).not.toMatch(/forged|gift|Another/);
  });

  it('come from the parameters in older orders too', async () => {
    const user = await signedInUser();
    const { data } = await create(user, [scanOf([1011])]);
    await env.DB.prepare(`UPDATE orders SET entries = ? WHERE id = ?`)
      .bind(JSON.stringify([{ ...scanOf([1011]), fields: { Governors: 'forged' } }]), data.order_id)
      .run();
    const { data: again } = await user.call('GET', `/v1/order/${data.order_id}/entries`);
    expect(again.entries[0].fields).toEqual({ Kingdoms: '1011', Governors: '100', 'Full profile': 'Yes' });
  });
});

describe('kingdoms as a text', () => {
  it('work like a list: each is ordered, kept and monitored', async () => {
    const user = await signedInUser();
    const listed = scanOf([1011, 1012]);
    const texts = { ...listed, params: { ...listed.params, kingdoms: ' 1011,1012 ', governors: '100' } };
    const { status, data } = await create(user, [texts], {
      scheduleInfo: { ...hourly.scheduleInfo, start: new Date(Date.now() + 3_600_000).toISOString() },
    });
    expect(status).toBe(200);
    const { data: monitored } = await user.call('GET', '/v1/monitored/kingdoms/');
    expect(monitored.kingdoms.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id).sort()).toEqual([1011, 1012]);
    const { data: scheduled } = await user.call('GET', '/v1/orders/scheduled');
    expect(scheduled.scheduled[0]).toMatchObject({ schedule_id: data.schedule_id, total: 1 });
    expect(scheduled.scheduled[0].entries[0].params).toEqual(listed.params);
  });

  it('of an older schedule are all monitored', async () => {
    const user = await signedInUser();
    const start = new Date(Date.now() + 3_600_000).toISOString();
    const { data } = await create(user, [scanOf([1])], { scheduleInfo: { ...hourly.scheduleInfo, start } });
    for (const [param, type] of [
      ['kingdoms', PRODUCTS[0]?.id],
      ['servers', PRODUCTS[1]?.id],
    ]) {
      const entry = { type, params: { [`${param}`]: '1021, 1022' }, price: 1 };
      await env.DB.prepare(`UPDATE schedules SET entries = ? WHERE id = ?`)
        .bind(JSON.stringify([entry]), data.schedule_id)
        .run();
      const { data: monitored } = await user.call('GET', '/v1/monitored/kingdoms/');
      expect(monitored.kingdoms.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id).sort()).toEqual([
        1021, 1022,
      ]);
    }
  });
});
