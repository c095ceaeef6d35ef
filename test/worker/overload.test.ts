import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { handingIn, MOST_AT_ONCE, secondsOfHandIns } from '../../worker/isolate/hand-ins.ts';
import { handOver } from '../../worker/models/fleet/subtasks.ts';
import { leaseId } from '../../worker/services/fleet/leases.ts';
import { type Bot, bot, columnsFor, db, production, scanOf, send, signedInUser } from './client.ts';

/** Under load nothing is read twice: leases last while their bot works, and rows take precedence over new work. */

const START = Date.now();
const HOUR_MS = 3_600_000;
const LENGTH = 1000 * Number(env.LEASE_SECONDS);

beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state <> 'done'`).run();
});
afterEach(() => {
  vi.useRealTimers();
});

const order = async (kingdom: number) =>
  (await signedInUser()).call('POST', '/v1/order/create', { orders: [scanOf([kingdom])] });
const lease = (worker: Bot) =>
  worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
const beat = (worker: Bot, tasks: readonly Pick<Task, 'subtask_id' | 'lease'>[], bot_id = worker.name) =>
  worker.call('POST', '/v1/fleet/heartbeat', {
    ...{ bot_id, account_game: 'rok' },
    working_on: tasks.map(({ subtask_id, lease }) => ({ subtask_id, lease })),
  });
const handIn = (worker: Bot, tasks: readonly Task[], next?: object) =>
  worker.call('POST', '/v1/fleet/rows', {
    ...{ bot_id: worker.name, next },
    results: tasks.map((task) => ({
      ...{ subtask_id: task.subtask_id, lease: task.lease, captured_at: Date.now(), source: 'made up' },
      columns: columnsFor(task),
    })),
  });

describe('a lease', () => {
  const until = (task: Task) =>
    env.DB.prepare('SELECT lease_until FROM subtasks WHERE id = ?').bind(task.subtask_id).first('lease_until');
  const leased = async (kingdom: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    await order(kingdom);
    const worker = await bot();
    const [task] = (await lease(worker)).data.tasks as [Task];
    return { worker, task };
  };

  it('is extended by each heartbeat that names it, also just after it ran out', async () => {
    const { worker, task } = await leased(75_001);
    vi.setSystemTime(START + LENGTH / 2);
    expect((await beat(worker, [task])).status).toBe(200);
    expect(await until(task)).toBe(START + 1.5 * LENGTH);
    vi.setSystemTime(START + 1.5 * LENGTH + 1);
    await beat(worker, [task]);
    expect(await until(task)).toBe(START + 2.5 * LENGTH + 1);
    expect((await lease(await bot())).data.tasks).toEqual([]);
  });

  it('is extended only by its own bot and id, and never shortened', async () => {
    const { worker, task } = await leased(75_002);
    vi.setSystemTime(START + LENGTH / 2);
    await beat(worker, [task], 'another');
    await beat(await bot(worker.name), [task]);
    await beat(worker, []);
    await beat(worker, [{ ...task, lease: `${task.lease}x` }]);
    expect(await until(task)).toBe(START + LENGTH);
    await env.DB.prepare('UPDATE subtasks SET lease_until = ? WHERE id = ?')
      .bind(START + 9 * LENGTH, task.subtask_id)
      .run();
    await beat(worker, [task]);
    expect(await until(task)).toBe(START + 9 * LENGTH);
  });

  it('that another bot has taken over stays with that bot', async () => {
    const { worker, task } = await leased(75_003);
    vi.setSystemTime(START + LENGTH);
    const other = await bot('other');
    expect((await lease(other)).data.tasks).toHaveLength(1);
    const held = await until(task);
    vi.setSystemTime(START + 1.5 * LENGTH);
    await beat(worker, [task]);
    expect(await until(task)).toBe(held);
  });

  it('is not extended forever', async () => {
    const { worker, task } = await leased(75_004);
    vi.setSystemTime(START + 10.5 * LENGTH);
    await beat(worker, [task]);
    expect(await until(task)).toBe(START + 11 * LENGTH);
  });
});

describe('a hand-in', () => {
  const leased = async (kingdom: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    await order(kingdom);
    const worker = await bot();
    const [task] = (await lease(worker)).data.tasks as [Task];
    return { worker, task };
  };
  const stateOf = ({ subtask_id }: Task) =>
    env.DB.prepare('SELECT state, bot_id, lease_until FROM subtasks WHERE id = ?')
      .bind(subtask_id)
      .first<{ state: string; bot_id: string; lease_until: number }>();

  it.each([
    [75_020, 0.4, 1],
    [75_021, 0.6, 1.6],
    [75_022, 1.2, 2.2],
  ])('holds its lease while it is under way: kingdom %i after %f lengths until %f', async (kingdom, after, until) => {
    const { worker, task } = await leased(kingdom);
    vi.setSystemTime(START + after * LENGTH);
    expect((await handIn(worker, [task])).data.results[0].outcome).toBe('accepted');
    expect(await stateOf(task)).toMatchObject({ state: 'done', lease_until: START + until * LENGTH });
  });

  it('ends its subtask even if another bot leased it, but not one of a later version', async () => {
    const { task } = await leased(75_023);
    const name = (await stateOf(task))?.bot_id ?? '';
    vi.setSystemTime(START + LENGTH);
    expect((await lease(await bot('other'))).data.tasks).toHaveLength(1);
    await handOver(db, name, [{ id: task.subtask_id, lease: leaseId(task.lease), version: 2 }], null);
    expect((await stateOf(task))?.state).toBe('leased');
    await handOver(db, name, [{ id: task.subtask_id, lease: leaseId(task.lease), version: 1 }], null);
    expect(await stateOf(task)).toMatchObject({ state: 'done', bot_id: name });
  });

  it('returns no new work while many rows come in, and says when to ask again', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START + HOUR_MS });
    await order(75_024);
    await order(75_025);
    const worker = await bot();
    const [task] = (await lease(worker)).data.tasks as [Task];
    const ended = Promise.withResolvers<void>();
    const many = Array.from({ length: MOST_AT_ONCE + 1 }, () => handingIn(() => ended.promise));
    const { data } = await handIn(worker, [task], { games: ['rok'], count: 1 });
    expect(data).toMatchObject({ results: [{ outcome: 'accepted' }], tasks: [], ask_again_ms: 2000 });
    ended.resolve();
    await Promise.all(many);
    expect((await lease(worker)).data.tasks).toHaveLength(1);
  });
});

it('new work waits while many rows come in, with a Retry-After', async () => {
  const now = START + 2 * HOUR_MS;
  vi.useFakeTimers({ toFake: ['Date'], now });
  await order(75_010);
  const worker = await bot();
  const ended = Promise.withResolvers<void>();
  const many = Array.from({ length: MOST_AT_ONCE + 1 }, () => handingIn(() => ended.promise));
  const response = await worker.fetch('/v1/fleet/lease', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bot_id: worker.name, games: ['rok'] }),
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  // The others are told to come back four per second, within a minute.
  const later = Array.from({ length: 300 }, () => secondsOfHandIns(now));
  expect(later.slice(0, 8)).toEqual([3, 3, 3, 3, 4, 4, 4, 4]);
  expect(Math.max(...later)).toBe(60);
  ended.resolve();
  await Promise.all(many);
  expect((await lease(worker)).data.tasks).toHaveLength(1);
});

it('disconnected hand-ins do not block new work', async () => {
  await order(75_011);
  const worker = await bot();
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  for (let index = 0; index <= MOST_AT_ONCE; index++) void handingIn(() => new Promise(() => undefined));
  expect((await lease(worker)).status).toBe(503);
  vi.setSystemTime(START + 100_000);
  expect((await lease(worker)).data.tasks).toHaveLength(1);
});

it('every 503 has a Retry-After', async () => {
  const closed = await send('/v1/products/list', {}, production({ CLOSED: 'Back at 12:00 UTC.' }));
  expect([closed.status, closed.headers.get('retry-after')]).toEqual([503, '60']);
});
