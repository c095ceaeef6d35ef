import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../../../domain/scans/rows.ts';
import { tableOf } from '../../../domain/scans/rows.ts';
import { forgetHead } from '../../../worker/services/events/find-event.ts';
import { gatherEvents } from '../../../worker/services/events/gather.ts';
import { publishSnapshot } from '../../../worker/services/scans/publish-snapshot.ts';
import { type Answer, caller, db, type Person } from '../client.ts';
import { governor } from '../scans.ts';
import { HOUR, madeEvent } from './war.ts';

/** Gatherings as the cron runs them; the rows of bots are stored directly. */

const visitor = caller();
let admin: Person;
let id: number;

interface Item {
  id: string;
  kingdom_id: number;
  price_cents: number;
  state: string;
}

const itemsOf = async (due: number): Promise<Item[]> =>
  (
    await db.$client
      .prepare(
        `SELECT items.id, items.kingdom_id, items.price_cents, items.state FROM items
         JOIN event_refreshes ON event_refreshes.order_id = items.order_id
         WHERE event_id = ? AND due_at = ? ORDER BY items.kingdom_id`,
      )
      .bind(id, due)
      .all<Item>()
  ).results;

const finish = (item: Item, captured_at: number, rows: Row[]) =>
  publishSnapshot(
    db,
    env.STORE,
    tableOf(
      'rok',
      rows.map((row) => ({ home_kingdom: item.kingdom_id, ...row })),
    ),
    {
      kingdom_id: item.kingdom_id,
      captured_at,
      source: 'bots',
      id: item.id,
      item_id: item.id,
      version: 1,
    },
  );

const gather = (now: number) => gatherEvents(env, db, now);
const meta = async (): Promise<Answer['data']> => (await visitor.call('GET', `/v1/dashboards/${id}/`)).data;

/** The gatherings as admins see them. */
const refreshes = async () => (await admin.call('GET', `/v1/admin/events/${id}`)).data.refreshes;

let due: number;

beforeAll(async () => {
  ({ admin, id } = await madeEvent({
    gather: true,
    camps: [
      { name: 'Fire', kingdoms: ['721'] },
      { name: 'Water', kingdoms: ['722', '723'] },
    ],
  }));
  due = (await meta()).next_refresh;
});

test('a due event orders the scans of its kingdoms once, for free', async () => {
  await gather(due - 1);
  expect(await itemsOf(due)).toEqual([]);
  await gather(due);
  await gather(due + 1);
  const items = await itemsOf(due);
  expect(items.map(({ kingdom_id, price_cents, state }) => [kingdom_id, price_cents, state])).toEqual([
    [721, 0, 'open'],
    [722, 0, 'open'],
    [723, 0, 'open'],
  ]);
  const ledger = await db.$client
    .prepare(`SELECT count(*) AS n FROM ledger_entries WHERE user_id = 'service:events'`)
    .first();
  expect(ledger).toEqual({ n: 0 });
  expect(await refreshes()).toMatchObject([{ due_at: due, state: 'running', kingdoms: 3, in: 0 }]);
  // The next one is an hour after this one was due, but open pages wait for this one.
  expect((await admin.call('GET', `/v1/admin/events/${id}`)).data.next_refresh).toBe(due + HOUR);
  forgetHead(id);
  expect((await meta()).next_refresh).toBe(due);
});

test('nobody can sign in to the account of these orders', async () => {
  for (const username of ['events', 'service:events', 'muster'])
    expect(await visitor.call('POST', '/v1/login', { username, password: '' })).toMatchObject({ success: 0 });
});

test('one snapshot is made when all scans are in', async () => {
  const [first, second, third] = (await itemsOf(due)) as [Item, Item, Item];
  const at = Date.now() - 60_000;
  await finish(first, at, [governor(1, 900)]);
  await finish(second, at + 1, [governor(2, 900)]);
  await gather(due + 60_000);
  expect((await meta()).snapshots).toEqual([]);
  await finish(third, at + 2, [governor(3, 900)]);
  await gather(due + 120_000);
  await gather(due + 121_000);
  expect((await meta()).snapshots).toEqual([
    { ts: at + 2, state: 'live', rows: 3, missing: [], by_file_time: [], source: 'bots' },
  ]);
  expect((await meta()).next_refresh).toBe(due + HOUR);
  expect(await refreshes()).toMatchObject([{ state: 'done', in: 3, msg: '' }]);
});

