import { createHash } from 'node:crypto';
import type { GameId } from '../../domain/games/games.ts';

/** Files of users' own scans in R2: incoming and waiting uploads, and own scans, separate from those sold. */

/** The body of a call: a stream of known length, or bytes. */
export type Body = ReadableStream | Uint8Array | null;

const uploadKey = (userId: string, importId: string): string => `imports/${userId}/${importId}`;
const folderOf = (userId: string, importId: string): string => `own/${userId}/${importId}/`;

/**
 * Returns the key of an own scan, derived from the import and the content. Writing the same content twice writes the
 * same object; two tabs that read a file differently write two.
 */
export function ownScanKey(
  userId: string,
  importId: string,
  { game, kingdom_id, captured_at }: { game: GameId; kingdom_id: number; captured_at: number },
  content: Uint8Array,
): string {
  const day = new Date(captured_at).toISOString().slice(0, 10);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `${folderOf(userId, importId)}game=${game}/kingdom=${kingdom_id}/day=${day}/${captured_at}-${hash}-v1.parquet`;
}

/** True for own scans, which their owner may delete at any time. */
export const isOwnScan = (key: string): boolean => key.startsWith('own/');

/**
 * Incoming files, which wait for their turn to be read. The call that stores one deletes it. The bucket's lifecycle
 * deletes those of calls that were cut off (docs/operating.md).
 */
const ARRIVING = 'arriving/';

/** Streams a body into the store without holding it in memory and returns its key. */
export async function putArriving(store: R2Bucket, userId: string, body: Body): Promise<string> {
  const key = `${ARRIVING}${userId}/${crypto.randomUUID()}`;
  await store.put(key, body);
  return key;
}

/** Returns the bytes of an incoming file, or null if it was deleted meanwhile. */
export const arrived = (store: R2Bucket, key: string): Promise<Uint8Array | null> => bytesOf(store, key);

/** Deletes an incoming file. */
export const dropArrived = (store: R2Bucket, key: string): Promise<void> => store.delete(key);

/**
 * Keeps an incoming file as an upload; false if it was deleted meanwhile. Streams it from one key to the other, because
 * a put of bytes in memory copies them all in one turn.
 */
export async function keepArrived(store: R2Bucket, key: string, userId: string, importId: string): Promise<boolean> {
  const file = await store.get(key);
  if (file) await store.put(uploadKey(userId, importId), file.body);
  return file !== null;
}

/** Returns an upload, or null if it is gone. */
export const uploadOf = (store: R2Bucket, userId: string, importId: string): Promise<Uint8Array | null> =>
  bytesOf(store, uploadKey(userId, importId));

async function bytesOf(store: R2Bucket, key: string): Promise<Uint8Array | null> {
  const object = await store.get(key);
  return object ? new Uint8Array(await object.arrayBuffer()) : null;
}

/** Deletes an upload. */
export const dropUpload = (store: R2Bucket, userId: string, importId: string): Promise<void> =>
  store.delete(uploadKey(userId, importId));

/** Deletes what was written for an import that was never saved. */
export const dropUnsaved = (store: R2Bucket, userId: string, importId: string): Promise<void> =>
  dropFolder(store, folderOf(userId, importId));

/** Deletes own scans that no row refers to and that therefore have no exports. */
export async function dropUnnamed(store: R2Bucket, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await store.delete([...keys]);
}

/** Deletes own scans and all of their exports. */
export async function dropOwnScans(store: R2Bucket, keys: readonly string[]): Promise<void> {
  await dropUnnamed(store, keys);
  for (const key of keys) await dropFolder(store, `exports/${key}/`);
}

/** Deletes all files of a user: uploads, own scans, exports. */
export async function dropOwnFiles(store: R2Bucket, userId: string): Promise<void> {
  for (const folder of [`${ARRIVING}${userId}/`, `imports/${userId}/`, `own/${userId}/`, `exports/own/${userId}/`])
    await dropFolder(store, folder);
}

async function dropFolder(store: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await store.list({ prefix });
    if (objects.length > 0) await store.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
