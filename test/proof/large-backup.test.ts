import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { fetchBackup, takeBackup } from '../../scripts/admin/backup.ts';
import type { Platform } from '../../scripts/admin/platform.ts';
import { restoreBackup } from '../../scripts/admin/restore.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openDb } from '../../worker/db/open.ts';
import { governorPage } from '../../worker/models/kingdoms/governors.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { backUp } from '../../worker/services/service/back-up.ts';
import { checkHistories } from '../../worker/services/service/verify-histories.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';

/** Backs up a bucket with very many objects, a day after another, and restores it with an interruption. */

/** BACKED_UP_OBJECTS=100000 for a service of more than a year. */
const OBJECTS = Number(process.env.BACKED_UP_OBJECTS ?? 1200);
const CHANGED = 10;
const NOW = Date.parse('2026-11-20T03:00:00Z');
/** The same limit as the cron's. */
const BACKUP_MS = 8 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'large-backup-'));
const opened: Miniflare[] = [];

/** Opens migrated, empty databases and two empty buckets. `directories` are games whose directory lies apart. */
async function openEmpty(
  name: string,
  directories: readonly ('DIRECTORY_ROK' | 'DIRECTORY_COD')[] = [],
): Promise<Platform> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      d1Databases: ['DB', ...directories],
      r2Buckets: ['STORE', 'BACKUP'],
      resourcePersistencePath: join(folder, name),
    }),
  );
  opened.push(miniflare);
  const bound: Record<string, unknown> = {};
  for (const binding of ['DB', ...directories]) {
    const d1 = await miniflare.getD1Database(binding);
    await migrate(d1);
    bound[binding] = d1;
  }
  return {
    db: openDb(bound as never),
    store: (await miniflare.getR2Bucket('STORE')) as never,
    backup: (await miniflare.getR2Bucket('BACKUP')) as never,
    name,
    close: async () => undefined,
  };
}

type Bucket = Platform['store'];

/** Returns the bucket and how often each of its methods was called. From `most` puts on, a put fails. */
function counted(bucket: Bucket, most = Infinity): { bucket: Bucket; calls: Map<string, number> } {
  const calls = new Map<string, number>();
  const proxy = new Proxy(bucket, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const times = (calls.get(String(name)) ?? 0) + 1;
        if (name === 'put' && times > most) return Promise.reject(new Error('the process was killed'));
        calls.set(String(name), times);
        return method.apply(target, args);
      };
    },
  });
  return { bucket: proxy, calls };
}

const keyOf = (index: number): string =>
  `snapshots/game=rok/kingdom=${1000 + (index % 500)}/day=2026-08-01/${index}-v1.parquet`;

/** Writes objects, a few at a time. */
async function fill(store: Bucket, text: (index: number) => string, indexes: Iterable<number>): Promise<void> {
  const left = indexes[Symbol.iterator]();
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await store.put(keyOf(next.value), text(next.value));
  };
  await Promise.all(Array.from({ length: 6 }, work));
}

/** Backs up as the hourly cron does. Returns the calls to both buckets and the time of each run. */
async function backUpOn(service: Platform, now: number) {
  const [store, bucket] = [counted(service.store), counted(service.backup)];
  const parts = { db: service.db, store: store.bucket as never, bucket: bucket.bucket as never };
  const runs: number[] = [];
  for (let isOver = false; !isOver; ) {
    const began = Date.now();
    isOver = await backUp(parts, now, began + BACKUP_MS);
    runs.push(Date.now() - began);
  }
  return { store: store.calls, bucket: bucket.calls, runs };
}

let service: Platform;
beforeAll(
  async () => {
    service = await openEmpty('service');
    await fill(service.store, (index) => `scan ${index}`, Array.from({ length: OBJECTS }).keys());
  },
  120_000 + OBJECTS * 100,
);
afterAll(async () => {
  for (const miniflare of opened) await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test(
  `${OBJECTS} objects are backed up, the next day only what is new`,
  async () => {
    const first = await backUpOn(service, NOW);
    expect(first.store.get('get')).toBe(OBJECTS);
    await fill(service.store, (index) => `scan ${index}, again`, Array.from({ length: CHANGED }).keys());
    const second = await backUpOn(service, NOW + DAY_MS);
    process.stdout.write(
      `  ${OBJECTS} objects: ${first.runs.join(' + ')} ms; ${CHANGED} new ones: ${second.runs.join(' + ')} ms, ` +
        `${second.store.get('list')} lists, ${second.bucket.get('get')} reads and ${second.bucket.get('put')} writes of the backup\n`,
    );
    expect(second.store.get('get')).toBe(CHANGED);
    expect(second.store.get('list')).toBe(Math.ceil(OBJECTS / 500));
    // Beside the objects: listings that name them, the manifest, its state and a few rows.
    expect(second.bucket.get('put')).toBeLessThan(2 * CHANGED + 20);
  },
  120_000 + OBJECTS * 100,
);

test(
  'an interrupted restore goes on with the objects that are missing',
  async () => {
    const kept = join(folder, 'fetched');
    await fetchBackup(service, kept);
    const target = await openEmpty('target');
    const cutAfter = Math.floor(OBJECTS / 2);
    const cut = counted(target.store, cutAfter);
    await expect(restoreBackup({ ...target, store: cut.bucket }, kept)).rejects.toThrow('the process was killed');
    const rest = counted(target.store);
    const began = Date.now();
    expect(await restoreBackup({ ...target, store: rest.bucket }, kept)).toMatchObject({ objects: OBJECTS });
    process.stdout.write(`  the second half of the objects: ${Date.now() - began} ms\n`);
    expect(rest.calls.get('put')).toBe(OBJECTS - cutAfter);
    expect(await (await target.store.get(keyOf(0)))?.text()).toBe('scan 0, again');
    expect(await (await target.store.get(keyOf(OBJECTS - 1)))?.text()).toBe(`scan ${OBJECTS - 1}`);
  },
  120_000 + OBJECTS * 100,
);

test('packed histories are backed up and restored with the directory that points to them', async () => {
  const [kingdoms, days, governors] = [[1001, 1002, 1003], 5, 40];
  const own = await openEmpty('histories');
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
  const apart = await openEmpty('restored-apart', ['DIRECTORY_ROK']);
  await restoreBackup(apart, kept);
  expect(await apart.db.$client.prepare('SELECT count(*) AS n FROM governors').first('n')).toBe(0);
  await takeBackup(apart, join(folder, 'taken-apart'));
  const target = await openEmpty('restored-histories');
  await restoreBackup(target, join(folder, 'taken-apart'));
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
