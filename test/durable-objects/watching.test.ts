import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { type ProgressMessage, progressMessage } from '../../domain/orders/answers.ts';
import { packColumns } from '../../domain/scans/staged.ts';
import type { UserSockets } from '../../durable-objects/user-sockets.ts';
import { eventually } from '../support/eventually.ts';
import { columnsFor, type Person, scanOf, signedInUser } from '../worker/client.ts';
import { cell } from '../worker/people.ts';

/** Messages of an order's object to its watchers, and the rows that it accepts. */

const READ_AT = 1_700_000_000_000;

interface Part {
  id: number;
  number: number;
  item_id: string;
  kingdom_id: number;
}

/** An order of a kingdom with two subtasks and one with a single subtask, and its object. */
async function placed(...kingdoms: [large: number, small: number]) {
  const user = await signedInUser();
  const orders = [scanOf([kingdoms[0]], 200), scanOf([kingdoms[1]], 100)];
  const { data } = await user.call('POST', '/v1/order/create', { orders });
  const orderId = data.order_id as number;
  const { results } = await env.DB.prepare(
    `SELECT subtasks.id, number, item_id, subtasks.kingdom_id FROM subtasks JOIN items ON items.id = item_id
     WHERE items.order_id = ? ORDER BY items.position, number`,
  )
    .bind(orderId)
    .all<Part>();
  const [one, two, other] = results as [Part, Part, Part];
  return { user, orderId, object: env.ORDER_PROGRESS.getByName(String(orderId)), one, two, other };
}

const deliveryOf = (part: Part, more: object = {}) => ({
  subtask_id: part.id,
  bot: 'group/bot',
  lease: 'lease-1',
  item_id: part.item_id,
  version: 1,
  captured_at: READ_AT,
  source: 'made up',
  columns: packColumns(
    'rok',
    columnsFor({
      game: 'rok',
      kingdom_id: part.kingdom_id,
      from_rank: part.number * 100 + 1,
      to_rank: part.number * 100 + 100,
    }),
  ),
  ...more,
});

async function watch(user: Person, orderId: number) {
  const path = `/v1/orders/live?orders=${orderId}`;
  const socket = (await user.fetch(path, { headers: { upgrade: 'websocket' } })).webSocket as WebSocket;
  const said: string[] = [];
  const told: ProgressMessage[] = [];
  socket.accept();
  socket.addEventListener('message', ({ data }) => {
    said.push(data as string);
    if (data !== 'pong') told.push(progressMessage.strict().parse(JSON.parse(data as string)));
  });
  /** Waits for a message with these items in this order, and with the order finished or not. */
  const next = (items: object[], finished = false) =>
    eventually(() => {
      const message = told.find((each) => each.items.length === items.length && matches(each, items, finished));
      expect(message ?? told).toMatchObject({ order_id: orderId, items, finished });
      told.splice(0, told.indexOf(message as ProgressMessage) + 1);
    });
  await eventually(() => expect(told).not.toEqual([]));
  return { socket, said, told, next, first: told[0] as ProgressMessage };
}

/** How many sockets the service holds for a user. */
const openSockets = ({ id }: Person) =>
  runInDurableObject(env.USER_SOCKETS.getByName(id), (_, state) => state.getWebSockets().length);

const matches = (message: ProgressMessage, items: object[], finished: boolean): boolean =>
  message.finished === finished &&
  items.every((item, index) =>
    Object.entries(item).every(([key, value]) => Reflect.get(message.items[index] ?? {}, key) === value),
  );

