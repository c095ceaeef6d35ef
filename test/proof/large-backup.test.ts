import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { fetchBackup, takeBackup } from '../../scripts/admin/backup.ts';
import type { Platform } from '../../scripts/admin/platform.ts';
import { restoreBackup } from '../../scripts/admin/restore.ts';
import { ROOT } from '../../scripts/settings.ts';
import { governorPage } from '../../worker/models/kingdoms/governors.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { checkHistories } from '../../worker/services/service/verify-histories.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';
import { openEmpty } from '../support/empty-service.ts';
import { type Asked, keyOf, type Ran } from './backup-worker.ts';

/** Backs up a bucket with very many objects, a day after another, and restores it with interruptions. */

/** BACKED_UP_OBJECTS=100000 for a service of more than a year. */
const OBJECTS = Number(process.env.BACKED_UP_OBJECTS ?? 1200);
const CHANGED = 10;
const NOW = Date.parse('2026-11-20T03:00:00Z');
const PATIENCE = 120_000 + OBJECTS * 100;

const folder = mkdtempSync(join(tmpdir(), 'large-backup-'));
const opened: Miniflare[] = [];

/** Returns the script of backup-worker.ts. */
async function bundled(): Promise<string> {
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: 'test/proof/backup-worker.ts', write: false },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}

interface Service extends Platform {
  /** Asks the Worker beside the database and the buckets. */
  ask<Answer>(asked: Asked): Promise<Answer>;
}

async function open(name: string, directories: readonly 'DIRECTORY_ROK'[] = []): Promise<Service> {
  const service = await openEmpty(name, { directories, script, folder: join(folder, name) });
  const { miniflare } = service;
  opened.push(miniflare);
  return {
    ...service,
    async ask<Answer>(asked: Asked) {
      const answer = await miniflare.dispatchFetch('http://backup/', { method: 'POST', body: JSON.stringify(asked) });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Answer;
    },
  };
}

type Bucket = Platform['store'];

