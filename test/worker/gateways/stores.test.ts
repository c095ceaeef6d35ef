import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BoardManifest } from '../../../domain/boards/leaderboard.ts';
import { type Packed, packed } from '../../../worker/files/gzip.ts';
import {
  type BoardPart,
  type BoardSet,
  boardKey,
  boardPart,
  cardKey,
  changeManifest,
  dropBoard,
  picture,
  putBoard,
  putPicture,
  readBoardManifest,
} from '../../../worker/gateways/board-store.ts';
import { putWritten, snapshotKey } from '../../../worker/gateways/snapshot-store.ts';
import { listingFew } from '../stores.ts';

/** Boards and snapshots in their store, and the cache in front of it. */

const { STORE } = env;
const SET: BoardSet = { game: 'rok', board: 'governor-power', day: '2026-03-01', version: 'v' };
const text = async (bytes: ArrayBuffer | null | undefined) => bytes && new TextDecoder().decode(bytes);
const bytesOf = (of: string) => new TextEncoder().encode(of).buffer as ArrayBuffer;
const unpacked = async (bytes: ArrayBuffer) =>
  new Response(new Response(bytes).body?.pipeThrough(new DecompressionStream('gzip'))).text();
const keysUnder = async (prefix: string) => (await STORE.list({ prefix })).objects.map(({ key }) => key);

describe('boards', () => {
  it('are stored compressed by game, board, day and version, and deleted by day', async () => {
    const piece = (of: string) => packed(new TextEncoder().encode(of));
    const parts: [BoardPart, Packed[]][] = Array.from({ length: 20 }, (_, page) => [
      `page-${page}`,
      [piece(`[${page}`), piece(','), piece('1]')],
    ]);
    await putBoard(STORE, SET, parts.values());
    for (let page = 0; page < 20; page++)
      expect(await unpacked((await boardPart(STORE, SET, `page-${page}`)) as ArrayBuffer)).toBe(`[${page},1]`);
    const key = 'boards/rok/governor-power/2026-03-01/v/page-3.json.gz';
    expect(boardKey(SET, 'page-3')).toBe(key);
    expect((await STORE.head(key))?.httpMetadata).toEqual({ contentType: 'application/json', contentEncoding: 'gzip' });
    expect(await boardPart(STORE, SET, 'ranks')).toBeNull();
    const card = cardKey(SET, 4);
    expect(card).toBe('boards/rok/governor-power/2026-03-01/v/card-4');
    expect(await picture(STORE, card)).toBeNull();
    await putPicture(STORE, card, bytesOf('png'));
    expect(await text(await picture(STORE, card))).toBe('png');
    expect((await STORE.head(card))?.httpMetadata).toEqual({ contentType: 'image/png' });
    const others = [
      { ...SET, day: '2026-03-02' },
      { ...SET, board: 'governor-score' as const },
      { ...SET, game: 'cod' as const },
    ];
    for (const other of others) await putBoard(STORE, other, [['all', [piece('x')]] as [BoardPart, Packed[]]].values());
    await putBoard(STORE, { ...SET, version: 'w' }, [['all', [piece('x')]] as [BoardPart, Packed[]]].values());
    await Promise.all(Array.from({ length: 21 }, (_, index) => STORE.put(`${key}.${index}`, '')));
    await dropBoard(listingFew(STORE, 20), SET.game, SET.board, SET.day);
    // Each with its copy that is read before the version is known.
    expect(await keysUnder('boards/rok/governor-power/')).toEqual([
      'boards/rok/governor-power/2026-03-02/newest/all.json.gz',
      boardKey({ ...SET, day: '2026-03-02' }, 'all'),
    ]);
    expect(await keysUnder('boards/rok/governor-score/')).toHaveLength(2);
    expect(await keysUnder('boards/cod/')).toHaveLength(2);
  });

  it('have a manifest of both games, even if an earlier one had only one', async () => {
    await STORE.delete('boards/manifest.json');
    expect(await readBoardManifest(STORE)).toMatchObject({
      manifest: { rok: { since: null }, cod: { since: null } },
      etag: null,
    });
    await STORE.put('boards/manifest.json', JSON.stringify({ rok: { since: '2026-01-01', days: {} } }));
    const { manifest, etag } = await readBoardManifest(STORE);
    expect(manifest).toEqual({ rok: { since: '2026-01-01', days: {} }, cod: { since: null, days: {} } });
    expect(etag).toEqual(expect.any(String));
  });
});