describe('a watcher of an order', () => {
  it('receives each change of an item alone, and the end with the last one', async () => {
    const { user, orderId, object, one, two, other } = await placed(301, 302);
    const { next, told } = await watch(user, orderId);
    const [large, small] = [{ item_id: one.item_id }, { item_id: other.item_id }];
    const until = Date.now() + 600_000;
    await next([
      { ...large, state: 'open', subtask_count: 2, incomplete_count: 2, failed_count: 0, has_results: false },
      { ...small, state: 'open', subtask_count: 1, incomplete_count: 1, failed_count: 0, preparing_until: null },
    ]);
    await object.putOff(other.item_id, until);
    await next([{ ...small, state: 'open', preparing_until: until }]);
    await object.fail({ subtask_id: one.id, item_id: one.item_id, reason: 'no rows' });
    await next([{ ...large, state: 'open', incomplete_count: 1, failed_count: 1, preparing_until: null }]);
    await object.stage([deliveryOf(two)]);
    await next([{ ...large, state: 'done', incomplete_count: 0, failed_count: 1, has_results: true }]);
    await object.giveUp(one.item_id);
    await next([{ ...large, state: 'done', incomplete_count: 0, failed_count: 0, has_results: true }]);
    // A new watcher gets the open items first, and that the order goes on.
    expect((await watch(user, orderId)).first).toMatchObject({ items: [small, large], finished: false });
    await object.stage([deliveryOf(other)]);
    await next([{ ...small, state: 'done', incomplete_count: 0, failed_count: 0, has_results: true }], true);
    expect(told).toEqual([]);
    expect((await watch(user, orderId)).first).toMatchObject({
      items: [large, small],
      finished: true,
      bookmark: expect.stringMatching(/^[0-9a-f]{8}-/),
    });
  });

  it('receives cancellations, whose rows are no longer needed, while the rest continues', async () => {
    const { user, orderId, object, one, two, other } = await placed(303, 304);
    const { next } = await watch(user, orderId);
    await object.stage([deliveryOf(one)]);
    expect((await user.call('POST', `/v1/order/${one.item_id}/cancel`)).status).toBe(200);
    await next([{ item_id: one.item_id, state: 'cancelled', incomplete_count: 0, failed_count: 0 }]);
    expect(await object.stage([deliveryOf(two), deliveryOf(one)])).toEqual(['lost', 'lost']);
    await object.fail({ subtask_id: two.id, item_id: two.item_id, reason: 'too late' });
    await next([{ item_id: one.item_id, state: 'cancelled', failed_count: 0 }]);
    const held = await runInDurableObject(object, (_, { storage: { sql } }) =>
      sql.exec('SELECT count(columns) AS n FROM subtasks').one(),
    );
    expect(held).toEqual({ n: 0 });
    expect(await object.stage([deliveryOf(other)])).toEqual(['accepted']);
    await next([{ item_id: other.item_id, state: 'done' }], true);
  });

  it('receives an order again after its object dropped everything', async () => {
    const { user, orderId, object, one, two, other } = await placed(319, 320);
    const { next, socket } = await watch(user, orderId);
    await object.stage([one, two, other].map((part) => deliveryOf(part)));
    await runDurableObjectAlarm(object);
    // Either item may be the last.
    await next([{ state: 'done' }], true);
    await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE order_id = ?`).bind(orderId).run();
    await runDurableObjectAlarm(object);
    expect(await runInDurableObject(object, (_, { storage }) => storage.kv.get('watcher'))).toBe(user.id);
    await object.giveUp(one.item_id);
    await next([]);
    socket.close(1000);
    await eventually(async () => expect(await openSockets(user)).toBe(0));
    await runDurableObjectAlarm(object);
    expect(await runInDurableObject(object, (_, { storage }) => storage.kv.get('watcher'))).toBeUndefined();
  });

  it('receives pongs, and five hundred items at first', async () => {
    const user = await signedInUser(100_000);
    const kingdoms = Array.from({ length: 501 }, (_, index) => 40_000 + index);
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] });
    const { socket, first, said } = await watch(user, data.order_id);
    expect(first.items).toHaveLength(500);
    socket.send('ping');
    await eventually(() => expect(said.at(-1)).toBe('pong'));
  });

  it.each([
    [4001, 4001],
    [undefined, 1000],
  ])('that closes with %s is closed with %s', async (code, answered) => {
    const { user, orderId } = await placed(305, 306);
    const { socket } = await watch(user, orderId);
    const closed = new Promise<number>((settle) => socket.addEventListener('close', (event) => settle(event.code)));
    socket.close(code);
    expect(await closed).toBe(answered);
  });
});

describe('a watcher of several orders', () => {
  const isWatched = (object: ReturnType<typeof env.ORDER_PROGRESS.getByName>) =>
    runInDurableObject(object, (_, { storage }) => storage.kv.get('watcher') !== undefined);

  it('receives all of them over one socket, which answers pings and drops them when it closes', async () => {
    const [one, two] = [await placed(321, 322), await placed(323, 324)];
    const second = await one.user.call('POST', '/v1/order/create', { orders: [scanOf([325])] });
    const other = env.ORDER_PROGRESS.getByName(String(second.data.order_id));
    const path = `/v1/orders/live?orders=${one.orderId},${second.data.order_id}`;
    const refused = await two.user.fetch(path, { headers: { upgrade: 'websocket' } });
    expect([refused.status, refused.webSocket]).toEqual([404, null]);
    expect((await one.user.call('GET', path)).status).toBe(400);
    const socket = (await one.user.fetch(path, { headers: { upgrade: 'WebSocket' } })).webSocket as WebSocket;
    const said: string[] = [];
    socket.addEventListener('message', ({ data }) => void said.push(data as string));
    socket.accept();
    socket.send('ping');
    socket.send('anything');
    const orders = () =>
      said.filter((text) => text !== 'pong').map((text) => progressMessage.parse(JSON.parse(text)).order_id);
    await eventually(() => expect(new Set(orders())).toEqual(new Set([one.orderId, second.data.order_id])));
    await eventually(() => expect(said.filter((text) => text === 'pong')).toHaveLength(1));
    await one.object.putOff(one.one.item_id, Date.now() + 60_000);
    await eventually(() => expect(orders().filter((id) => id === one.orderId)).toHaveLength(2));
    const watched = () => Promise.all([one.object, other, two.object].map(isWatched));
    expect(await watched()).toEqual([true, true, false]);
    socket.close(1000);
    await eventually(async () => expect(await openSockets(one.user)).toBe(0));
    await one.object.putOff(one.one.item_id, Date.now() + 60_000);
    await eventually(async () => expect(await watched()).toEqual([false, true, false]));
  });
});

it('a vanished browser gets a valid close code, and any other gets its own back', async () => {
  const close = vi.fn();
  await runInDurableObject(env.USER_SOCKETS.getByName('nobody'), (instance: UserSockets) => {
    for (const code of [1001, 1005, 1006]) instance.webSocketClose({ close } as unknown as WebSocket, code);
  });
  expect(close.mock.calls).toEqual([[1001], [1000], [1000]]);
});

describe('handed-in rows', () => {
  it('are accepted once under a lease that was not given back', async () => {
    const { object, one, two, other } = await placed(307, 308);
    for (const lease of ['given-back', 'given-back', 'another']) await object.giveBack(one.id, lease);
    await object.giveBack(other.id, 'given-back');
    expect(
      await object.stage([
        deliveryOf(one, { lease: 'given-back' }),
        deliveryOf(one, { lease: 'another' }),
        deliveryOf(one),
        deliveryOf(one),
      ]),
    ).toEqual(['lost', 'lost', 'accepted', 'duplicate']);
    // The lease of one subtask means nothing to another.
    expect(await object.stage([deliveryOf(two, { lease: 'given-back' })])).toEqual(['accepted']);
    const stateOf = () => cell('SELECT state FROM items WHERE id = ?', one.item_id);
    await eventually(async () => expect(await stateOf()).toBe('done'));
    await runDurableObjectAlarm(object);
    expect(await object.stage([deliveryOf(one)])).toEqual(['duplicate']);
    // The end of an item forgets its own leases only.
    expect(await object.stage([deliveryOf(other, { lease: 'given-back' })])).toEqual(['lost']);
  });

  it('are dropped if their part failed or their item was repaired or is missing', async () => {
    const { object, one, two, other } = await placed(309, 310);
    // A repair reads all rows again: those of the old version come too late, even under a valid lease.
    await env.DB.prepare('UPDATE items SET version = 2 WHERE id = ?').bind(other.item_id).run();
    await object.fail({ subtask_id: one.id, item_id: one.item_id, reason: 'no rows' });
    const outcomes = await object.stage([
      deliveryOf(one),
      deliveryOf(two, { version: 2 }),
      deliveryOf(other, { item_id: 'none' }),
    ]);
    expect(outcomes).toEqual(['lost', 'lost', 'lost']);
    const versions = [deliveryOf(other, { version: 1 }), deliveryOf(other, { version: 2 })];
    expect(await object.stage(versions)).toEqual(['lost', 'accepted']);
  });

  it('make a scan with the latest time and all sources of its item', async () => {
    const { object, one, two, other } = await placed(311, 312);
    await object.stage([
      deliveryOf(one, { captured_at: READ_AT + 2000, source: 'b' }),
      deliveryOf(two, { captured_at: READ_AT + 1000, source: 'a' }),
      deliveryOf(other, { captured_at: READ_AT + 9000, source: 'c' }),
    ]);
    const scanOfItem = (part: Part) =>
      env.DB.prepare('SELECT captured_at, source, rows FROM snapshots WHERE item_id = ?').bind(part.item_id).first();
    await eventually(async () =>
      expect([await scanOfItem(one), await scanOfItem(other)]).toEqual([
        { captured_at: READ_AT + 2000, source: 'b, a', rows: 200 },
        { captured_at: READ_AT + 9000, source: 'c', rows: 100 },
      ]),
    );
  });

  it('do not wait for an item with a long backoff', async () => {
    const { object, one, two, other } = await placed(313, 314);
    await object.stage([deliveryOf(one)]);
    const late = Date.now() + 3_600_000;
    await runInDurableObject(object, async (_, { storage }) => {
      storage.sql.exec(
        `UPDATE items SET state = 'finishing', tries = 3, try_at = ? WHERE item_id = ?`,
        late,
        one.item_id,
      );
      await storage.setAlarm(late);
    });
    await object.stage([deliveryOf(other)]);
    const stateOf = (part: Part) => cell<string>('SELECT state FROM items WHERE id = ?', part.item_id);
    await eventually(async () => expect(await stateOf(other)).toBe('done'));
    expect(await stateOf(two)).toBe('open');
    const alarm = () => runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    await eventually(async () => expect(await alarm()).toBe(late));
    await runDurableObjectAlarm(object);
    expect(await stateOf(one)).toBe('open');
    expect(await alarm()).toBe(late);
  });
});
