import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { balanceOf, ended, type Order, order, orderOf, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { byId } from '../support/files.ts';
import { isAlive, type Service, startService } from '../support/service.ts';

let service: Service;

// Bots slow enough to be caught in the middle, leases short enough to be taken over soon.
beforeAll(async () => {
  service = await startService({ LEASE_SECONDS: '3', PACE_MS: '300' });
});
afterAll(() => service.remove());

const KINGDOM = 1021;
const GOVERNORS = 3000;

const inTheMiddle = ({ items }: Order): boolean =>
  items.every(({ incomplete_count, subtask_count }) => incomplete_count < subtask_count - 3 && incomplete_count > 5);

/** Orders a large scan, does the damage while bots are at it, and checks that nothing was lost, doubled or paid twice. */
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
  const ids = rows.map(({ governor_id }) => governor_id);
  expect(ids).toHaveLength(GOVERNORS);
  expect(new Set(ids).size).toBe(GOVERNORS);
  const { captured_at } = await client.call<{ captured_at: number }>('GET', `/v1/order/item/${item?.item_id}/`);
  const world = simulatedWorld().rows('rok', KINGDOM, captured_at, GOVERNORS);
  // Ranks at the very end may change places between two looks at the world; who is who may not.
  const known = byId(world, 'governor_id', ['name', 'home_kingdom']);
  const same = [...byId(rows, 'governor_id', ['name', 'home_kingdom'])].filter(
    ([id, cells]) => String(known.get(id)) === String(cells),
  );
  expect(same.length).toBeGreaterThanOrEqual(GOVERNORS - 5);
  expect(await balanceOf(client)).toBe(before - 15);
}

test('kill -9 of workerd in the middle of an order', () =>
  survives(async () => {
    const [workerd] = service.processes().workerd;
    if (!workerd) throw new Error('workerd is not running');
    process.kill(workerd, 'SIGKILL');
    while (isAlive(workerd)) await sleep(20);
    // It comes back by itself, on the same port.
    await waitUntilAnswering();
    expect(service.processes().workerd).not.toContain(workerd);
  }));

test('kill -9 of every process in the middle of an order, and a new start on the same state', () =>
  survives(async () => {
    await service.kill();
    await service.start();
  }));

test('an Idempotency-Key that is sent again after a crash answers the first order and charges nothing', async () => {
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

async function waitUntilAnswering(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.address}/v1/health`).catch(() => null);
    if (answer?.ok) return;
    await sleep(50);
  }
}
