import { env } from 'cloudflare:workers';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { openDb } from '../../worker/db/open.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { readBoardManifest } from '../../worker/gateways/board-store.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { caller } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** A new isolate reads a part of a board before it knows the manifest. */

const DAY: Day = '2026-03-10';
const HOUR_MS = 3_600_000;
const KEY = `boards/rok/governor-power/${DAY}/newest/page-0.json.gz`;

afterEach(() => void vi.useRealTimers());

async function publish(hour: number, power: number): Promise<string> {
  await publishRows('rok', 1003, dayStart(DAY) + hour * HOUR_MS, [governor(1_003_001, power)]);
  await publishDay(openDb(env), env.STORE, 'rok', DAY, Date.now());
  return (await readBoardManifest(env.STORE)).manifest.rok.days[DAY]?.boards['governor-power']?.version ?? '';
}

/** Returns the board as a visitor of a new isolate reads it. */
async function shown() {
  vi.useFakeTimers({ toFake: ['Date'], now: dayStart(addDays(DAY, 7)) + 12 * HOUR_MS });
  forgetManifest();
  const { data } = await caller().call('GET', '/v1/governor/rankings?count=100&page=0');
  vi.useRealTimers();
  return data;
}

it('uses a part that was read ahead only in the version that the manifest names', async () => {
  const first = await publish(11, 5_500_000);
  expect((await env.STORE.head(KEY))?.customMetadata).toEqual({ version: first });
  const before = await shown();
  const replace = (version: string) => {
    const data = { ...before, rankings: [{ ...before.rankings[0], governor_id: 2 }] };
    return env.STORE.put(KEY, gzipSync(JSON.stringify({ success: 1, data })), { customMetadata: { version } });
  };
  // A publication that has stored its parts, but not the manifest yet.
  await publish(12, 5_500_001);
  await replace('another');
  expect((await shown()).rankings[0].governor_id).toBe(1_003_001);
  await replace(await publish(13, 5_500_002));
  expect((await shown()).rankings[0].governor_id).toBe(2);
});
