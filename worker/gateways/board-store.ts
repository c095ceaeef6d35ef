import {
  type BoardId,
  type BoardManifest,
  emptyManifest,
  hidingIn,
  storedVersion,
} from '../../domain/boards/leaderboard.ts';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/games.ts';
import { release } from '../../domain/release.ts';
import { gzipOf, type Packed } from '../files/gzip.ts';
import { forEachAtOnce } from '../isolate/at-once.ts';

/**
 * Boards in R2: gzipped responses, ready to send, under keys with game, board, day and version. Only the manifest says
 * which of them are current.
 */

const MANIFEST = 'boards/manifest.json';

/** A day's board, in any version. */
export interface BoardDay {
  game: GameId;
  board: BoardId;
  day: Day;
}

export interface BoardSet extends BoardDay {
  /** The version in the manifest, with the mark of hidden governors. */
  version: string;
}

/**
 * `all`: every row; `page-<n>`: 100 rows; `ranks`: row keys in order with the value ranked by, for the next day;
 * `list`: rows without info; `finder`: one line per row (domain/boards/finder.ts).
 */
export type BoardPart = 'all' | 'ranks' | 'list' | 'finder' | `page-${number}`;

const dayFolder = ({ game, board, day }: BoardDay): string => `boards/${game}/${board}/${day}/`;
const folderOf = (set: BoardSet): string => dayFolder(set) + storedVersion(set.version);

export const boardKey = (set: BoardSet, part: BoardPart): string => `${folderOf(set)}/${part}.json.gz`;

/** Returns the key of an image in the board's folder, without language and ending, so that both are deleted together. */
export const cardKey = (set: BoardSet, look: number, name = 'card'): string =>
  `${folderOf(set)}/${name}-${look}${hidingIn(set.version)}`;

/** A part's text in UTF-8, compressed. Parts share the pieces of their rows. */
export type Pieces = Iterable<Packed>;

/**
 * Parts that a first visit asks for. Each has a copy whose name lacks the version, so that it can be read while the
 * manifest is. The copy says which version it is of.
 */
const FIRST_PARTS: readonly BoardPart[] = ['page-0', 'list', 'all'];

const newestKey = (day: BoardDay, part: BoardPart): string => `${dayFolder(day)}newest/${part}.json.gz`;

/** Returns the copy of a part that was stored last, or null if there is none. */
export async function newestPart(
  store: R2Bucket,
  day: BoardDay,
  part: BoardPart,
): Promise<{ version: string; bytes: ArrayBuffer } | null> {
  const object = FIRST_PARTS.includes(part) ? await store.get(newestKey(day, part)) : null;
  const version = object?.customMetadata?.version;
  if (object && version !== undefined) return { version, bytes: await object.arrayBuffer() };
  // An unread body would be held open.
  await object?.body.cancel();
  return null;
}

/** Stores the parts of a set. Idempotent. Returns their size in bytes. */
export async function putBoard(store: R2Bucket, set: BoardSet, parts: Iterable<[BoardPart, Pieces]>): Promise<number> {
  let size = 0;
  await forEachAtOnce(parts, async ([part, pieces]) => {
    const bytes = gzipOf(pieces);
    size += bytes.byteLength;
    const options = { httpMetadata: { contentType: 'application/json', contentEncoding: 'gzip' } };
    await store.put(boardKey(set, part), bytes, options);
    if (FIRST_PARTS.includes(part))
      await store.put(newestKey(set, part), bytes, {
        ...options,
        customMetadata: { version: storedVersion(set.version) },
      });
    release([bytes.buffer]);
  });
  return size;
}

/** Returns a part's compressed bytes, or null if it does not exist. */
export async function boardPart(store: R2Bucket, set: BoardSet, part: BoardPart): Promise<ArrayBuffer | null> {
  const object = await store.get(boardKey(set, part));
  return object ? object.arrayBuffer() : null;
}

/** Returns an image's bytes, or null if it was not drawn yet. */
export async function picture(store: R2Bucket, key: string): Promise<ArrayBuffer | null> {
  const object = await store.get(key);
  return object ? object.arrayBuffer() : null;
}

export async function putPicture(store: R2Bucket, key: string, png: ArrayBuffer): Promise<void> {
  await store.put(key, png, { httpMetadata: { contentType: 'image/png' } });
}

/** Returns the manifest and the ETag needed to change it. */
export async function readBoardManifest(store: R2Bucket): Promise<{ manifest: BoardManifest; etag: string | null }> {
  const object = await store.get(MANIFEST);
  if (!object) return { manifest: emptyManifest(), etag: null };
  return { manifest: { ...emptyManifest(), ...(await object.json<BoardManifest>()) }, etag: object.etag };
}

/** Returns when the manifest was last changed (epoch ms); null if there is none. */
export const manifestChangedAt = async (store: R2Bucket): Promise<number | null> =>
  (await store.head(MANIFEST))?.uploaded.getTime() ?? null;

const TRIES = 5;

/** Changes the manifest atomically. If another writer came first, applies the change again to the new manifest. */
export async function changeManifest(
  store: R2Bucket,
  change: (manifest: BoardManifest) => void,
): Promise<BoardManifest> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { manifest, etag } = await readBoardManifest(store);
    change(manifest);
    const onlyIf = etag === null ? new Headers({ 'if-none-match': '*' }) : { etagMatches: etag };
    const stored = await store.put(MANIFEST, JSON.stringify(manifest), {
      onlyIf,
      httpMetadata: { contentType: 'application/json' },
    });
    if (stored) return manifest;
  }
  throw new Error('The manifest of the boards was changed by others all the time.');
}

/** Deletes all versions of a day's board. */
export async function dropBoard(store: R2Bucket, game: GameId, board: BoardId, day: Day): Promise<void> {
  for (;;) {
    const { objects, truncated } = await store.list({ prefix: dayFolder({ game, board, day }) });
    if (objects.length > 0) await store.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
