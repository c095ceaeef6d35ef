import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { wholeTable, writeSnapshot } from '../../../worker/files/parquet.ts';
import {
  exportKey,
  keepExport,
  keptExport,
  openStored,
  putSnapshot,
  snapshotKey,
} from '../../../worker/gateways/snapshot-store.ts';
import { MOMENT, metaFor, plainTable } from './rows.ts';

const { STORE } = env as unknown as { STORE: R2Bucket };

const keyOf = (id: string) => snapshotKey({ game: 'rok', kingdom_id: 3584, captured_at: MOMENT, id, version: 1 });

test('a snapshot is stored in folders of game, kingdom and day', () => {
  expect(keyOf('it_abc')).toBe('snapshots/game=rok/kingdom=3584/day=2026-11-21/it_abc-v1.parquet');
});

test('a small snapshot is read in one request, a large one range by range', async () => {
  for (const [id, rows] of [
    ['small', 300],
    ['large', 60_000],
  ] as const) {
    const table = plainTable('rok', rows);
    const bytes = writeSnapshot(table, metaFor(table));
    await putSnapshot(STORE, keyOf(id), bytes);
    let requests = 0;
    const counting = {
      get: (key: string, options: R2GetOptions) => {
        requests++;
        return STORE.get(key, options);
      },
    } as unknown as R2Bucket;
    expect(await wholeTable(await openStored(counting, keyOf(id)))).toEqual(table);
    // The first request reads the end of the file, including the last four of six row groups.
    expect(requests).toBe(id === 'small' ? 1 : 3);
    const body = await STORE.get(keyOf(id));
    expect(new Uint8Array((await body?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes);
  }
  // A snapshot that is deleted between two of its requests.
  let first = true;
  const going = {
    get: async (key: string, options: R2GetOptions) => {
      if (!first) return null;
      first = false;
      return STORE.get(key, options);
    },
  } as unknown as R2Bucket;
  await expect(openStored(going, keyOf('large')).then(wholeTable)).rejects.toThrow(
    'large-v1.parquet is missing in the store',
  );
});

test('a missing snapshot is reported as missing', async () => {
  await expect(openStored(STORE, keyOf('never'))).rejects.toThrow('never-v1.parquet is missing');
});

test('an export has its own key for each type, order and set of snapshots', () => {
  const [one, two] = [keyOf('one'), keyOf('two')];
  expect(exportKey({ snapshots: [one], type: 'csv' })).toBe(`exports/${one}/v5.csv`);
  expect(exportKey({ snapshots: [one], type: 'json', sort: 'Killpoints', reversed: true })).toBe(
    `exports/${one}/v5-killpoints-reversed.json`,
  );
  const both = exportKey({ snapshots: [one, two], type: 'xlsx' });
  expect(both).toMatch(/^exports\/combined\/[0-9a-f]{32}\/v5\.xlsx$/);
  expect(exportKey({ snapshots: [two, one], type: 'xlsx' })).not.toBe(both);
});

const bytesOf = (sizes: number[]) => sizes.map((size, index) => new Uint8Array(size).fill(index + 1));
const streamOf = (chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

test('an export is stored while it is sent, small or in parts', async () => {
  const MiB = 1024 * 1024;
  for (const [key, sizes] of [
    ['exports/empty', []],
    ['exports/small', [10, 20]],
    ['exports/large', [4 * MiB, 3 * MiB, 5]],
    ['exports/exact', [5 * MiB, 5 * MiB]],
  ] as const) {
    const chunks = bytesOf([...sizes]);
    const sent = await new Response(keepExport(STORE, key, 'text/csv', streamOf(chunks))).arrayBuffer();
    const kept = await keptExport(STORE, key);
    expect(kept?.httpMetadata?.contentType).toBe('text/csv');
    expect(kept?.size).toBe(sizes.reduce<number>((sum, size) => sum + size, 0));
    const stored = Buffer.from((await kept?.arrayBuffer()) ?? new ArrayBuffer(1));
    expect(stored.equals(Buffer.from(sent))).toBe(true);
    expect(stored.equals(Buffer.concat(chunks))).toBe(true);
  }
});

test('an export that fails midway is not stored', async () => {
  let sent = 0;
  const breaking = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ < 7) controller.enqueue(new Uint8Array(1024 * 1024));
      else controller.error(new Error('the disk is gone'));
    },
  });
  const stream = keepExport(STORE, 'exports/broken', 'text/csv', breaking);
  await expect(new Response(stream).arrayBuffer()).rejects.toThrow('the disk is gone');
  expect(await keptExport(STORE, 'exports/broken')).toBeNull();
});

test('a client that disconnects leaves nothing behind', async () => {
  const chunks = bytesOf([6 * 1024 * 1024, 1]);
  const reader = keepExport(STORE, 'exports/left', 'text/csv', streamOf(chunks)).getReader();
  await reader.read();
  await reader.cancel();
  expect(await keptExport(STORE, 'exports/left')).toBeNull();
});
