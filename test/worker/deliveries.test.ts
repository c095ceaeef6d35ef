import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { CLOCK_SKEW_MS } from '../../domain/moments.ts';
import { Adder } from '../../domain/scans/result-sums.ts';
import { MAX_DOWNLOAD_ROWS, MAX_SHOWN_ROWS } from '../../domain/scans/results.ts';
import { exportKey, keepSums } from '../../worker/gateways/snapshot-store.ts';
import { refuseFuture } from '../../worker/services/library/preview-import.ts';
import { deliverResults } from '../../worker/services/results/deliver-results.ts';
import type { Stored } from '../../worker/services/results/page-results.ts';
import { sharedTitle, shownShared } from '../../worker/services/results/shared-card.ts';
import { scanOf, signedInUser } from './client.ts';
import { cell } from './people.ts';
import { governor, publishRows } from './scans.ts';

/** File names and size limits of results whose files are already in the store. */

const MB = 1024 * 1024;
const stored = (kingdom_id: number, captured_at: number, more: Partial<Stored> = {}): Stored => ({
  key: `deliveries/${kingdom_id}-${captured_at}`,
  game: 'rok',
  kind: 'scan',
  kingdom_id,
  captured_at,
  rows: 1,
  ...more,
});
const QUERY = { sort: undefined, reversed: false, page: 0, count: 0, bom: false, named: true } as const;
const WANTED = { accept: undefined, range: undefined, ifRange: undefined, ifNoneMatch: undefined, head: false };
const DAYS = [Date.parse('2026-03-02T10:00Z'), Date.parse('2026-03-03T10:00Z'), Date.parse('2026-03-01T10:00Z')];

/** Stores a finished export and requests it. */
async function delivered(snapshots: readonly Stored[], type: 'csv' | 'xlsx', bytes: number, accept?: string) {
  const keys = snapshots.map(({ key }) => key);
  await env.STORE.put(
    exportKey({ snapshots: keys, type, sort: undefined, reversed: false }),
    new Uint8Array(bytes).fill(65),
  );
  return deliverResults(env, snapshots, { ...QUERY, type }, { ...WANTED, accept });
}

it('a file name has its games, its kingdoms and its newest day', async () => {
  const nameOf = async (...snapshots: Stored[]) => {
    const response = await delivered(snapshots, 'csv', 1);
    await response.body?.cancel();
    return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  };
  const [second, third, first] = DAYS as [number, number, number];
  expect(await nameOf(stored(7, second), stored(7, third), stored(7, first))).toBe('rok-7-2026-03-03.csv');
  expect(await nameOf(stored(7, second), stored(8, first))).toBe('rok-2-kingdoms-2026-03-02.csv');
  expect(await nameOf(stored(7, first), stored(8, first, { game: 'cod' }))).toBe('rok-cod-2-kingdoms-2026-03-01.csv');
});

it('shared results show their newest time, and count as a history only if all of them are', () => {
  const [second, third, first] = DAYS as [number, number, number];
  const shown = (...snapshots: [Stored, ...Stored[]]) =>
    shownShared({ game: 'rok', combined: true, snapshots, expires_at: 1 });
  const histories = [stored(7, second, { kind: 'history' }), stored(7, third, { kind: 'history' })] as const;
  expect(shown(...histories)).toMatchObject({ kind: 'history', captured_at: third, kingdom_count: 1, rows: 2 });
  const mixed = [stored(8, third), ...histories, stored(7, first)] as const;
  expect(shown(...mixed)).toMatchObject({ kind: 'scan', captured_at: third, kingdom_count: 2, kingdom_id: 8 });
  expect(sharedTitle({ game: 'rok', combined: true, snapshots: [...mixed], expires_at: 1 })).toBe(
    '2 kingdoms · 3 Mar 2026',
  );
});

it('refuses more than 16 MB as JSON but not as a file', async () => {
  const large = [stored(9, 1)];
  const json = 'application/json';
  await expect(delivered(large, 'csv', 16 * MB + 1, json)).rejects.toThrow(/^This is too large for one JSON answer/);
  const file = await delivered(large, 'csv', 16 * MB + 1);
  await file.body?.cancel();
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
});