/** Returns the bucket, from whose `most` calls on a method fails, and how often it was called. */
function cutOff(bucket: Bucket, method: 'get' | 'put', most = Infinity): { bucket: Bucket; calls: () => number } {
  let calls = 0;
  const proxy = new Proxy(bucket, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (name !== method) return own;
      return (...args: unknown[]) => {
        if (++calls > most) return Promise.reject(new Error('the process was killed'));
        return (own as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { bucket: proxy, calls: () => Math.min(calls, most) };
}

/** Backs up as the hourly cron does. Returns the runs. */
async function backUpOn(service: Service, now: number): Promise<Ran[]> {
  const runs: Ran[] = [];
  while (!runs.at(-1)?.isOver) runs.push(await service.ask<Ran>({ now }));
  return runs;
}

const callsOf = (runs: readonly Ran[], bucket: 'store' | 'backup', method: string): number =>
  runs.reduce((sum, run) => sum + (run[bucket][method] ?? 0), 0);

let script = '';
let service: Service;
beforeAll(async () => {
  script = await bundled();
  service = await open('service');
  await service.ask({ first: 0, count: OBJECTS, suffix: '' });
}, PATIENCE);
afterAll(async () => {
  for (const miniflare of opened) await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test(
  `${OBJECTS} objects are backed up, the next day only what is new`,
  async () => {
    const first = await backUpOn(service, NOW);
    expect(callsOf(first, 'store', 'get')).toBe(OBJECTS);
    await service.ask({ first: 0, count: CHANGED, suffix: ', again' });
    const second = await backUpOn(service, NOW + DAY_MS);
    const took = (runs: readonly Ran[]) => runs.map(({ ms }) => ms).join(' + ');
    const [lists, reads, writes] = [
      callsOf(second, 'store', 'list'),
      callsOf(second, 'backup', 'get'),
      callsOf(second, 'backup', 'put'),
    ];
    process.stdout.write(
      `  ${OBJECTS} objects: ${took(first)} ms; ${CHANGED} new ones: ${took(second)} ms, ` +
        `${lists} lists, ${reads} reads and ${writes} writes of the backup\n`,
    );
    expect(callsOf(second, 'store', 'get')).toBe(CHANGED);
    expect(lists).toBe(Math.ceil(OBJECTS / 500));
    // Beside the objects: listings that name them, the manifest, its state and a few rows.
    expect(writes).toBeLessThan(2 * CHANGED + 20);
  },
  PATIENCE,
);

test(
  'an interrupted fetch and an interrupted restore go on with the objects that are missing',
  async () => {
    const kept = join(folder, 'fetched');
    const half = Math.floor(OBJECTS / 2);
    const said = 'the process was killed';
    const cutFetch = cutOff(service.backup, 'get', half);
    await expect(fetchBackup({ ...service, backup: cutFetch.bucket }, kept)).rejects.toThrow(said);
    const restOfFetch = cutOff(service.backup, 'get');
    const beganFetch = Date.now();
    expect((await fetchBackup({ ...service, backup: restOfFetch.bucket }, kept)).objects).toHaveLength(OBJECTS);
    // Each of the two calls also reads manifests and listings.
    const shared = 10 + OBJECTS / 500;
    expect(restOfFetch.calls()).toBeLessThan(OBJECTS - half + 2 * shared);
    const target = await open('target');
    const cut = cutOff(target.store, 'put', half);
    await expect(restoreBackup({ ...target, store: cut.bucket }, kept, { name: 'op' })).rejects.toThrow(said);
    const rest = cutOff(target.store, 'put');
    const began = Date.now();
    expect(await restoreBackup({ ...target, store: rest.bucket }, kept, { name: 'op' })).toMatchObject({
      objects: OBJECTS,
    });
    process.stdout.write(
      `  the second half of the objects: fetched in ${began - beganFetch} ms, restored in ${Date.now() - began} ms\n`,
    );
    expect(rest.calls()).toBe(OBJECTS - half);
    expect(await (await target.store.get(keyOf(0)))?.text()).toBe('scan 0, again');
    expect(await (await target.store.get(keyOf(OBJECTS - 1)))?.text()).toBe(`scan ${OBJECTS - 1}`);
  },
  3 * PATIENCE,
);

test('packed histories are backed up and restored with the directory that points to them', async () => {
  const [kingdoms, days, governors] = [[1001, 1002, 1003], 5, 40];
  const own = await open('histories');
  for (let day = 0; day < days; day++)
    for (const kingdom of kingdoms) {
      const rows = Array.from({ length: governors }, (_, index) => ({
        // The last governor moves on every day.
        governor_id: index < governors - 1 ? kingdom * 100 + index : 7 + ((kingdom + day) % kingdoms.length),
        ...{ name: `Governor ${index}`, alliance_tag: `A${index % 3}`, home_kingdom: kingdom },
        ...{ power: 90_000_000 - index * 1000 + day, highest_power: 90_000_000, deads: index * day, killpoints: index },
      }));
      await publishSnapshot(own.db, own.store as never, tableOf('rok', rows), {
        ...{ kingdom_id: kingdom, captured_at: NOW - (days - day) * DAY_MS, source: 'made up' },
        ...{ id: `scan-${day}`, item_id: null, version: 1 },
      });
    }
  await backUpOn(own, NOW);
  const kept = join(folder, 'fetched-histories');
  await fetchBackup(own, kept);
  // Into another layout, and from there into the first one again.
  const apart = await open('restored-apart', ['DIRECTORY_ROK']);
  await restoreBackup(apart, kept, { name: 'op' });
  expect(await apart.db.$client.prepare('SELECT count(*) AS n FROM governors').first('n')).toBe(0);
  await takeBackup(apart, join(folder, 'taken-apart'));
  const target = await open('restored-histories');
  await restoreBackup(target, join(folder, 'taken-apart'), { name: 'op' });
  const pages = async ({ db, store }: Platform) => [
    await Promise.all(kingdoms.map((kingdom) => kingdomPage(db, store as never, 'rok', kingdom, 90))),
    await Promise.all([7, 8, 9, 100_100, 100_338].map((id) => governorPage(db, store as never, 'rok', id, 90))),
  ];
  for (const restored of [target, apart]) expect(await pages(restored)).toEqual(await pages(own));
  const checked: [number, number, string[]][] = [];
  for await (const { asked, scans, flaws } of checkHistories(target.db, target.store as never, { all: true }, NOW))
    checked.push([asked.kingdom_id, scans, flaws]);
  expect(checked).toEqual(kingdoms.map((kingdom) => [kingdom, days, []]));
  for (const { db, store } of [target, apart]) expect((await verifyState(db, store as never, NOW)).flaws).toEqual([]);
}, 240_000);
