import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import type { Task } from '../../domain/fleet/contract.ts';
import { MAX_ATTEMPTS } from '../../domain/orders/order.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { openDb } from '../../worker/db/open.ts';
import { onlineBots } from '../../worker/models/fleet/bots.ts';
import { failUnreachable } from '../../worker/models/fleet/refusals.ts';
import { ABANDONED, failAbandoned, leaseSubtasks, type Wish } from '../../worker/models/fleet/subtasks.ts';
import { type Bot, bot, db, lease, scanOf, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** Delays, limits and order of the fleet's work, with a clock that the tests set. */

const START = Date.now();

beforeEach(async () => {
  // All tests share one queue.
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state <> 'done'`).run();
  vi.useFakeTimers({ toFake: ['Date'], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

const order = async (kingdoms: number[], governors = 100) => {
  const user = await signedInUser(1_000_000);
  return (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, governors)] })).data.order_id;
};
const fail = (worker: Bot, task: Task) =>
  worker.call('POST', '/v1/fleet/fail', {
    bot_id: worker.name,
    subtask_id: task.subtask_id,
    lease: task.lease,
    reason: 'The game did not answer.',
    permanent: false,
  });
const wish = (name: string, count = 5) => ({ bot: name, games: ['rok' as const], count, seconds: 60, idle: false });

it('a lease lasts as long as the settings say', async () => {
  await order([300]);
  const [task] = await lease(await bot());
  const until = await cell<number>('SELECT lease_until FROM subtasks WHERE id = ?', task?.subtask_id);
  expect(until).toBe(START + 1000 * Number(env.LEASE_SECONDS));
});

it('the delay after a failed attempt grows by five seconds each time', async () => {
  await order([301]);
  const worker = await bot();
  let now = START;
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
    const [task] = await lease(worker);
    expect((await fail(worker, task as Task)).data.state).toBe('waiting');
    now += attempt * 5000;
    vi.setSystemTime(now - 1);
    expect(await lease(worker)).toEqual([]);
    vi.setSystemTime(now);
  }
  expect(await lease(worker)).toHaveLength(1);
});

const leased = async (wished: Wish, now: number) => (await leaseSubtasks(db, wished, now)).leased;

it('an expired lease goes to another bot at once and counts as an attempt', async () => {
  await order([302]);
  const held = await leased(wish('one'), START);
  expect(held).toHaveLength(1);
  expect(held[0]?.lease_until).toBe(START + 60_000);
  expect(await leased(wish('two'), START + 59_999)).toEqual([]);
  expect(await leased(wish('two'), START + 60_000)).toHaveLength(1);
  const attempts = () => env.DB.prepare(`SELECT attempts FROM subtasks WHERE state = 'leased'`).first('attempts');
  expect(await attempts()).toBe(2);
  // An idle bot gets the subtask that it still holds again, without counting an attempt.
  expect(await leased({ ...wish('two'), idle: true }, START + 61_000)).toHaveLength(1);
  expect(await attempts()).toBe(2);
  expect(await leased({ ...wish('one'), idle: true }, START + 61_000)).toEqual([]);
});

it('a subtask abandoned five times fails when its last lease expires', async () => {
  await order([303, 304]);
  await env.DB.prepare(`UPDATE subtasks SET attempts = ?1 WHERE state = 'waiting' AND number = 0`)
    .bind(MAX_ATTEMPTS - 1)
    .run();
  const [first] = await leased(wish('one', 1), START);
  await env.DB.prepare(`UPDATE subtasks SET attempts = ?1 WHERE state = 'waiting'`)
    .bind(MAX_ATTEMPTS - 2)
    .run();
  await leased(wish('one', 1), START);
  expect(await failAbandoned(db, START + 59_999)).toEqual([]);
  expect(await failAbandoned(db, START + 60_000)).toMatchObject([
    { id: first?.subtask_id, error: 'Five bots tried and none came back with rows.' },
  ]);
  const counts = await env.DB.prepare(
    `SELECT failed_count, incomplete_count, error FROM items WHERE kingdom_id IN (303, 304) ORDER BY kingdom_id`,
  ).all();
  expect(counts.results).toEqual([
    { failed_count: 1, incomplete_count: 0, error: 'Five bots tried and none came back with rows.' },
    { failed_count: 0, incomplete_count: 1, error: null },
  ]);
  expect(await failAbandoned(db, START + 60_000)).toEqual([]);
  // A failed notification of the order is repeated when its delay is over. Other jobs are ignored.
  const aside = (job: string) =>
    env.DB.prepare(`INSERT INTO setbacks (job, subject, tries, begun_at, next_at) VALUES (?, ?, 1, ?3, ?3)`).bind(
      job,
      String(first?.subtask_id),
      START + 70_000,
    );
  await aside('another job').run();
  expect(await failAbandoned(db, START + 70_000)).toEqual([]);
  await aside(ABANDONED).run();
  expect(await failAbandoned(db, START + 69_999)).toEqual([]);
  expect(await failAbandoned(db, START + 70_000)).toMatchObject([{ id: first?.subtask_id }]);
  // The reason of the last bot is kept.
  await env.DB.prepare(
    `UPDATE subtasks SET state = 'leased', lease_until = 1, attempts = ?, error = 'The game is down.'
     WHERE item_id = (SELECT id FROM items WHERE kingdom_id = 304)`,
  )
    .bind(MAX_ATTEMPTS)
    .run();
  expect((await failAbandoned(db, START + 70_000)).map(({ error }) => error)).toContain('The game is down.');
});

it.each([
  ['abandoned', failAbandoned],
  ['out of reach', failUnreachable],
])('fails what is %s and counts it in one call, because a crash may follow', async (what, fail) => {
  const kingdom = what === 'abandoned' ? 310 : 311;
  await order([kingdom]);
  const elsewhere = await bot('elsewhere');
  await elsewhere.call('POST', '/v1/fleet/heartbeat', { bot_id: elsewhere.name, account_game: 'rok' });
  await env.DB.batch([
    env.DB.prepare(`UPDATE bots SET kingdoms = ?, last_connected_at = ?`).bind('{"rok":[1]}', START + DAY_MS / 2),
    env.DB.prepare(`UPDATE subtasks SET lease_until = 1, state = ?, attempts = ? WHERE kingdom_id = ?`).bind(
      ...(what === 'abandoned' ? ['leased', MAX_ATTEMPTS] : ['waiting', 0]),
      kingdom,
    ),
  ]);
  onTestFinished(async () => {
    await env.DB.prepare(`UPDATE bots SET kingdoms = NULL, last_connected_at = 0`).run();
  });
  let calls = 0;
  const crashing = openDb({
    DB: intercepted(env.DB, () => {
      if (++calls > 1) throw new Error('The process ended.');
    }),
  });
  expect(await fail(crashing, START + DAY_MS / 2)).toHaveLength(1);
  expect(
    await env.DB.prepare('SELECT failed_count, incomplete_count FROM items WHERE kingdom_id = ?').bind(kingdom).first(),
  ).toEqual({ failed_count: 1, incomplete_count: 0 });
});

it('leases work by deadline, then by number, for the games asked for', async () => {
  await order([305], 300);
  vi.setSystemTime(START + 500);
  await order([306], 300);
  const worker = await bot();
  const taken = [...(await lease(worker, 4)), ...(await lease(worker, 5))];
  expect(taken.map(({ kingdom_id, from_rank }) => [kingdom_id, from_rank]).sort()).toEqual(
    [305, 306].flatMap((kingdom) => [1, 101, 201].map((rank) => [kingdom, rank])),
  );
  // The first four alternate between the two orders.
  expect(new Set(taken.slice(0, 4).map(({ kingdom_id, from_rank }) => `${kingdom_id} ${from_rank}`))).toEqual(
    new Set(['305 1', '306 1', '305 101', '306 101']),
  );
  await order([307, 308, 309]);
  expect(await lease(worker, 1, ['cod'])).toEqual([]);
  const turns = [await lease(worker), await lease(worker), await lease(worker)];
  expect(turns.map(([task]) => task?.kingdom_id)).toEqual([307, 308, 309]);
});

it('a bot counts as online for five minutes', async () => {
  const worker = await bot();
  const before = await onlineBots(db, START);
  const beat = { account_game: 'rok', packets_count: 1, tasking_count: 0, tasking_count_failed: 0 };
  for (const bot_id of ['a', 'b', 'a'])
    expect((await worker.call('POST', '/v1/fleet/heartbeat', { bot_id, ...beat })).status).toBe(200);
  expect(await onlineBots(db, START + 299_999)).toBe(before + 2);
  expect(await onlineBots(db, START + 300_000)).toBe(0);
});

it('a lease call updates the bot’s last contact to the second, and writes nothing else', async () => {
  const worker = await bot();
  await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: worker.name, account_game: 'rok' });
  const { group_id } = (await env.DB.prepare('SELECT group_id FROM bots WHERE bot_id = ? AND last_connected_at = ?')
    .bind(worker.name, START)
    .first<{ group_id: string }>()) as { group_id: string };
  const heardAt = () => cell<number>('SELECT last_connected_at FROM bots WHERE group_id = ?', group_id);
  const batch = vi.spyOn(env.DB, 'batch');
  for (const [at, shown, written] of [
    [999, 0, 0],
    [1000, 1000, 1],
    [241_000, 241_000, 1],
  ] as const) {
    await leaseSubtasks(db, wish(`${group_id}/${worker.name}`), START + at);
    expect(await heardAt()).toBe(START + shown);
    const results = (await batch.mock.results.at(-1)?.value) as D1Result[];
    expect(results.reduce((sum, { meta }) => sum + meta.rows_written, 0)).toBe(written);
  }
  batch.mockRestore();
});