it('refuses titles of a language that cannot be read now, and stores nothing under its name', async () => {
  await publishRows('rok', 9911, Date.now(), [governor(1101, 5e6)]);
  const key = await cell<string>('SELECT key FROM snapshots WHERE kingdom_id = 9911');
  const snapshots = [stored(9911, 1, { key })];
  const inPortuguese = { ...QUERY, type: 'csv', headers: 'pt' } as const;
  const ASSETS = { ...env.ASSETS, fetch: async () => new Response('', { status: 503 }) };
  // In an isolate that has not read the language yet.
  vi.resetModules();
  const fresh = await import('../../worker/services/results/deliver-results.ts');
  await expect(fresh.deliverResults({ ...env, ASSETS }, snapshots, inPortuguese, WANTED)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Our storage cannot take this right now. Please try again in a minute.',
  });
  expect(await env.STORE.head(exportKey({ snapshots: [key], ...inPortuguese }))).toBeNull();
  const file = await (await deliverResults(env, snapshots, inPortuguese, WANTED)).text();
  expect(file).toMatch(/^ID do governador,/);
});

it('refuses too many rows for a sheet before reading anything', async () => {
  const tooMuch = [stored(10, 1, { rows: 1_048_576 })];
  await expect(deliverResults(env, tooMuch, { ...QUERY, type: 'xlsx' }, WANTED)).rejects.toMatchObject({
    code: 'too_large',
  });
});

it('shows and downloads combined results up to row limits, and only counts them above', async () => {
  const user = await signedInUser();
  const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([51])] })).data;
  const sums = new Adder().finish();
  await keepSums(env.STORE, ['together'], { parts: [sums], totals: [sums] });
  const ofRows = async (rows: number) => {
    await env.DB.batch([
      env.DB.prepare(
        `INSERT OR REPLACE INTO snapshots (id, key, game, kingdom_id, captured_at, source, rows, bytes, quality, created_at)
         VALUES (9002, 'together', 'rok', 51, 1, '', ?, 1, '{}', 1)`,
      ).bind(rows),
      env.DB.prepare(`UPDATE items SET state = 'done', snapshot_id = 9002 WHERE order_id = ?`).bind(order_id),
    ]);
    const { data } = await user.call('GET', `/v1/order/${order_id}/combined`);
    return [data.rows, data.parts.length, data.totals.length, data.downloadable];
  };
  expect(await ofRows(MAX_SHOWN_ROWS)).toEqual([MAX_SHOWN_ROWS, 1, 1, true]);
  expect(await ofRows(MAX_SHOWN_ROWS + 1)).toEqual([MAX_SHOWN_ROWS + 1, 0, 0, true]);
  expect(await ofRows(MAX_DOWNLOAD_ROWS)).toEqual([MAX_DOWNLOAD_ROWS, 0, 0, true]);
  expect(await ofRows(MAX_DOWNLOAD_ROWS + 1)).toEqual([MAX_DOWNLOAD_ROWS + 1, 0, 0, false]);
});

it('adds the UTF-8 byte order mark to CSV only', async () => {
  const sizeOf = async (type: 'csv' | 'xlsx') => {
    await delivered([stored(9, 1)], type, 5);
    const response = await deliverResults(env, [stored(9, 1)], { ...QUERY, type, bom: true }, WANTED);
    return (await response.arrayBuffer()).byteLength;
  };
  expect([await sizeOf('csv'), await sizeOf('xlsx')]).toEqual([8, 5]);
});

it('accepts times up to five minutes ahead of our clock', () => {
  const now = DAYS[0] as number;
  expect(() => refuseFuture(now + CLOCK_SKEW_MS, now)).not.toThrow();
  expect(() => refuseFuture(now + CLOCK_SKEW_MS + 1, now)).toThrow(/is in the future/);
  expect(() => refuseFuture(null, now)).not.toThrow();
});
