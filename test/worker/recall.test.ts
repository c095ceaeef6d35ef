import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { DAY_MS, dayOf, dayStart } from '../../domain/days.ts';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import { wholeTable } from '../../worker/files/parquet.ts';
import { openStored } from '../../worker/gateways/snapshot-store.ts';
import { recallItem, soldBy } from '../../worker/models/service/recall.ts';
import { packHistories } from '../../worker/services/histories/pack-histories.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { recallSold } from '../../worker/services/service/recall-sold.ts';
import {
  balanceOf,
  bot,
  type Caller,
  db,
  fireCron,
  newestOrder,
  scanOf,
  settled,
  signedInUser,
  work,
} from './client.ts';
import { daysOfKingdom, governor, publishRows } from './scans.ts';

/** Finds and takes back items that were sold from a bot's wrong rows (npm run admin -- recall). */

const place = async (user: Caller, kingdom: number): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], 200)] })).data.order_id;
const count = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first('n');

async function sold(kingdoms: number[]) {
  const user = await signedInUser(1000);
  const orders: number[] = [];
  const worker = await bot('wrong');
  for (const kingdom of kingdoms) {
    orders.push(await place(user, kingdom));
    await work(worker);
    await settled(user);
  }
  const name = (await env.DB.prepare(`SELECT bot_id FROM subtasks WHERE order_id = ?`)
    .bind(orders[0])
    .first('bot_id')) as string;
  return { user, orders, name };
}

it('finds items that a bot or its group sold, from a time on', async () => {
  const before = Date.now();
  const { user, orders, name } = await sold([74_001, 74_002]);
  const [group = ''] = name.split('/');
  for (const each of [name, group])
    expect(await soldBy(db, each, before)).toMatchObject(
      orders.map((order_id) => ({ order_id, username: user.username, parts: 2 })),
    );
  expect(await soldBy(db, name, Date.now() + 1000)).toEqual([]);
  expect(await soldBy(db, group.slice(0, -1), before)).toEqual([]);
  expect(await soldBy(db, `${name}x`, before)).toEqual([]);
});

