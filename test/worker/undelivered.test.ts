import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import type { OrderProgress } from '../../durable-objects/order-progress.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { runCron } from '../../worker/cron.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import {
  balanceOf,
  bot,
  type Caller,
  columnsFor,
  fireCron,
  newestOrder,
  type Person,
  scanOf,
  settled,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { booksOfUser } from './payments-client.ts';

/** Every paid item ends: delivered, or refunded within a day, whatever state it is stuck in. */

const EVERY_MINUTE = '* * * * *';
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`).run();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const place = async (user: Caller, kingdom: number, governors = 200): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] })).data.order_id;
const keyOf = async (kingdom: number): Promise<string> =>
  (await env.DB.prepare('SELECT key FROM snapshots WHERE kingdom_id = ? ORDER BY id DESC')
    .bind(kingdom)
    .first('key')) ?? '';
const mailsOf = async (email: string) =>
  (
    await env.DB.prepare(
      `SELECT subject, text FROM outbox WHERE recipient = ? AND reference LIKE 'undelivered:%' ORDER BY id`,
    )
      .bind(email)
      .all<{ subject: string; text: string }>()
  ).results;

describe('a missing object of an earlier scan', () => {
  it('delays no later order of its kingdom', async () => {
    const user = await signedInUser();
    for (const gone of [false, true]) {
      await place(user, 71_001);
      await work(await bot());
      expect((await settled(user)).items[0]).toMatchObject({ state: 'done', error: null });
      if (!gone) await env.STORE.delete(await keyOf(71_001));
    }
  });

  it('delays none if it is unreadable instead', async () => {
    const user = await signedInUser();
    await place(user, 71_002);
    await work(await bot());
    await settled(user);
    await env.STORE.put(await keyOf(71_002), 'cut off');
    await place(user, 71_002);
    await work(await bot());
    expect((await settled(user)).items[0].state).toBe('done');
  });

  it('is read again by a repair of its order', async () => {
    const user = await signedInUser();
    await place(user, 71_003);
    await work(await bot());
    const [{ item_id }] = (await settled(user)).items;
    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data.requeued).toBe(0);
    await env.STORE.delete(await keyOf(71_003));
    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data.requeued).toBe(2);
    expect(await work(await bot())).toBe(2);
    expect((await settled(user)).items[0]).toMatchObject({ state: 'done', returned: 0 });
    expect((await user.call('GET', `/v1/order/${item_id}/download?type=json`)).data.rows).toHaveLength(200);
  });
});

describe('an item that is not done after a day', () => {
  it('is refunded, and its owner and the admins are mailed once', async () => {
    const [user, admin] = [await signedInUser(1000), await signedInAdmin()];
    const orders = [await place(user, 71_010), await place(user, 71_011)];
    const now = Date.now();
    await fireCron(EVERY_MINUTE, now + RETURN_AFTER_MS - 60_000);
    expect(await balanceOf(user)).toBe(8);
    await fireCron(EVERY_MINUTE, now + RETURN_AFTER_MS);
    await fireCron(EVERY_MINUTE, now + RETURN_AFTER_MS + 60_000);
    expect(await balanceOf(user)).toBe(10);
    expect((await newestOrder(user)).items[0]).toMatchObject({
      state: 'cancelled',
      returned: 1,
      error: 'It was not delivered within 24 hours, so the price is back in the balance that paid it.',
    });
    const told = await mailsOf(user.email);
    expect(told.map(({ subject }) => subject)).toEqual(orders.map((id) => `Order #${id} was not fully delivered`));
    expect(told[0]?.text).toContain('back in the balance that paid it');
    const [mail, ...more] = await mailsOf(admin.email);
    expect(more).toEqual([]);
    for (const [index, id] of orders.entries())
      expect(mail?.text).toContain(`rok ${71_010 + index}, order #${id}, item `);
    expect(await work(await bot())).toBe(0);
  });

  it('under repair keeps its results, and is refunded for what it lacks', async () => {
    const user = await signedInUser(1000);
    const orderId = await place(user, 71_020);
    const worker = await bot();
    const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 2 });
    const [one, two] = data.tasks as [Task, Task];
    await worker.call('POST', '/v1/fleet/fail', {
      ...{ bot_id: worker.name, subtask_id: two.subtask_id, lease: two.lease },
      ...{ reason: 'The game was down.', permanent: true },
    });
    const columns = columnsFor(one);
    const result = {
      subtask_id: one.subtask_id,
      lease: one.lease,
      captured_at: Date.now(),
      source: 'made up',
      columns,
    };
    await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results: [result] });
    await settled(user);
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(1);
    await fireCron(EVERY_MINUTE, Date.now() + RETURN_AFTER_MS);
    const [item] = (await newestOrder(user)).items;
    expect(item).toMatchObject({ state: 'done', has_results: true, returned: 0.5, failed_count: 0, error: null });
    expect(await balanceOf(user)).toBe(9.5);
    expect((await user.call('GET', `/v1/order/${item.item_id}/download?type=json`)).data.rows).toHaveLength(100);
  });
});

