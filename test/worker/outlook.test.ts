import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { outlookAnswer } from '../../domain/orders/outlook-contract.ts';
import { outlooksOf } from '../../worker/models/kingdoms/outlook.ts';
import { bot, type Caller, caller, db, lease, scanOf, settled, signedInUser, work } from './client.ts';
import { governor, publishRows } from './scans.ts';

const outlooks = async (user: Caller, kingdoms: string, product = 'rok-kingdom-scan') => {
  const { data, status, msg } = await user.call('GET', `/v1/products/${product}/kingdoms?kingdoms=${kingdoms}`);
  return { status, msg, data: status === 200 ? outlookAnswer.parse(data) : null };
};

it('tells apart known kingdoms, new ones, and ones where bots found nothing lately', async () => {
  const user = await signedInUser();
  const worker = await bot();
  const at = Date.now() - DAY_MS;
  await publishRows('rok', 3001, at, [governor(1, 100)]);
  await publishRows('cod', 3002, at, [{ lord_id: 1, name: 'One', power: 5 }]);
  await user.call('POST', '/v1/order/create', { orders: [scanOf([3003])] });
  for (const each of [worker, await bot('bot-2')]) await work(each, 0);
  await settled(user);
  const { data } = await outlooks(user, '3003,3002,3001');
  expect(data).toEqual([
    { kingdom_id: 3003, outlook: 'missing', scanned_at: null, missed_at: expect.any(Number), stored: null },
    { kingdom_id: 3002, outlook: 'new', scanned_at: null, missed_at: null, stored: null },
    { kingdom_id: 3001, outlook: 'known', scanned_at: at, missed_at: null, stored: null },
  ]);

  expect((await outlooks(user, '3003', 'cod-server-scan')).data?.[0]?.outlook).toBe('new');

  // As the release before wrote it.
  const before = 'Bots found no governor in kingdom 3003, so the price is back in the balance that paid it.';
  await env.DB.prepare('UPDATE items SET error = ? WHERE kingdom_id = 3003').bind(before).run();
  expect((await outlooks(user, '3003')).data?.[0]?.outlook).toBe('missing');

  // A week later the failure no longer counts, nor does it after a newer scan that worked.
  expect((await outlooksOf(db, 'rok', [3003], Date.now() + 7 * DAY_MS))[0]?.outlook).toBe('new');
  await user.call('POST', '/v1/order/create', { orders: [scanOf([3003])] });
  await work(worker);
  await settled(user);
  expect((await outlooks(user, '3003')).data?.[0]?.outlook).toBe('known');
});

it('ignores failures that tell nothing about a kingdom', async () => {
  const user = await signedInUser();
  const worker = await bot();
  const at = Date.now() - DAY_MS;
  await publishRows('rok', 3006, at, [governor(1, 100)]);
  await user.call('POST', '/v1/order/create', { orders: [scanOf([3005, 3006])] });
  for (const { subtask_id, lease: held } of await lease(worker, 2)) {
    const claim = { bot_id: worker.name, subtask_id, lease: held, reason: 'Not among the scans of this bot.' };
    await worker.call('POST', '/v1/fleet/fail', { ...claim, permanent: true });
  }
  expect((await settled(user)).items.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed']);
  expect((await outlooks(user, '3005,3006')).data).toMatchObject([
    { outlook: 'new', missed_at: null },
    { outlook: 'known', scanned_at: at, missed_at: null },
  ]);
});

it('ignores orders that their customers cancelled', async () => {
  const user = await signedInUser();
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([3004])] });
  await user.call('POST', `/v1/order/${data.order_id}/cancel`);
  expect((await outlooks(user, '3004')).data?.[0]?.outlook).toBe('new');
});

it('a history states its stored governors and days, and contains exactly those', async () => {
  const user = await signedInUser();
  const now = Date.now();
  const rows = Array.from({ length: 130 }, (_, index) => governor(50_000 + index, 1e6 - index));
  for (const ago of [100, 89, 20, 3]) await publishRows('rok', 3010, now - ago * DAY_MS, rows);
  // Three of the five were last seen before the ninety days.
  const five = rows.slice(0, 5).map((row, index) => ({ ...row, governor_id: 60_000 + index }));
  await publishRows('rok', 3012, now - 95 * DAY_MS, five);
  await publishRows('rok', 3012, now - 80 * DAY_MS, five.slice(0, 2));
  expect((await outlooks(user, '3012', 'rok-history')).data?.[0]?.stored).toEqual({ governors: 2, days: 1 });
  const { data } = await outlooks(user, '3010,3011', 'rok-history');
  expect(data?.map(({ stored }) => stored)).toEqual([
    { governors: 130, days: 3 },
    { governors: 0, days: 0 },
  ]);
  const { READY_PRODUCTS } = env;
  (env as { READY_PRODUCTS: string }).READY_PRODUCTS = 'rok-history';
  const params = { kingdoms: ['3010'], governors: 300 };
  await user.call('POST', '/v1/order/create', { orders: [{ type: 'rok-history', params, price: 6 }] });
  (env as { READY_PRODUCTS: string }).READY_PRODUCTS = READY_PRODUCTS;
  await settled(user);
  const [item] = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
  expect(item).toMatchObject({ price: 6, returned: 2 });
  expect((await user.call('GET', `/v1/order/item/${item.item_id}/`)).data.rows).toBe(130 * 3);
});

it('refuses strangers, unknown products, invalid numbers and too many kingdoms', async () => {
  const user = await signedInUser(0);
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');
  expect((await outlooks(caller(), '1')).status).toBe(401);
  expect((await outlooks(user, '1', 'gold')).status).toBe(404);
  for (const odd of ['', '0', '100000', '1,,2', '1,x']) expect((await outlooks(user, odd)).status).toBe(400);
  expect((await outlooks(user, many(500))).data).toHaveLength(500);
  expect(await outlooks(user, many(501))).toMatchObject({
    status: 400,
    msg: 'kingdoms: must have 500 entries at most.',
  });
  expect((await outlooks(user, many(25), 'rok-history')).data).toHaveLength(25);
  expect(await outlooks(user, many(26), 'rok-history')).toMatchObject({
    status: 400,
    msg: 'kingdoms: must be 25 at most for this product.',
  });
});
