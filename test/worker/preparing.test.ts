import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { eventually } from '../support/eventually.ts';
import { type Bot, bot, type Caller, columnsFor, lease, newestOrder, scanOf, signedInUser, work } from './client.ts';

const MINUTE_MS = 60_000;

const prepare = (worker: Bot, task: Task, minutes = 90) =>
  worker.call('POST', '/v1/fleet/prepare', {
    bot_id: worker.name,
    subtask_id: task.subtask_id,
    lease: task.lease,
    minutes,
  });
const itemOf = async (user: Caller) => (await newestOrder(user)).items[0];
const place = async (user: Caller, kingdom: number, governors: number) =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] })).data.order_id as number;
/** Simulates that this much time has passed for postponed work. */
const wait = (ms: number) =>
  env.DB.batch([
    env.DB.prepare(`UPDATE subtasks SET lease_until = lease_until - ? WHERE state = 'waiting'`).bind(ms),
    env.DB.prepare(`UPDATE items SET preparing_until = preparing_until - ?`).bind(ms),
  ]);

describe('a kingdom that a bot prepares', () => {
  it('shows as preparing, postpones its work without using a try, and is scanned later', async () => {
    const user = await signedInUser();
    const orderId = await place(user, 81_001, 300);
    expect((await itemOf(user)).preparing_until).toBeNull();
    const worker = await bot();
    const [task] = await lease(worker);
    const told: { preparing_until: number | null }[] = [];
    const socket = (await user.fetch(`/v1/orders/live?orders=${orderId}`, { headers: { upgrade: 'websocket' } }))
      .webSocket as WebSocket;
    socket.accept();
    socket.addEventListener('message', ({ data }) => {
      told.push(...JSON.parse(data as string).items);
    });
    const until = Date.now() + 90 * MINUTE_MS;
    const { status, data } = await prepare(worker, task as Task);
    expect(status).toBe(200);
    expect(Math.abs(data.until - until)).toBeLessThan(10_000);
    expect(await itemOf(user)).toMatchObject({ state: 'open', preparing_until: data.until });
    await eventually(() => expect(told.at(-1)?.preparing_until).toBe(data.until));
    socket.close();
    expect(await lease(worker, 5)).toEqual([]);
    // The lease has ended: its rows are lost, and the same call again is refused.
    const late = { subtask_id: task?.subtask_id, lease: task?.lease, captured_at: Date.now(), source: 'made up' };
    const results = [{ ...late, columns: columnsFor(task as Task) }];
    const brought = await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
    expect(brought.data.results[0].outcome).toBe('lost');
    expect((await prepare(worker, task as Task)).status).toBe(409);

    await wait(90 * MINUTE_MS);
    expect((await itemOf(user)).preparing_until).toBeNull();
    const attempts = await env.DB.prepare(`SELECT max(attempts) AS most FROM subtasks WHERE order_id = ?`)
      .bind(orderId)
      .first<{ most: number }>();
    expect(attempts?.most).toBe(0);
    expect(await work(worker)).toBe(3);
    await eventually(async () => expect((await itemOf(user)).state).toBe('done'));
  });

  it('is not scanned sooner if another subtask is postponed for less', async () => {
    const user = await signedInUser();
    const orderId = await place(user, 81_005, 300);
    const worker = await bot();
    const [one, two] = await lease(worker, 2);
    const { data } = await prepare(worker, one as Task, 90);
    const sooner = await prepare(worker, two as Task, 10);
    const { results } = await env.DB.prepare(`SELECT lease_until FROM subtasks WHERE order_id = ? ORDER BY id`)
      .bind(orderId)
      .all();
    expect(results.map(({ lease_until }) => lease_until)).toEqual([data.until, sooner.data.until, data.until]);
  });

  it('can still be cancelled', async () => {
    const user = await signedInUser(100);
    const orderId = await place(user, 81_002, 100);
    const worker = await bot();
    await prepare(worker, (await lease(worker))[0] as Task);
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(200);
    expect(await itemOf(user)).toMatchObject({ state: 'cancelled', preparing_until: null });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(1);
  });

  it('cannot be prepared for more than a day, by another bot, or for no time', async () => {
    const user = await signedInUser();
    const orderId = await place(user, 81_003, 100);
    const worker = await bot();
    const [task] = await lease(worker);
    expect((await prepare(await bot(), task as Task)).status).toBe(409);
    for (const minutes of [0, 1.5, 241]) expect((await prepare(worker, task as Task, minutes)).status).toBe(400);
    await env.DB.prepare(`UPDATE orders SET placed_at = placed_at - 86400001 WHERE id = ?`).bind(orderId).run();
    expect((await prepare(worker, task as Task)).status).toBe(409);
    expect((await itemOf(user)).preparing_until).toBeNull();
    await work(worker);
  });
});
