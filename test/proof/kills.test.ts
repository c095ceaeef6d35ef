import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { mix } from '../../fleet/sources/world/chance.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import {
  balanceOf,
  type Client,
  ended,
  type Item,
  type Order,
  order,
  orderOf,
  type ResultRow,
  rowsOf,
  signedIn,
  waitFor,
} from '../support/client.ts';
import { isAlive, type Service, startService } from '../support/service.ts';

let service: Service;

const KINGDOM = 1021;
const GOVERNORS = 3000;
const SMALL_KINGDOMS = [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010];
const SMALL = 500;

// Bots read these files instead of a changing world, so that the rows are always the same to the unit.
const scans = mkdtempSync(join(tmpdir(), 'scans-'));

const world = new Map(
  [KINGDOM, ...SMALL_KINGDOMS].map((kingdom) => [
    kingdom,
    simulatedWorld().rows('rok', kingdom, Date.UTC(2026, 5, 1), GOVERNORS),
  ]),
);
const figures = ({ governor_id, name, power, killpoints, deads }: ResultRow | Row) =>
  [governor_id, name, power, killpoints, deads].map(String).join(' ');

function writeScan(kingdom: number, rows: readonly Row[]): void {
  const lines = rows.map((row) =>
    JSON.stringify(Object.fromEntries(GAMES.rok.columns.map(({ key, title }) => [title, row[key] ?? null]))),
  );
  writeFileSync(join(scans, `${kingdom}_2026-06-01.jsonl`), lines.join('\n'));
}

// Bots slow enough to be caught midway, and leases short enough to be taken over soon.
beforeAll(async () => {
  for (const [kingdom, rows] of world) writeScan(kingdom, rows);
  service = await startService({ LEASE_SECONDS: '3', PACE_MS: '300', SCANS_DIR: scans });
});
afterAll(async () => {
  await service.remove();
  rmSync(scans, { recursive: true });
});

const inTheMiddle = ({ items }: Order): boolean =>
  items.every(({ incomplete_count, subtask_count }) => incomplete_count < subtask_count - 3 && incomplete_count > 5);

/** Orders a large scan, does the damage while bots work, and checks that nothing was lost, doubled or paid twice. */
async function survives(damage: () => Promise<void>): Promise<void> {
  const client = await signedIn(service.address);
  const before = await balanceOf(client);
  const orderId = await order(client, 'rok', [KINGDOM], GOVERNORS);
  await waitFor(client, orderId, inTheMiddle);
  await damage();
  const done = await waitFor(client, orderId, ended, 90_000);
  const item = done.items[0];
  expect(item).toMatchObject({ state: 'done', incomplete_count: 0, error: null });

  const rows = await rowsOf(client, item?.item_id ?? '');
  expect(rows).toHaveLength(GOVERNORS);
  expect(rows.map(figures)).toEqual(world.get(KINGDOM)?.map(figures));
  expect(await balanceOf(client)).toBe(before - 15);
}

async function killWorkerd(): Promise<void> {
  const [workerd] = service.processes().workerd;
  if (!workerd) throw new Error('workerd is not running');
  process.kill(workerd, 'SIGKILL');
  while (isAlive(workerd)) await sleep(10);
  // It restarts automatically, on the same port.
  await waitUntilAnswering();
  expect(service.processes().workerd).not.toContain(workerd);
}

test('kill -9 of workerd in the middle of an order', () => survives(killWorkerd));

test('kill -9 of every process in the middle of an order, and a new start on the same state', () =>
  survives(async () => {
    await service.kill();
    await service.start();
  }));

test('a workerd that hangs in the middle of an order is replaced, and the agent continues', { timeout: 240_000 }, () =>
  survives(async () => {
    const { start, workerd, agent } = service.processes();
    for (const pid of workerd) process.kill(pid, 'SIGSTOP');
    while (workerd.some(isAlive)) await sleep(100);
    await waitUntilAnswering();
    expect(service.output()).toContain('The service has not answered for 60 seconds. It is started again.');
    expect(service.processes()).toMatchObject({ start, agent, workerd: [expect.any(Number)] });
  }),
);

test('an Idempotency-Key sent again after a crash returns the first order and charges nothing', async () => {
  const client = await signedIn(service.address);
  const before = await balanceOf(client);
  const params = { kingdoms: ['1022'], governors: 100, full_profile: true };
  const place = () =>
    client.call<{ order_id: number }>(
      'POST',
      '/v1/order/create',
      { orders: [{ type: 'rok-kingdom-scan', params, fields: {}, price: 0.5 }], scheduleInfo: null },
      { 'idempotency-key': 'the-same' },
    );
  const first = await place();
  await service.kill();
  await service.start();
  expect(await place()).toMatchObject({ order_id: first.order_id });
  expect(await balanceOf(client)).toBe(before - 0.5);
  expect((await orderOf(client, first.order_id)).items).toHaveLength(1);
});

/** Every row of every item, with the items sorted by kingdom. */
async function resultsOf(client: Client, { items }: Order): Promise<ResultRow[][]> {
  const ordered = [...items].sort((a, b) => a.kingdom_id - b.kingdom_id);
  return Promise.all(ordered.map(({ item_id }) => rowsOf(client, item_id)));
}

test('kill -9 of workerd at 20 random times in an order of 50 subtasks does not change its rows', async () => {
  const seed = Number(process.env.KILLS_SEED ?? Date.now() % 1_000_000);
  // The number of subtasks that come in before each kill, and the wait after the last of them, in ms.
  const moments = Array.from({ length: 20 }, (_, kill) => ({
    done: mix(seed, kill, 1) % 50,
    after: mix(seed, kill, 2) % 400,
  })).sort((a, b) => a.done - b.done);
  try {
    const client = await signedIn(service.address);
    const before = await balanceOf(client);
    const undisturbed = await waitFor(client, await order(client, 'rok', SMALL_KINGDOMS, SMALL), ended);
    expect(await balanceOf(client)).toBe(before - 25);

    const orderId = await order(client, 'rok', SMALL_KINGDOMS, SMALL);
    for (const { done, after } of moments) {
      await waitFor(client, orderId, ({ items }) => doneOf(items) >= done, 30_000);
      await sleep(after);
      await killWorkerd();
    }
    const survivor = await waitFor(client, orderId, ended, 30_000);
    expect(survivor.items.map(({ state, error }) => ({ state, error }))).toEqual(
      SMALL_KINGDOMS.map(() => ({ state: 'done', error: null })),
    );
    expect(await resultsOf(client, survivor)).toEqual(await resultsOf(client, undisturbed));
    expect(await balanceOf(client)).toBe(before - 50);
    const { lines } = await client.call<{ lines: { order_id: number | null; amount: number }[] }>(
      'GET',
      '/v1/account/statement',
    );
    expect(lines.filter(({ order_id }) => order_id === orderId)).toEqual([expect.objectContaining({ amount: -25 })]);
  } catch (error) {
    throw new Error(`KILLS_SEED=${seed} killed at ${JSON.stringify(moments)}`, { cause: error });
  }
}, 240_000);

test('the state is consistent', async () => {
  expect((await service.verify()).join('\n')).toBe('');
});

const doneOf = (items: Item[]): number =>
  items.reduce((sum, { subtask_count, incomplete_count }) => sum + subtask_count - incomplete_count, 0);

async function waitUntilAnswering(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.address}/v1/health`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
}
