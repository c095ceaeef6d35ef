import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import operating from '../../docs/operating.md?raw';
import {
  backupTimes,
  bytesOf,
  listingOf,
  readBackupState,
  readManifest,
  writeBackupState,
} from '../../worker/gateways/backup-store.ts';
import { backUp, backupTrouble, sampleBackup } from '../../worker/services/service/back-up.ts';
import { db, fireCron } from './client.ts';

/** Automatic backups: their contents, incremental writes, and the alert for a missing one. */

const HOUR = 3_600_000;
const NOW = Date.parse('2026-05-01T00:00:00Z');
const { STORE, BACKUP } = env;
const parts = { db, store: STORE, bucket: BACKUP };

const news = (first: number, count: number) =>
  env.DB.batch(
    Array.from({ length: count }, (_, index) =>
      env.DB.prepare('INSERT INTO news (id, title, body, published_at) VALUES (?, ?, ?, 1)').bind(
        first + index,
        `News ${first + index}`,
        'x'.repeat(100),
      ),
    ),
  );
const empty = async (bucket: R2Bucket) => {
  for (let listed = await bucket.list(); listed.objects.length > 0; listed = await bucket.list())
    await bucket.delete(listed.objects.map(({ key }) => key));
};
const under = async (prefix: string) => (await BACKUP.list({ prefix })).objects.map(({ key }) => key);
const newest = async () => readManifest(BACKUP, (await backupTimes(BACKUP)).at(-1) ?? '');

beforeEach(async () => {
  await empty(STORE);
  await empty(BACKUP);
  await env.DB.prepare('DELETE FROM news').run();
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('a backup holds every row and object that cannot be rebuilt', async () => {
  await news(1, 3000);
  await STORE.put('scans/a', 'one', { httpMetadata: { contentType: 'text/plain' } });
  await STORE.put('exports/a', 'made again');
  expect(await backUp(parts, NOW, Infinity)).toBe(true);
  const manifest = await newest();
  expect(manifest.taken_at).toBe('2026-05-01T00:00:00.000Z');
  expect(manifest.tables.news).toMatchObject({ rows: 3000 });
  expect(Object.keys(manifest.tables)).toEqual(expect.arrayContaining(['users', 'ledger_entries', 'items', 'runs']));
  expect(manifest.migrations.length).toBeGreaterThan(20);
  const [listing] = manifest.listings;
  expect(listing && (await listingOf(BACKUP, listing))).toMatchObject([
    { key: 'scans/a', size: 3, httpMetadata: { contentType: 'text/plain' } },
  ]);
  expect(await sampleBackup(BACKUP, manifest)).toBeGreaterThan(1);
});

it('a second backup writes only what has changed', async () => {
  await news(1, 6000);
  await STORE.put('scans/a', 'one');
  await STORE.put('scans/b', 'two');
  await backUp(parts, NOW, Infinity);
  const before = await newest();
  await news(7000, 1);
  await env.DB.prepare(`UPDATE news SET body = 'other' WHERE id = 3000`).run();
  await STORE.put('scans/b', 'three');
  const put = vi.spyOn(BACKUP, 'put');
  const read = vi.spyOn(STORE, 'get');
  expect(await backUp(parts, NOW + 21 * HOUR, Infinity)).toBe(true);
  const written = put.mock.calls.map(([name]) => name.split('/')[0]);
  expect(written.filter((folder) => folder === 'rows').length).toBeLessThanOrEqual(2);
  expect(written.filter((folder) => folder === 'objects')).toHaveLength(1);
  expect(read.mock.calls.map(([key]) => key)).toEqual(['scans/b']);
  const files = (manifest: typeof before) => manifest.tables.news?.files.map(({ sha256 }) => sha256) ?? [];
  const after = files(await newest());
  expect(after.filter((sha) => !files(before).includes(sha)).length).toBeLessThanOrEqual(2);
  expect(files(before).length).toBeGreaterThan(3);
});

/** More objects than one listing holds. */
const OBJECTS = 510;
const objectKey = (index: number) => `scans/${String(index).padStart(5, '0')}`;

async function putObjects(): Promise<void> {
  for (let from = 0; from < OBJECTS; from += 30)
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => STORE.put(objectKey(from + index), String(from + index))),
    );
}

it('a backup continues after a timeout, and counts only once complete', async () => {
  await news(1, 1200);
  await putObjects();
  let rounds = 1;
  while (!(await backUp(parts, NOW + rounds * HOUR, 0))) {
    expect(await backupTimes(BACKUP)).toEqual([]);
    rounds += 1;
  }
  expect(rounds).toBeGreaterThan(3);
  const manifest = await newest();
  expect(manifest.tables.news?.rows).toBe(1200);
  const keys = (await Promise.all(manifest.listings.map((one) => listingOf(BACKUP, one)))).flat().map(({ key }) => key);
  expect(keys).toHaveLength(OBJECTS);
  expect(new Set(keys).size).toBe(OBJECTS);
});

