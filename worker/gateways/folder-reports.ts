import type * as z from 'zod';
import { MAX_BOTS } from '../../domain/fleet/contract.ts';
import type { FileReport, folderSeen } from '../../domain/scans/file-report.ts';

/** Bots' latest reports about the files that they read. */

export type FolderSeen = z.infer<typeof folderSeen>;

const folderOf = (group: string): string => `folder-reports/${group}/`;
const keyOf = (group: string, botId: string): string => `${folderOf(group)}${botId}.json`;

/** Stores a bot's report. Keeps the newest `MAX_BOTS` reports of a group. */
export async function putFolderReport(
  store: R2Bucket,
  group: string,
  botId: string,
  files: readonly FileReport[],
  now = Date.now(),
): Promise<void> {
  const seen: Omit<FolderSeen, 'group_id'> = { files: [...files], told_at: now };
  const key = keyOf(group, botId);
  if (!(await store.head(key))) await makeRoom(store, folderOf(group));
  await store.put(key, JSON.stringify(seen), { httpMetadata: { contentType: 'application/json' } });
}

/** Deletes the oldest reports if the folder is full. */
async function makeRoom(store: R2Bucket, prefix: string): Promise<void> {
  const { objects } = await store.list({ prefix, limit: MAX_BOTS });
  const left = objects.toSorted((one, other) => other.uploaded.getTime() - one.uploaded.getTime()).slice(MAX_BOTS - 1);
  if (left.length > 0) await store.delete(left.map(({ key }) => key));
}

/** Returns a bot's report; without files if it never sent one. */
export async function folderReport(store: R2Bucket, group: string, botId: string): Promise<FolderSeen> {
  const object = await store.get(keyOf(group, botId));
  const seen = await object?.json<Omit<FolderSeen, 'group_id'>>();
  return { group_id: group, ...(seen ?? { files: [], told_at: null }) };
}
