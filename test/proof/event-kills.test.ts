import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminEvent } from '../../worker/services/events/admin-event.ts';
import { type Client, clientOf, signedIn } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';
import { fireMinute } from './own-copy.ts';

let service: Service;

// Bots slow enough to be caught during a gathering, and leases short enough to be taken over soon.
beforeAll(async () => {
  service = await startService({ LEASE_SECONDS: '5', PACE_MS: '300' });
});
afterAll(async () => {
  await service.remove();
});

const eventOf = (admin: Client, id: number): Promise<AdminEvent> => admin.call('GET', `/v1/admin/events/${id}`);

async function until(admin: Client, id: number, holds: (event: AdminEvent) => boolean): Promise<AdminEvent> {
  for (const end = Date.now() + 90_000; Date.now() < end; await sleep(300)) {
    const event = await eventOf(admin, id);
    if (holds(event)) return event;
  }
  throw new Error(`not in time: ${JSON.stringify(await eventOf(admin, id))}`);
}

const tick = (): Promise<void> => fireMinute(service.address);

test('kill -9 during a refresh leaves the old snapshot before it, and one whole new one after it', async () => {
  const admin = await signedIn(service.address, 'admin', 'admin-muster');
  const visitor = clientOf(service.address);
  const now = Date.now();
  const { dashboard_id: id } = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
    game: 'rok',
    kvk_id: 'KILLS',
    name: 'Killed in the middle',
    camps: [
      { name: 'Fire', kingdoms: ['1031', '1032'] },
      { name: 'Water', kingdoms: ['1033', '1034'] },
    ],
    refresh_rate: 60,
    start: now + 60_000,
    end: now + 86_400_000,
    depth: 400,
  });
  await admin.call('POST', `/v1/admin/events/${id}/publish`);
  const gathered = async (kills: number): Promise<AdminEvent> => {
    const before = (await eventOf(admin, id)).snapshots.length;
    await admin.call('POST', `/v1/admin/events/${id}/refresh`);
    for (let kill = 0; kill < kills; kill++) {
      await sleep(700 * (kill + 1));
      await service.kill();
      await service.start();
      const { snapshots } = await visitor.call<{ snapshots: unknown[] }>('GET', `/v1/dashboards/${id}/`);
      expect(snapshots.length - before).toBeLessThanOrEqual(1);
    }
    await until(admin, id, ({ refreshes }) => refreshes[0]?.in === 4);
    // Two clocks at the same time still make one snapshot.
    await Promise.all([tick(), tick()]);
    const event = await until(admin, id, ({ refreshes }) => refreshes[0]?.state === 'done');
    expect(event.snapshots).toHaveLength(before + 1);
    expect(event.snapshots.at(-1)).toMatchObject({ rows: 1600, missing: [], source: 'bots' });
    return event;
  };
  await gathered(0);
  const { snapshots } = await gathered(2);
  const data = await visitor.call<{ diffs: { camps: Record<string, { common: number; left_out: number }> } }>(
    'GET',
    `/v1/dashboards/${id}/data?start=${snapshots[0]?.ts}&end=${snapshots[1]?.ts}`,
  );
  for (const camp of Object.values(data.diffs.camps)) {
    expect(camp.common).toBeGreaterThan(780);
    expect(camp.left_out).toBe(0);
  }
  expect(await service.verify()).toEqual([]);
});