it('a backup that copies no object stores its state once for all listings, and reads each three times', async () => {
  await putObjects();
  await backUp(parts, NOW, Infinity);
  const put = vi.spyOn(BACKUP, 'put');
  const get = vi.spyOn(BACKUP, 'get');
  expect(await backUp(parts, NOW + 21 * HOUR, Infinity)).toBe(true);
  // For what was copied before, for the sample (one of the two), and for what no backup uses.
  expect(get.mock.calls.filter(([name]) => name.startsWith('listings/'))).toHaveLength(5);
  // After the tables, after the listings and at the end.
  expect(put.mock.calls.filter(([name]) => name === 'state.json')).toHaveLength(3);
  expect((await newest()).listings).toHaveLength(2);
});

it('a backup copies large objects one at a time, because each is in memory as a whole', async () => {
  const large = ['a', 'b', 'c'].map((name) => `imports/user/${name}`);
  for (const key of large) await STORE.put(key, new Uint8Array(2 * 2 ** 20 + 1).fill(key.charCodeAt(key.length - 1)));
  await putObjects();
  let [open, most] = [0, 0];
  const get = STORE.get.bind(STORE);
  vi.spyOn(STORE, 'get').mockImplementation((async (key: string) => {
    if (!large.includes(key)) return get(key);
    most = Math.max(most, ++open);
    return get(key);
  }) as never);
  const put = BACKUP.put.bind(BACKUP);
  vi.spyOn(BACKUP, 'put').mockImplementation((async (name: string, value: Uint8Array) => {
    const { byteLength } = value;
    await put(name, value);
    if (byteLength > 2 * 2 ** 20) open--;
  }) as never);
  expect(await backUp(parts, NOW, Infinity)).toBe(true);
  expect(most).toBe(1);
  const listed = await Promise.all((await newest()).listings.map((listing) => listingOf(BACKUP, listing)));
  expect(listed.flat().filter(({ key }) => large.includes(key))).toMatchObject(
    large.map((key) => ({ key, size: 2 * 2 ** 20 + 1 })),
  );
  expect(listed.flat()).toHaveLength(OBJECTS + large.length);
});

it('a backup whose run is cut off continues behind the last listing', async () => {
  await putObjects();
  const get = STORE.get.bind(STORE);
  const read = vi.spyOn(STORE, 'get').mockImplementation((async (key: string) => {
    if (key === objectKey(OBJECTS - 1)) throw new Error('the invocation was cut off');
    return get(key);
  }) as never);
  await expect(backUp(parts, NOW, Infinity)).rejects.toThrow('the invocation was cut off');
  read.mockRestore();
  const again = vi.spyOn(STORE, 'get');
  expect(await backUp(parts, NOW + HOUR, Infinity)).toBe(true);
  expect(again.mock.calls.map(([key]) => key)).toEqual(
    Array.from({ length: 10 }, (_, index) => objectKey(500 + index)),
  );
  const manifest = await newest();
  const listed = await Promise.all(manifest.listings.map((one) => listingOf(BACKUP, one)));
  expect(listed.flat()).toHaveLength(OBJECTS);
});

it('a backup that an earlier release stopped within a table of another key copies that table once', async () => {
  const COUNT = 1200;
  await env.DB.prepare(
    `INSERT INTO search_entries (id, game, kind, ref, name, key, pairs)
     SELECT value, 'rok', 'governor', value, 'Ann', 'ann', '' FROM json_each(?)`,
  )
    .bind(JSON.stringify(Array.from({ length: COUNT }, (_, index) => 1 + index)))
    .run();
  const state = () => readBackupState(BACKUP);
  const stopped = async () => (await state())?.under_way?.table;
  do await backUp(parts, NOW, 0);
  while ((await stopped())?.name !== 'search_entries');
  const kept = await state();
  const table = kept?.under_way?.table;
  if (!kept || !table) throw new Error('no table was begun');
  expect(kept.under_way?.tables.search_entries?.rows).toBe(500);
  // That release ordered the table by id alone.
  table.after = table.after.slice(1);
  await writeBackupState(BACKUP, kept);
  expect(await backUp(parts, NOW, Infinity)).toBe(true);
  expect((await newest()).tables.search_entries?.rows).toBe(COUNT);
  await env.DB.prepare('DELETE FROM search_entries').run();
});

it('a backup begins again if a migration was applied meanwhile', async () => {
  await news(1, 1200);
  const migrated = (name: string) => env.DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name).run();
  onTestFinished(async () => {
    await env.DB.prepare(`DELETE FROM d1_migrations WHERE name LIKE 'test-%'`).run();
  });
  do await backUp(parts, NOW, 0);
  while (!(await readBackupState(BACKUP))?.under_way?.tables.news);
  await migrated('test-1');
  await env.DB.prepare(`UPDATE news SET body = 'migrated'`).run();
  // Another one is applied while the last object is copied.
  await STORE.put('scans/a', 'one');
  const get = STORE.get.bind(STORE);
  vi.spyOn(STORE, 'get').mockImplementationOnce((async (key: string) => {
    await migrated('test-2');
    return get(key);
  }) as never);
  expect(await backUp(parts, NOW + HOUR, Infinity)).toBe(false);
  expect(await backupTimes(BACKUP)).toEqual([]);
  expect(await backUp(parts, NOW + 2 * HOUR, Infinity)).toBe(true);
  const { migrations, tables, taken_at } = await newest();
  expect(migrations).toEqual(expect.arrayContaining(['test-1', 'test-2']));
  expect(taken_at).toBe('2026-05-01T02:00:00.000Z');
  const files = await Promise.all((tables.news?.files ?? []).map((file) => bytesOf(BACKUP, file)));
  const rows = files.flatMap((bytes) => gunzipSync(bytes).toString().split('\n'));
  expect(rows).toHaveLength(1200);
  expect(rows.filter((row) => !row.includes('"migrated"'))).toEqual([]);
});

