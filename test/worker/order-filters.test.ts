import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { fireCron, scanOf, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** The list of orders, filtered by the server. */

type User = Awaited<ReturnType<typeof signedInUser>>;

const place = async (user: User, kingdoms: number[]): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] })).data.order_id;

const listed = async (user: User, query: string): Promise<number[]> => {
  const { status, data, msg } = await user.call('GET', `/v1/orders/?${query}`);
  if (status !== 200) throw new Error(msg);
  return data.orders.map(({ order_id }: { order_id: number }) => order_id);
};

const moved = (id: number, day: string) =>
  env.DB.prepare(`UPDATE orders SET placed_at = ? WHERE id = ?`).bind(Date.parse(day), id).run();

it('filters by kingdom, game, state, day and text, and lists only the user’s orders', async () => {
  const [user, other] = [await signedInUser(), await signedInUser()];
  const first = await place(user, [7001, 7002]);
  const second = await place(user, [7002]);
  const third = await place(user, [7003]);
  await place(other, [7002]);
  await moved(first, '2026-03-01T23:59:59.999Z');
  await moved(second, '2026-03-02T00:00:00Z');
  await moved(third, '2026-03-03T00:00:00Z');
  await env.DB.prepare(`UPDATE items SET state = 'failed' WHERE order_id = ?`).bind(third).run();

  expect(await listed(user, '')).toEqual([third, second, first]);
  expect(await listed(user, 'kingdom=7002')).toEqual([second, first]);
  expect(await listed(user, 'game=rok&kingdom=7003')).toEqual([third]);
  expect(await listed(user, 'game=cod')).toEqual([]);
  expect(await listed(user, 'state=failed')).toEqual([third]);
  expect(await listed(user, 'state=moving')).toEqual([second, first]);
  // Kingdom and state have to match the same item.
  await env.DB.prepare(`UPDATE items SET state = 'cancelled' WHERE order_id = ? AND kingdom_id = 7001`)
    .bind(first)
    .run();
  expect(await listed(user, 'state=cancelled&kingdom=7001')).toEqual([first]);
  expect(await listed(user, 'state=cancelled&kingdom=7002')).toEqual([]);
  expect(await listed(user, 'from=2026-03-02')).toEqual([third, second]);
  expect(await listed(user, 'to=2026-03-01')).toEqual([first]);
  expect(await listed(user, 'from=2026-03-02&to=2026-03-02')).toEqual([second]);
  expect(await listed(user, `search=%23${second}`)).toEqual([second]);
  expect(await listed(user, 'search=7003')).toEqual([third]);
  expect(await listed(user, 'search=kingdom%20SCAN')).toEqual([third, second, first]);
  expect(await listed(user, 'search=100%25')).toEqual([]);
});

it('pages through the matching orders', async () => {
  const user = await signedInUser(100_000);
  const ids: number[] = [];
  for (let number = 0; number < 22; number++) ids.unshift(await place(user, [number % 11 === 0 ? 7100 : 7101]));
  const first = (await user.call('GET', '/v1/orders/?kingdom=7101')).data;
  expect(first.orders).toHaveLength(20);
  expect(first.next).toBeNull();
  const all = (await user.call('GET', '/v1/orders/')).data;
  expect(all.orders.map(({ order_id }: { order_id: number }) => order_id)).toEqual(ids.slice(0, 20));
  expect(await listed(user, `before=${all.next}`)).toEqual(ids.slice(20));
});

it('searches a thousand orders per page, and returns where to continue', async () => {
  const user = await signedInUser();
  const wanted = await place(user, [7200]);
  await env.DB.prepare(
    `INSERT INTO orders (uuid, user_id, placed_at, total_cents, request_hash, entries)
     WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 1000)
     SELECT 'u' || ?2 || value, ?1, 1, 0, '', '[]' FROM n`,
  )
    .bind(user.id, crypto.randomUUID())
    .run();
  const page = (await user.call('GET', '/v1/orders/?kingdom=7200')).data;
  expect(page.orders).toEqual([]);
  // The oldest order that was searched; the wanted one comes next.
  expect(page.next).toBe(await cell('SELECT min(id) FROM orders WHERE user_id = ? AND id > ?', user.id, wanted));
  expect(await listed(user, `kingdom=7200&before=${page.next}`)).toEqual([wanted]);
});

it('shows the schedule of each run, and lists the runs of one schedule', async () => {
  const user = await signedInUser();
  const single = await place(user, [7300]);
  const start = Date.now() + 3_600_000;
  const { data } = await user.call('POST', '/v1/order/create', {
    orders: [scanOf([7300])],
    scheduleInfo: { period: 'minute', interval: 1, start: new Date(start).toISOString() },
  });
  for (const minute of [0, 1]) await fireCron('* * * * *', start + minute * 60_000);
  const { orders } = (await user.call('GET', '/v1/orders/')).data;
  const schedules = orders.map(({ schedule_id }: { schedule_id: number | null }) => schedule_id);
  expect(schedules).toEqual([data.schedule_id, data.schedule_id, null]);
  expect(await listed(user, `schedule=${data.schedule_id}`)).toHaveLength(2);
  expect(await listed(user, `schedule=${data.schedule_id}&before=${single}`)).toEqual([]);
  const stranger = await signedInUser();
  expect(await listed(stranger, `schedule=${data.schedule_id}`)).toEqual([]);
});

it.each([
  ['kingdom=0', 'kingdom: must be 1 or more.'],
  ['game=chess', 'game: must be one of rok, cod.'],
  ['state=x', 'state: must be one of moving, results, failed, cancelled.'],
  ['from=yesterday', 'from: must be a day, such as 2026-11-21.'],
])('%s is refused: %s', async (query, sentence) => {
  const user = await signedInUser();
  expect(await user.call('GET', `/v1/orders/?${query}`)).toMatchObject({ status: 400, msg: sentence });
});