// --- Every state of item and subtask, and every dependency that fails ---

const ITEM_KINDS = ['open', 'finishing', 'failed', 'repairing', 'finishing again'] as const;
const SUBTASK_KINDS = ['waiting', 'put off', 'leased', 'abandoned', 'worn out', 'done', 'failed', 'cancelled'] as const;

const subtaskSql = (kind: (typeof SUBTASK_KINDS)[number], now: number): string =>
  ({
    waiting: `state = 'waiting'`,
    'put off': `state = 'waiting', lease_until = ${now + 30 * 24 * HOUR_MS}`,
    leased: `state = 'leased', lease = 'x', bot_id = 'gone', lease_until = ${now + 30 * 24 * HOUR_MS}, attempts = 1`,
    abandoned: `state = 'leased', lease = 'x', bot_id = 'gone', lease_until = 0, attempts = 5`,
    'worn out': `state = 'waiting', attempts = 5`,
    done: `state = 'done'`,
    failed: `state = 'failed', error = 'The game was down.'`,
    cancelled: `state = 'cancelled'`,
  })[kind];

const throwing = (what: string): never =>
  new Proxy({} as never, {
    get: (_, name) => {
      if (name === 'then') return undefined;
      return () => {
        throw new Error(`${what} is down`);
      };
    },
  });

/** What fails meanwhile, in the Worker's bindings or in the object's. */
const FAILING: Readonly<Record<string, { bindings?: Partial<Env>; object?: Partial<Env>; trigger?: string }>> = {
  nothing: {},
  'the bucket': { bindings: { STORE: throwing('R2') }, object: { STORE: throwing('R2') } },
  'the object': { bindings: { ORDER_PROGRESS: throwing('the object') } },
  'mail and the bucket': {
    bindings: { EMAIL: throwing('mail'), STORE: throwing('R2') } as Partial<Env>,
    object: { STORE: throwing('R2') },
  },
  'a table that snapshots are written to': {
    trigger: `CREATE TRIGGER poison BEFORE INSERT ON snapshots BEGIN SELECT raise(ABORT, 'poisoned'); END`,
  },
};

/** A database that fails after a given number of statements. */
function outage() {
  let left = Number.POSITIVE_INFINITY;
  const fail = () => {
    if (left-- <= 0) throw new Error('D1_ERROR: Network connection lost.');
  };
  return {
    DB: intercepted(env.DB, fail),
    failAfter(statements: number) {
      left = statements;
    },
  };
}

/** The number of statements that each of four runs gets before the database fails. Later runs have no limit. */
const OUTAGES: readonly (readonly number[])[] = [
  [0, 0, 0, 0],
  [3, 7, 11, 2],
  [20, 160, 17, 200],
  [60, 1, 90, 26],
];

type ItemKind = (typeof ITEM_KINDS)[number];
const wasDelivered = (kind: ItemKind): boolean => kind === 'repairing' || kind === 'finishing again';

/** An order of one item for each kind of subtask. */
interface Stuck {
  kind: ItemKind;
  ids: string[];
  object: DurableObjectStub<OrderProgress>;
}

async function ordered(user: Person, kind: ItemKind): Promise<Stuck> {
  const first = 72_000 + Math.floor(Math.random() * 20_000);
  const kingdoms = SUBTASK_KINDS.map((_, index) => first + index);
  await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, 200)] });
  const { order_id, items } = await newestOrder(user);
  const ids = items.map(({ item_id }: { item_id: string }) => item_id) as string[];
  return { kind, ids, object: env.ORDER_PROGRESS.getByName(String(order_id)) };
}

/** Orders of those kinds, all of whose items are stuck. */
async function stuck(user: Person, kinds: readonly ItemKind[], now: number): Promise<Stuck[]> {
  const orders: Stuck[] = [];
  for (const kind of kinds.filter(wasDelivered)) orders.push(await ordered(user, kind));
  if (orders.length > 0) {
    await work(await bot());
    await settled(user);
  }
  for (const kind of kinds.filter((one) => !wasDelivered(one))) orders.push(await ordered(user, kind));
  for (const order of orders) await stick(order, now);
  return orders;
}

