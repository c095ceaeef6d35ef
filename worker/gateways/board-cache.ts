import type { BoardManifest } from '../../domain/boards/leaderboard.ts';
import { LruCache } from '../isolate/lru-cache.ts';
import { SingleFlight } from '../isolate/single-flight.ts';
import { type BoardPart, type BoardSet, boardKey, boardPart, readBoardManifest } from './board-store.ts';

/**
 * Caches in front of R2: this isolate's memory, then the edge cache. Versioned objects never change and stay as long as
 * there is room; the manifest is refreshed every few seconds.
 */

/** Maximum age of the manifest, here and at the edge, in ms. A new board is visible everywhere after twice that. */
const MANIFEST_MS = 15_000;
/** Bytes of boards cached per isolate, a fifth of its memory. */
const ROOM = 24 * 1024 * 1024;
const EDGE_SECONDS = 86_400;
/** Never fetched; only names entries in the cache. */
const EDGE = 'https://boards.invalid/';

type Bytes = ArrayBuffer;

const cache = new LruCache<Bytes>(ROOM);
const coming = new SingleFlight<Bytes | null>();
let manifestHeld: { manifest: BoardManifest; until: number } | undefined;
const manifestComing = new SingleFlight<BoardManifest>();

/** Returns the cached manifest if it is recent. Synchronous, because most responses need no promise. */
export const cachedManifest = (now: number): BoardManifest | undefined =>
  manifestHeld && now < manifestHeld.until && manifestHeld.until - now <= MANIFEST_MS
    ? manifestHeld.manifest
    : undefined;

/** Reads the manifest again. */
export function freshManifest(store: R2Bucket, now: number): Promise<BoardManifest> {
  return manifestComing.get('', async () => {
    const bytes = await throughEdge('manifest.json', MANIFEST_MS / 1000, async () => {
      const { manifest } = await readBoardManifest(store);
      return new TextEncoder().encode(JSON.stringify(manifest)).buffer as ArrayBuffer;
    });
    const manifest = JSON.parse(new TextDecoder().decode(bytes as Bytes)) as BoardManifest;
    manifestHeld = { manifest, until: now + MANIFEST_MS };
    return manifest;
  });
}

/** Drops the cached manifest here and at this edge, so that a publisher sees the change. */
export async function forgetManifest(): Promise<void> {
  manifestHeld = undefined;
  await caches.default.delete(`${EDGE}manifest.json`);
}

/** Returns a part's compressed bytes from this isolate's memory. */
export const cachedPart = (name: string): Bytes | undefined => cache.get(name);

/** Returns a part's key in memory. */
export const cacheName = (set: BoardSet, part: string): string => `${boardKey(set, 'all')}#${part}`;

/** Returns a part's compressed bytes from the nearest cache or R2, or null if the set has no such part. */
export const nearestPart = (store: R2Bucket, set: BoardSet, part: BoardPart): Promise<Bytes | null> =>
  nearest(cacheName(set, part), boardKey(set, part), () => boardPart(store, set, part));

/** Returns bytes derived from a part, made once and cached with it. */
export const nearestMade = (set: BoardSet, name: string, make: () => Promise<Bytes | null>): Promise<Bytes | null> =>
  nearest(cacheName(set, name), `${boardKey(set, 'all')}/${name}`, make);

/** Returns the bytes of any other immutable object, by key. */
export const nearestObject = (key: string, load: () => Promise<Bytes | null>): Promise<Bytes | null> =>
  nearest(key, key, load);

function nearest(name: string, edgeName: string, load: () => Promise<Bytes | null>): Promise<Bytes | null> {
  const bytes = cachedPart(name);
  if (bytes) return Promise.resolve(bytes);
  return coming.get(name, async () => {
    const found = await throughEdge(edgeName, EDGE_SECONDS, load);
    if (found && found.byteLength <= ROOM / 2) cache.put(name, found, found.byteLength);
    return found;
  });
}

async function throughEdge(name: string, seconds: number, load: () => Promise<Bytes | null>): Promise<Bytes | null> {
  const address = `${EDGE}${name}`;
  const cached = await caches.default.match(address);
  if (cached) return cached.arrayBuffer();
  const bytes = await load();
  if (bytes)
    await caches.default.put(
      address,
      new Response(bytes, {
        // As opaque bytes, so that nothing on the way decompresses them.
        headers: { 'content-type': 'application/octet-stream', 'cache-control': `max-age=${seconds}` },
      }),
    );
  return bytes;
}

/** Returns the cached manifest if it is recent, otherwise reads it. */
export const currentManifest = async (store: R2Bucket, now: number): Promise<BoardManifest> =>
  cachedManifest(now) ?? freshManifest(store, now);