it('a backup that was cut off behind its manifest is finished without writing the locked manifest again', async () => {
  await STORE.put('scans/a', 'one');
  const put = BACKUP.put.bind(BACKUP);
  const isThere = async (name: string) => name.startsWith('manifests/') && (await BACKUP.head(name)) !== null;
  let states = 0;
  vi.spyOn(BACKUP, 'put').mockImplementation((async (name: string, value: never) => {
    if (await isThere(name)) throw new Error('the object is locked');
    if (name === 'state.json' && (await backupTimes(BACKUP)).length > 0 && states++ === 0)
      throw new Error('the invocation was cut off');
    return put(name, value);
  }) as never);
  await expect(backUp(parts, NOW, Infinity)).rejects.toThrow('the invocation was cut off');
  expect(await backUp(parts, NOW + HOUR, Infinity)).toBe(true);
  expect((await readBackupState(BACKUP))?.latest).toBe('2026-05-01T00:00:00.000Z');
  expect(await sampleBackup(BACKUP, await newest())).toBeGreaterThan(0);
});

it('a backup with a corrupt file fails', async () => {
  await STORE.put('scans/a', 'one');
  const put = BACKUP.put.bind(BACKUP);
  vi.spyOn(BACKUP, 'put').mockImplementation((async (name: string, value: never) =>
    put(name, name.startsWith('objects/') ? 'rotten' : value)) as never);
  await expect(backUp(parts, NOW, Infinity)).rejects.toThrow('is not what was backed up');
  expect(await backupTimes(BACKUP)).toEqual([]);
});

it('keeps seven backups and only the files that they use', async () => {
  for (let day = 0; day < 9; day++) {
    await STORE.put('scans/a', `day ${day}`);
    await backUp(parts, NOW + day * 24 * HOUR, Infinity);
  }
  expect(await backupTimes(BACKUP)).toHaveLength(7);
  // No backup uses two of the files, but they are still too young to be deleted.
  expect(await under('objects/')).toHaveLength(9);
  await STORE.put('scans/a', 'the last');
  await backUp(parts, Date.now() + 10 * 24 * HOUR, Infinity);
  expect(await under('objects/')).toHaveLength(7);
  for (const time of await backupTimes(BACKUP)) await sampleBackup(BACKUP, await readManifest(BACKUP, time));
});

it('deletes no manifest that the bucket’s lock still protects', async () => {
  const locked = 24 * HOUR * Number(/lock add muster-backup .* --retention-days (\d+)/.exec(operating)?.[1]);
  const ages: number[] = [];
  let now = NOW;
  vi.spyOn(BACKUP, 'delete').mockImplementation(async (names) => {
    for (const [, time = ''] of `${names}`.matchAll(/manifests\/(.+?)\.json/g)) ages.push(now - Date.parse(time));
  });
  for (; now < NOW + 10 * 24 * HOUR && ages.length === 0; now += HOUR) await backUp(parts, now, Infinity);
  expect(ages).toHaveLength(1);
  // A backup that takes hours is stored that much later.
  expect(Math.min(...ages)).toBeGreaterThan(locked + 12 * HOUR);
});

it('the hourly cron starts a backup every 20 hours', async () => {
  await fireCron('0 * * * *', NOW);
  expect(await backupTimes(BACKUP)).toHaveLength(1);
  await fireCron('0 * * * *', NOW + 19 * HOUR);
  expect(await backupTimes(BACKUP)).toHaveLength(1);
  await fireCron('0 * * * *', NOW + 20 * HOUR);
  expect(await backupTimes(BACKUP)).toHaveLength(2);
});

it('a missing backup raises an alert after a day', async () => {
  expect(await backupTrouble(BACKUP, NOW)).toBeNull();
  await news(1, 3000);
  await backUp(parts, NOW, 0);
  expect(await backupTrouble(BACKUP, NOW + 24 * HOUR)).toBeNull();
  expect(await backupTrouble(BACKUP, NOW + 24 * HOUR + 1)).toMatchObject({ kind: 'backup' });
  while (!(await backUp(parts, NOW + 25 * HOUR, Infinity)));
  expect((await readBackupState(BACKUP))?.latest).toBe('2026-05-01T00:00:00.000Z');
  await backUp(parts, NOW + 25 * HOUR, Infinity);
  expect(await backupTrouble(BACKUP, NOW + 26 * HOUR)).toBeNull();
  expect(await backupTrouble(BACKUP, NOW + 51 * HOUR)).toMatchObject({ kind: 'backup' });
});
