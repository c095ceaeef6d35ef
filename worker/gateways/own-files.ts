import { createHash } from 'node:crypto';
import type { GameId } from '../../domain/games/games.ts';

/** Files of users' own scans in R2: uploads while they wait, private snapshots apart from those that are sold. */

const uploadKey = (userId: string, importId: string): string => `imports/${userId}/${importId}`;
const folderOf = (userId: string, importId: string): string => `own/${userId}/${importId}/`;

/**
 * The object of a private snapshot, named from the import and from what is in it: writing it twice writes the same
 * object, and two tabs that read a file otherwise write two.
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

/** True of the object of a private snapshot, which its owner may delete while it is read. */
export const isOwnScan = (key: string): boolean => key.startsWith('own/');

/** Keeps a file as it came. */
export async function putUpload(store: R2Bucket, userId: string, importId: string, bytes: Uint8Array): Promise<void> {
  await store.put(uploadKey(userId, importId), bytes);
}

/** A file as it came, or null where it is gone. */
export async function uploadOf(store: R2Bucket, userId: string, importId: string): Promise<Uint8Array | null> {
  const object = await store.get(uploadKey(userId, importId));
  return object ? new Uint8Array(await object.arrayBuffer()) : null;
}

/** Forgets a file as it came. */
export const dropUpload = (store: R2Bucket, userId: string, importId: string): Promise<void> =>
  store.delete(uploadKey(userId, importId));

/** Deletes what was written of an import that was never saved. */
export const dropUnsaved = (store: R2Bucket, userId: string, importId: string): Promise<void> =>
  dropFolder(store, folderOf(userId, importId));

/** Deletes private snapshots that no scan names, so that none has an export. */
export async function dropUnnamed(store: R2Bucket, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await store.delete([...keys]);
}

/** Deletes private snapshots with every export of theirs. */
export async function dropOwnScans(store: R2Bucket, keys: readonly string[]): Promise<void> {
  await dropUnnamed(store, keys);
  for (const key of keys) await dropFolder(store, `exports/${key}/`);
}

/** Deletes everything of a user's: uploads, snapshots, exports. */
export async function dropOwnFiles(store: R2Bucket, userId: string): Promise<void> {
  for (const folder of [`imports/${userId}/`, `own/${userId}/`, `exports/own/${userId}/`])
    await dropFolder(store, folder);
}

async function dropFolder(store: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await store.list({ prefix });
    if (objects.length > 0) await store.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