describe('the cache in front of the store', () => {
  let cache: typeof import('../../../worker/gateways/board-cache.ts');
  // Each test starts with an empty isolate.
  beforeEach(async () => {
    vi.resetModules();
    cache = await import('../../../worker/gateways/board-cache.ts');
    cache.forgetManifest();
  });

  const NOW = 1_000_000;
  const since = (manifest: BoardManifest | undefined) => manifest?.rok.since;
  const write = (day: string) =>
    changeManifest(STORE, (manifest) => {
      manifest.rok.since = day;
    });

  it('keeps the manifest for fifteen seconds', async () => {
    await write('2026-02-01');
    expect(cache.cachedManifest(NOW)).toBeUndefined();
    expect(since(await cache.currentManifest(STORE, NOW))).toBe('2026-02-01');
    await write('2026-02-02');
    expect(since(cache.cachedManifest(NOW + 14_999))).toBe('2026-02-01');
    expect(cache.cachedManifest(NOW + 15_000)).toBeUndefined();
    // A clock that went back does not tell the age.
    expect(since(cache.cachedManifest(NOW))).toBe('2026-02-01');
    expect(cache.cachedManifest(NOW - 1)).toBeUndefined();
    expect(since(await cache.currentManifest(STORE, NOW + 14_999))).toBe('2026-02-01');
    cache.forgetManifest();
    expect(cache.cachedManifest(NOW)).toBeUndefined();
    expect(since(await cache.currentManifest(STORE, NOW))).toBe('2026-02-02');
  });

  it('reads a part once, and returns null for a missing one', async () => {
    const set = { ...SET, version: crypto.randomUUID() };
    expect(await cache.nearestPart(STORE, set, 'all')).toBeNull();
    await STORE.put(boardKey(set, 'all'), 'one');
    expect(await text(await cache.nearestPart(STORE, set, 'all'))).toBe('one');
    expect(await text(cache.cachedPart(cache.cacheName(set, 'all')))).toBe('one');
    await STORE.delete(boardKey(set, 'all'));
    expect(await text(await cache.nearestPart(STORE, set, 'all'))).toBe('one');
    // Results made from a part are cached beside it.
    const make = vi.fn(async () => bytesOf('made'));
    expect(await text(await cache.nearestMade(set, 'x', make))).toBe('made');
    expect(await text(await cache.nearestMade(set, 'x', make))).toBe('made');
    expect(await text(await cache.nearestMade(set, 'y', async () => bytesOf('other')))).toBe('other');
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('does not cache that an object is missing', async () => {
    const key = crypto.randomUUID();
    expect(await cache.nearestObject(key, async () => null)).toBeNull();
    expect(await text(await cache.nearestObject(key, async () => bytesOf('second')))).toBe('second');
  });

  it('caches nothing larger than half of its size', async () => {
    const half = 12 * 1024 * 1024;
    const key = crypto.randomUUID();
    await cache.nearestObject(`${key}/half`, async () => new ArrayBuffer(half));
    await cache.nearestObject(`${key}/more`, async () => new ArrayBuffer(half + 1));
    expect(cache.cachedPart(`${key}/half`)?.byteLength).toBe(half);
    expect(cache.cachedPart(`${key}/more`)).toBeUndefined();
  });
});

describe('a snapshot', () => {
  const name = {
    game: 'cod',
    kingdom_id: 7,
    captured_at: Date.UTC(2026, 0, 5, 23, 59, 59),
    id: 'i',
    version: 2,
  } as const;

  it('of a history has a folder of its own', () => {
    expect(snapshotKey(name)).toBe('snapshots/game=cod/kingdom=7/day=2026-01-05/i-v2.parquet');
    expect(snapshotKey({ ...name, kind: 'history' })).toBe('histories/game=cod/kingdom=7/day=2026-01-05/i-v2.parquet');
  });

  it('written piece by piece is stored whole, with its size, or not at all', async () => {
    const key = snapshotKey({ ...name, id: crypto.randomUUID() });
    const part = 5 * 1024 * 1024;
    async function* pieces(fails: boolean) {
      yield new Uint8Array(part - 1).fill(1);
      yield new Uint8Array(2).fill(2);
      if (fails) throw new Error('broken off');
      yield new Uint8Array(3).fill(3);
    }
    await expect(putWritten(STORE, key, pieces(true))).rejects.toThrow('broken off');
    expect(await STORE.head(key)).toBeNull();
    expect(await putWritten(STORE, key, pieces(false))).toBe(part + 4);
    const kept = new Uint8Array((await (await STORE.get(key))?.arrayBuffer()) ?? []);
    expect([...kept.subarray(part - 2)]).toEqual([1, 2, 2, 3, 3, 3]);
    expect((await STORE.head(key))?.httpMetadata).toEqual({ contentType: 'application/vnd.apache.parquet' });
  });
});
