import { gunzipSync, gzipSync } from 'node:zlib';
import { type BoardManifest, hidingIn, isMarked, storedVersion } from '../../domain/boards/leaderboard.ts';
import { withoutNames } from '../../domain/boards/profile.ts';
import { LruCache } from '../isolate/lru-cache.ts';
import { SingleFlight } from '../isolate/single-flight.ts';
import {
  type BoardDay,
  type BoardPart,
  type BoardSet,
  boardKey,
  boardPart,
  newestPart,
  readBoardManifest,
} from './board-store.ts';

/**
 * This isolate's cache in front of R2. Versioned objects never change and stay as long as there is room; the manifest
 * is refreshed every few seconds. Workers Cache stands in front of both (worker/gateways/workers-cache.ts).
 */

/** Maximum age of the manifest, in ms. */
const MANIFEST_MS = 15_000;
/** Bytes of boards cached per isolate, a fifth of its memory. */
const ROOM = 24 * 1024 * 1024;

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
    const { manifest } = await readBoardManifest(store);
    manifestHeld = { manifest, until: now + MANIFEST_MS };
    return manifest;
  });
}

/**
 * Returns the manifest like `currentManifest`. In a new isolate, reads a part of the board that is probably shown at the
 * same time: the first visitor waits for one trip instead of two.
 */
export async function manifestWith(
  store: R2Bucket,
  now: number,
  day: BoardDay,
  part: BoardPart,
): Promise<BoardManifest> {
  const cached = cachedManifest(now);
  if (cached) return cached;
  const [manifest] = await Promise.all([
    freshManifest(store, now),
    manifestHeld ? undefined : readAhead(store, day, part),
  ]);
  return manifest;
}

/** Loads a part of a day's board into memory, under the version that it says. If it fails, the part is read again. */
async function readAhead(store: R2Bucket, day: BoardDay, part: BoardPart): Promise<void> {
  const found = await newestPart(store, day, part).catch(() => null);
  if (found) keepObject(cacheName({ ...day, version: found.version }, part), found.bytes);
}

/** Drops the cached manifest here, so that a publisher sees the change. */
export function forgetManifest(): void {
  manifestHeld = undefined;
}

/** Returns a part's compressed bytes from this isolate's memory. */
export const cachedPart = (name: string): Bytes | undefined => cache.get(name);

/** Returns a part's key in memory. */
export const cacheName = (set: BoardSet, part: string): string =>
  `${boardKey(set, 'all')}${hidingIn(set.version)}#${part}`;

/** Parts with rows, which are shown to everyone. */
const isShown = (part: BoardPart): boolean => part === 'all' || part === 'list' || part.startsWith('page-');

/** Returns a stored part without the names of hidden governors. */
async function shownPart(store: R2Bucket, set: BoardSet, part: BoardPart): Promise<Bytes | null> {
  const bytes =
    cachedPart(cacheName({ ...set, version: storedVersion(set.version) }, part)) ?? (await boardPart(store, set, part));
  if (!bytes || hidingIn(set.version) === '' || !isShown(part)) return bytes;
  const cached = (await currentManifest(store, Date.now()))[set.game];
  // A cached manifest may be older than the version.
  const boards = isMarked(set.version, cached) ? cached : (await readBoardManifest(store)).manifest[set.game];
  const packed = gzipSync(withoutNames(gunzipSync(bytes).toString(), new Set(boards.hidden?.ids)));
  return packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength) as Bytes;
}

/** Returns a part's compressed bytes from memory or R2, or null if the set has no such part. */
export const nearestPart = (store: R2Bucket, set: BoardSet, part: BoardPart): Promise<Bytes | null> =>
  nearestObject(cacheName(set, part), () => shownPart(store, set, part));

/** Returns bytes derived from a part, made once and cached with it. */
export const nearestMade = (set: BoardSet, name: string, make: () => Promise<Bytes | null>): Promise<Bytes | null> =>
  nearestObject(cacheName(set, name), make);

/** Returns the bytes of an immutable object, by key. */
export function nearestObject(key: string, load: () => Promise<Bytes | null>): Promise<Bytes | null> {
  const bytes = cachedPart(key);
  if (bytes) return Promise.resolve(bytes);
  return coming.get(key, async () => {
    const found = await load();
    if (found) keepObject(key, found);
    return found;
  });
}

/** Caches the bytes of an immutable object, by key. */
export function keepObject(key: string, bytes: Bytes): void {
  if (bytes.byteLength <= ROOM / 2) cache.put(key, bytes, bytes.byteLength);
}

/** Returns the cached manifest if it is recent, otherwise reads it. */
export const currentManifest = async (store: R2Bucket, now: number): Promise<BoardManifest> =>
  cachedManifest(now) ?? freshManifest(store, now);