it('takes an item back with its figures, has another bot read it, and mails its owner', async () => {
  const { user, name } = await sold([74_010]);
  await digestKingdoms(db, env.STORE);
  const own = '(SELECT CAST(governor_id AS TEXT) FROM governors WHERE kingdom_id = 74010)';
  const { results: refs } = await env.DB.prepare(
    `SELECT ref FROM search_entries WHERE ref IN ${own} OR ref LIKE '74010:%'`,
  ).all();
  expect(refs.length).toBeGreaterThan(200);
  const items = await soldBy(db, name, 0);
  const { id, key } = (await env.DB.prepare(`SELECT id, key FROM snapshots WHERE kingdom_id = 74010`).first()) as {
    id: number;
    key: string;
  };
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO events (id, game, kvk_id, name, start_at, end_at, plan, created_at, updated_at)
       VALUES (7401, 'rok', 'recalled', '', 0, 0, '{}', 0, 0)`,
    ),
    env.DB.prepare(`INSERT INTO event_snapshots (id, event_id, ts, source, created_at) VALUES (7401, 7401, 0, '', 0)`),
    env.DB.prepare(`INSERT INTO event_part_versions VALUES (7401, 74010, ?, 0)`).bind(id),
  ]);
  expect(await recallSold(db, env.STORE, { name: 'op' }, { bot: name, items })).toEqual({ recalled: 1, resumed: 0 });
  expect(await recallSold(db, env.STORE, { name: 'op' }, { bot: name, items })).toEqual({ recalled: 0, resumed: 0 });
  for (const table of ['snapshots', 'governors', 'kingdoms', 'kingdom_days', 'event_part_versions'])
    expect([table, await count(`${table} WHERE kingdom_id = 74010`)]).toEqual([table, 0]);
  const searched = refs.map(({ ref }) => `'${ref}'`).join();
  expect(await count(`search_entries WHERE ref IN (${searched})`)).toBe(0);
  expect(await daysOfKingdom('rok', 74_010)).toEqual([]);
  expect(await env.STORE.head(key)).toBeNull();
  expect((await newestOrder(user)).items[0]).toMatchObject({ state: 'open', has_results: false, incomplete_count: 2 });
  const told = await env.DB.prepare(`SELECT text FROM outbox WHERE recipient = ? AND reference LIKE 'recalled:%'`)
    .bind(user.email)
    .all<{ text: string }>();
  expect(told.results.map(({ text }) => text)).toEqual([expect.stringContaining('turned out to be wrong')]);
  expect(await count(`audit_entries WHERE action = 'item.recalled' AND subject = '${items[0]?.item_id}'`)).toBe(1);
  expect(await work(await bot('right'))).toBe(2);
  await settled(user);
  expect((await newestOrder(user)).items[0]).toMatchObject({ state: 'done', has_results: true, returned: 0 });
  expect(await count(`governors WHERE kingdom_id = 74010`)).toBe(200);
  expect(await balanceOf(user)).toBe(9);
});

it('leaves a kingdom as other scans show it: its newest time, its day, and who is in the directory', async () => {
  const { user, name } = await sold([74_050]);
  const { key } = (await env.DB.prepare(`SELECT key FROM snapshots WHERE kingdom_id = 74050`).first()) as {
    key: string;
  };
  const table = await wholeTable(await openStored(env.STORE, key));
  const ids = Array.from(table.numbers.governor_id ?? []);
  const rows = ids.map((id, index) => governor(id, Number(table.numbers.power?.[index]), { alliance_tag: 'A' }));
  // The recalled scan is the first to have shown them, and it moved ten of them.
  const [morning, before] = [dayStart(dayOf(Date.now())), dayStart(dayOf(Date.now())) - DAY_MS];
  await publishRows('rok', 74_050, morning, rows.slice(0, 120));
  await publishRows('rok', 74_051, before, [governor(74_051_000, 9e7), ...rows.slice(190)]);
  await recallSold(db, env.STORE, { name: 'op' }, { bot: name, items: await soldBy(db, name, 0) });
  const { data } = await user.call('GET', '/v1/kingdoms/74050/');
  expect(data).toMatchObject({
    captured_at: morning,
    last_scan: { captured_at: morning, player_count: 120 },
    totals: { player_count: 120 },
    chart: [{ day: dayOf(morning), player_count: 120 }],
  });
  expect(await count(`governors WHERE kingdom_id = 74050`)).toBe(120);
  expect(await count(`governors WHERE kingdom_id = 74051`)).toBe(11);
  while ((await packHistories(db, env.STORE, Date.now(), Number.POSITIVE_INFINITY)) > 0);
  for (const [id, kingdom] of [
    [ids[0], 74_050],
    [ids[199], 74_051],
  ]) {
    const { free, days } = (await user.call('GET', `/v1/governors/${id}/`)).data;
    expect([free.home_kingdom, days.map((day: { kingdom_id: number }) => day.kingdom_id)]).toEqual([
      kingdom,
      [kingdom],
    ]);
  }
  expect((await user.call('GET', `/v1/governors/${ids[150]}/`)).status).toBe(404);
  await work(await bot('right'));
  await settled(user);
});

it('ends a recall that was cut short before the history was packed or the object was deleted', async () => {
  const { user, name } = await sold([74_040, 74_041]);
  const items = await soldBy(db, name, 0);
  const keys = await env.DB.prepare(`SELECT key FROM snapshots WHERE kingdom_id IN (74040, 74041)`).raw<[string]>();
  const remaining = async () =>
    (await Promise.all(keys.map(([key]) => env.STORE.head(key)))).filter((one) => one).length;
  const recall = (store: R2Bucket) => recallSold(db, store, { name: 'op' }, { bot: name, items });
  // The process ends as it reads the first history, then as it deletes the first object.
  for (const method of ['get', 'delete'] as const) {
    const cut = vi.spyOn(env.STORE, method).mockRejectedValueOnce(new Error('the process was killed'));
    await expect(recall(env.STORE)).rejects.toThrow('the process was killed');
    cut.mockRestore();
    expect(await remaining()).toBe(2);
  }
  const deleted = vi.spyOn(env.STORE, 'delete');
  expect(await recall(env.STORE)).toEqual({ recalled: 0, resumed: 2 });
  expect(deleted.mock.calls.filter(([named]) => keys.some(([key]) => named.includes(key)))).toHaveLength(1);
  deleted.mockRestore();
  expect(await remaining()).toBe(0);
  for (const kingdom of [74_040, 74_041]) expect(await daysOfKingdom('rok', kingdom)).toEqual([]);
  expect(await recall(env.STORE)).toEqual({ recalled: 0, resumed: 0 });
  expect(await work(await bot('right'))).toBe(4);
  await settled(user);
});

it('spares the snapshot that got a recalled one’s id, if two operators recall an item at once', async () => {
  const { name } = await sold([74_030]);
  const [{ item_id } = { item_id: '' }] = await soldBy(db, name, 0);
  const idOf = (kingdom: number) =>
    env.DB.prepare(`SELECT id FROM snapshots WHERE kingdom_id = ?`).bind(kingdom).first('id');
  const recalled = await idOf(74_030);
  const batch = async (statements: D1PreparedStatement[]) => {
    expect(await recallItem(db, { name: 'one' }, { item_id, bot: name })).toHaveLength(1);
    await publishRows('rok', 74_031, Date.now(), [governor(740_310, 5000)]);
    expect(await idOf(74_031)).toBe(recalled);
    return env.DB.batch(statements);
  };
  const late = Object.assign(Object.create(db), { $client: { prepare: env.DB.prepare.bind(env.DB), batch } });
  expect(await recallItem(late, { name: 'other' }, { item_id, bot: name })).toBeNull();
  for (const table of ['snapshots', 'kingdom_days'])
    expect([table, await count(`${table} WHERE kingdom_id = 74031`)]).toEqual([table, 1]);
});

it('refunds a recalled item that nobody reads within a day', async () => {
  const { user, name } = await sold([74_020]);
  await recallSold(db, env.STORE, { name: 'op' }, { bot: name, items: await soldBy(db, name, 0) });
  await fireCron('* * * * *', Date.now() + RETURN_AFTER_MS);
  expect((await newestOrder(user)).items[0]).toMatchObject({ state: 'cancelled', returned: 1 });
  expect(await balanceOf(user)).toBe(10);
});