/** Writes the state that its items are stuck in. */
async function stick({ kind, ids }: Stuck, now: number): Promise<void> {
  const state = kind === 'failed' ? 'failed' : kind === 'open' || kind === 'repairing' ? 'open' : 'finishing';
  await env.DB.batch(
    ids.flatMap((item, index) => {
      const other = SUBTASK_KINDS[(index * 3 + 1) % SUBTASK_KINDS.length] as (typeof SUBTASK_KINDS)[number];
      const subtask = (sql: string, number: number) =>
        env.DB.prepare(`UPDATE subtasks SET ${sql} WHERE item_id = ? AND number = ?`).bind(item, number);
      return [
        subtask(subtaskSql(SUBTASK_KINDS[index] as (typeof SUBTASK_KINDS)[number], now), 0),
        subtask(subtaskSql(other, now), 1),
        env.DB.prepare(
          `UPDATE items SET state = ?2, version = ?3, finished_at = ?4,
             incomplete_count = (SELECT count(*) FROM subtasks WHERE item_id = ?1 AND state IN ('waiting', 'leased')),
             failed_count = max(?2 = 'failed', (SELECT count(*) FROM subtasks WHERE item_id = ?1 AND state = 'failed'))
           WHERE id = ?1`,
        ).bind(item, state, wasDelivered(kind) ? 2 : 1, kind === 'failed' ? now : null),
      ];
    }),
  );
}

/** Checks that all items are done or refunded, and that their owner's books agree. */
async function expectEnded(user: Person, orders: readonly Stuck[]): Promise<void> {
  const ids = orders.flatMap((order) => order.ids);
  const ended = await env.DB.prepare(
    `SELECT state, snapshot_id IS NOT NULL AS has_results, price_cents, returned_cents FROM items
     WHERE id IN (SELECT value FROM json_each(?))`,
  )
    .bind(JSON.stringify(ids))
    .all<{ state: string; has_results: number; price_cents: number; returned_cents: number }>();
  expect(ended.results).toHaveLength(ids.length);
  for (const item of ended.results) {
    expect(['done', 'cancelled']).toContain(item.state);
    if (item.state === 'done') expect(item.has_results).toBe(1);
    else expect(item.returned_cents).toBe(item.price_cents);
  }
  const { balance: held, sum } = await booksOfUser(user.id);
  expect(held).toBe(sum);
}

it.each(OUTAGES)(
  'after failures at %i, %i, %i and %i statements every item is done or refunded',
  async (...moments) => {
    const user = await signedInUser(10_000);
    const now = Date.now();
    const orders = await stuck(user, ITEM_KINDS, now);
    const { DB, failAfter } = outage();
    for (const { object } of orders)
      await runInDurableObject(object, (instance) => {
        Object.assign(instance, { env: { ...env, DB }, db: openDb({ DB }) });
      });
    const times = [now, now + HOUR_MS, now + RETURN_AFTER_MS + 60_000, now + RETURN_AFTER_MS + 120_000];
    for (const [index, at] of times.entries()) {
      failAfter(moments[index] ?? 0);
      await runCron(EVERY_MINUTE, { ...env, DB }, at).catch(() => undefined);
      for (const { object } of orders) await runDurableObjectAlarm(object).catch(() => undefined);
    }
    failAfter(Number.POSITIVE_INFINITY);
    for (const at of [now + RETURN_AFTER_MS + HOUR_MS, now + 2 * RETURN_AFTER_MS]) {
      await runCron(EVERY_MINUTE, { ...env, DB }, at);
      for (const { object } of orders) await runDurableObjectAlarm(object);
    }
    await expectEnded(user, orders);
  },
  60_000,
);

it.each(Object.entries(FAILING))(
  'while %s fails, every item is done or refunded, whatever its state',
  async (_, { bindings = {}, object = {}, trigger }) => {
    const user = await signedInUser(10_000);
    const now = Date.now();
    const orders = await stuck(user, ITEM_KINDS, now);
    if (trigger) await env.DB.exec(trigger);
    for (const order of orders)
      await runInDurableObject(order.object, (instance) => {
        Object.assign(instance, { env: { ...env, ...object } });
      });
    for (const at of [now, now + HOUR_MS, now + RETURN_AFTER_MS + 60_000, now + 2 * RETURN_AFTER_MS + 120_000]) {
      await runCron(EVERY_MINUTE, { ...env, ...bindings }, at);
      for (const order of orders) await runDurableObjectAlarm(order.object);
    }
    if (trigger) await env.DB.exec('DROP TRIGGER poison');
    await expectEnded(user, orders);
  },
  60_000,
);
