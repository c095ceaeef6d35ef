import type { Manifest } from '../../domain/boards/leaderboard.ts';
import { Held } from '../held.ts';
import { Shared } from '../shared.ts';
import { type BoardSet, boardKey, boardPart, type Part, readManifest } from './board-store.ts';

/**
 * What is read before R2: this isolate's memory, then the edge's cache. Objects of a version never change, so they are
 * kept as long as there is room; the manifest is asked for again after a few seconds.
 */

/** How old the manifest may be, here and at the edge: a new board is seen everywhere after twice that. */
const MANIFEST_MS = 15_000;
/** Bytes of boards held by an isolate, a fifth of what it has. */
const ROOM = 24 * 1024 * 1024;
const EDGE_SECONDS = 86_400;
/** Never fetched: only a name inside the cache. */
const EDGE = 'https://boards.invalid/';

type Bytes = ArrayBuffer;

const held = new Held<Bytes>(ROOM);
const coming = new Shared<Bytes | null>();
let manifestHeld: { manifest: Manifest; until: number } | undefined;
const manifestComing = new Shared<Manifest>();

/** The manifest if it was read within the last seconds: no promise, because most answers need none. */
export const manifestAtHand = (now: number): Manifest | undefined =>
  manifestHeld && now < manifestHeld.until && manifestHeld.until - now <= MANIFEST_MS
    ? manifestHeld.manifest
    : undefined;

/** The manifest, read again where the one at hand is too old. */
export function freshManifest(store: R2Bucket, now: number): Promise<Manifest> {
  return manifestComing.get('', async () => {
    const bytes = await throughEdge('manifest.json', MANIFEST_MS / 1000, async () => {
      const { manifest } = await readManifest(store);
      return new TextEncoder().encode(JSON.stringify(manifest)).buffer as ArrayBuffer;
    });
    const manifest = JSON.parse(new TextDecoder().decode(bytes as Bytes)) as Manifest;
    manifestHeld = { manifest, until: now + MANIFEST_MS };
    return manifest;
  });
}

/** Forgets the manifest here and at this edge: whoever published wants to see it. */
export async function forgetManifest(): Promise<void> {
  manifestHeld = undefined;
  await caches.default.delete(`${EDGE}manifest.json`);
}

/** A part's compressed bytes from this isolate's memory. */
export const partAtHand = (name: string): Bytes | undefined => held.get(name);

/** The name under which a part is held. */
export const nameOf = (set: BoardSet, part: string): string => `${boardKey(set, 'all')}#${part}`;

/** A part's compressed bytes from wherever they are nearest, or null where the set has no such part. */
export const nearestPart = (store: R2Bucket, set: BoardSet, part: Part): Promise<Bytes | null> =>
  nearest(nameOf(set, part), boardKey(set, part), () => boardPart(store, set, part));

/** Bytes made from a part once and then kept beside it. */
export const nearestMade = (set: BoardSet, name: string, make: () => Promise<Bytes | null>): Promise<Bytes | null> =>
  nearest(nameOf(set, name), `${boardKey(set, 'all')}/${name}`, make);

/** Bytes of any other object that never changes, by its key. */
export const nearestObject = (key: string, load: () => Promise<Bytes | null>): Promise<Bytes | null> =>
  nearest(key, key, load);

function nearest(name: string, edgeName: string, load: () => Promise<Bytes | null>): Promise<Bytes | null> {
  const bytes = partAtHand(name);
  if (bytes) return Promise.resolve(bytes);
  return coming.get(name, async () => {
    const found = await throughEdge(edgeName, EDGE_SECONDS, load);
    if (found && found.byteLength <= ROOM / 2) held.put(name, found, found.byteLength);
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
        // As bytes, not as gzipped text: nothing on the way may unpack them.
        headers: { 'content-type': 'application/octet-stream', 'cache-control': `max-age=${seconds}` },
      }),
    );
  return bytes;
}

/** The manifest: the one at hand, or else a fresh one. */
export const currentManifest = async (store: R2Bucket, now: number): Promise<Manifest> =>
  manifestAtHand(now) ?? freshManifest(store, now);