test('late kingdoms are named, cancelled and replaced by their last scan, with its date', async () => {
  const next = due + HOUR;
  await gather(next);
  const [first] = (await itemsOf(next)) as [Item];
  const at = Date.now();
  await finish(first, at, [governor(1, 950)]);
  const before = (await meta()).snapshots[0];
  const { deadline } = (await refreshes())[0];
  await gather(deadline - 1);
  expect((await meta()).snapshots).toHaveLength(1);
  await gather(deadline);
  const { snapshots } = await meta();
  expect(snapshots[1]).toEqual({
    ts: at,
    state: 'live',
    rows: 3,
    missing: [
      { kingdom: 722, captured_at: before.ts - 1 },
      { kingdom: 723, captured_at: before.ts },
    ],
    by_file_time: [],
    source: 'bots',
  });
  expect((await refreshes())[0]).toMatchObject({ state: 'done', msg: 'Not scanned: kingdoms 722, 723.' });
  expect((await itemsOf(next)).map(({ state }) => state)).toEqual(['done', 'cancelled', 'cancelled']);
  const { data } = await visitor.call('GET', `/v1/dashboards/${id}/page`);
  expect(data.board.missing).toHaveLength(2);
});

test('without any new scan the last good data stays, and the reason is shown', async () => {
  const next = due + 2 * HOUR;
  await gather(next);
  const good = await visitor.call('GET', `/v1/dashboards/${id}/data`);
  await gather((await refreshes())[0].deadline);
  const after = await meta();
  expect(after.snapshots).toHaveLength(2);
  expect(after.failed).toMatchObject({ msg: 'None of its kingdoms could be scanned.' });
  expect((await visitor.call('GET', `/v1/dashboards/${id}/data`)).data).toEqual(good.data);
});

test('an admin can gather at once, but not twice', async () => {
  expect(await admin.call('POST', `/v1/admin/events/${id}/refresh`)).toMatchObject({ status: 200 });
  expect(await admin.call('POST', `/v1/admin/events/${id}/refresh`)).toMatchObject({
    status: 409,
    msg: 'A gathering of this event is under way already.',
  });
});

test('a gathering ends after its cancellations and the refresh of its event', async () => {
  const [running] = (await refreshes()) as [{ deadline: number }];
  const told: string[] = [];
  type Objects = { getByName(id: string): Record<string, (...given: unknown[]) => Promise<unknown>> };
  /** The same objects, but slower. */
  const slow = (method: string, objects: Objects): Objects => ({
    getByName: (name) => ({
      [method]: async (...given) => {
        await objects.getByName(name)[method]?.(...given);
        await scheduler.wait(method === 'cancel' ? 60 : 20);
        told.push(method);
      },
    }),
  });
  const bindings = {
    ...env,
    DASHBOARD_CACHE: slow('forget', env.DASHBOARD_CACHE as unknown as Objects),
    ORDER_PROGRESS: slow('cancel', env.ORDER_PROGRESS as unknown as Objects),
  };
  await gatherEvents(bindings as unknown as typeof env, db, running.deadline);
  expect(told).toEqual(['cancel', 'forget']);
});

test('a closed event is not gathered', async () => {
  await admin.call('POST', `/v1/admin/events/${id}/close`);
  const closed = (await admin.call('GET', `/v1/admin/events/${id}`)).data;
  expect(closed).toMatchObject({ state: 'ended', next_refresh: null });
  // Scans that are under way when the event closes are still shown.
  const running = closed.refreshes.find(({ state }: { state: string }) => state === 'running');
  expect(await meta()).toMatchObject({ state: 'running', next_refresh: running.due_at });
  expect(await admin.call('POST', `/v1/admin/events/${id}/refresh`)).toMatchObject({ status: 409 });
});
