import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import type { WireColumns } from '../../domain/scans/rows.ts';
import { eventually } from '../support/eventually.ts';
import { type Bot, bot, type Caller, columnsFor, scanOf, signedInUser } from './client.ts';

beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`).run();
});

/** Orders a scan whose rows one bot hands in; returns the item once it has results. */
async function scanned(user: Caller, kingdom: number, captured_at: number, spoil: (columns: WireColumns) => void) {
  await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom])] });
  const worker = await bot();
  const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
  return { item_id: await handedIn(user, worker, data.tasks[0], captured_at, spoil), worker };
}

async function handedIn(
  user: Caller,
  worker: Bot,
  task: Task,
  captured_at: number,
  spoil: (columns: WireColumns) => void,
): Promise<string> {
  const columns = columnsFor(task);
  spoil(columns);
  const results = [{ subtask_id: task.subtask_id, lease: task.lease, captured_at, source: 'made up', columns }];
  await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
  return eventually(async () => {
    const [item] = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
    expect(item.state).toBe('done');
    return item.item_id;
  });
}

const set = (columns: WireColumns, key: string, row: number, value: number) => {
  (columns[key] as number[])[row] = value;
};
const lower = (row: number) => (columns: WireColumns) => set(columns, 'deads', row, 5);
const nothing = () => {};
const qualityOf = async (user: Caller, item: string) =>
  (await user.call('GET', `/v1/order/item/${item}/`)).data.quality;
const rowsOf = async (user: Caller, item: string) =>
  (await user.call('GET', `/v1/order/${item}/download?type=json`)).data.rows as Record<string, unknown>[];
const marksOf = async (user: Caller, item: string) =>
  Object.fromEntries(
    (await rowsOf(user, item)).flatMap((row) => (row.quality ? [[row.governor_id, row.quality]] : [])),
  );

it('marks rows whose counter fell since the last scan, and changes no figure', async () => {
  const user = await signedInUser(1_000);
  const now = Date.now();
  const first = await scanned(user, 870, now - 2_000, nothing);
  expect(await qualityOf(user, first.item_id)).toEqual({ ok: 100 });
  expect(Object.keys((await rowsOf(user, first.item_id))[0] ?? {})).not.toContain('quality');

  const second = await scanned(user, 870, now - 1_000, (columns) => {
    lower(9)(columns);
    set(columns, 'killpoints', 20, 0);
  });
  expect(await qualityOf(user, second.item_id)).toEqual({ ok: 98, counter_fell: 1, score_unread: 1 });
  expect(await marksOf(user, second.item_id)).toEqual({ 87000010: 'counter_fell', 87000021: 'score_unread' });
  expect((await rowsOf(user, second.item_id))[9]).toMatchObject({ governor_id: 87000010, deads: 5 });
  const csv = await user.call('GET', `/v1/order/${second.item_id}/download?type=csv`);
  expect((csv.data as string).split('\n')[0]?.trim()).toMatch(/,quality$/i);

  // The third scan is compared with the second's good rows only.
  const third = await scanned(user, 870, now, nothing);
  expect(await qualityOf(user, third.item_id)).toEqual({ ok: 100 });
});

it('repairs a fallen counter, and judges the repaired item by the same scan as before', async () => {
  const user = await signedInUser(1_000);
  const now = Date.now();
  await scanned(user, 871, now - 3_000, nothing);
  const { item_id, worker } = await scanned(user, 871, now - 2_000, (columns) => {
    lower(3)(columns);
    lower(4)(columns);
  });
  expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data.requeued).toBe(1);
  const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
  await handedIn(user, worker, data.tasks[0], now, lower(4));
  expect(await marksOf(user, item_id)).toEqual({ 87100005: 'counter_fell' });
  expect(await qualityOf(user, item_id)).toEqual({ ok: 99, counter_fell: 1 });
});

it('refuses a column of quality from a bot', async () => {
  const user = await signedInUser(1_000);
  await user.call('POST', '/v1/order/create', { orders: [scanOf([872])] });
  const worker = await bot();
  const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
  const [task] = data.tasks as Task[];
  if (!task) throw new Error('a task expected');
  const columns = { ...columnsFor(task), quality: Array(100).fill('ok') };
  const results = [{ subtask_id: task.subtask_id, lease: task.lease, captured_at: Date.now(), source: 'x', columns }];
  const answer = await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
  expect(answer.status).toBe(400);
  expect(answer.msg).toContain('quality');
});
