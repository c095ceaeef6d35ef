import type * as z from 'zod';
import { MAX_BOTS } from '../../domain/orders/contract.ts';
import type { FileReport, folderSeen } from '../../domain/scans/file-report.ts';

/** What bots told of the files that they read, as it was told last. */

const folderOf = (group: string): string => `folder-reports/${group}/`;
const keyOf = (group: string, botId: string): string => `${folderOf(group)}${botId}.json`;

/** Keeps a bot's report. Of a group's reports the last MAX_BOTS are kept. */
export async function putFolderReport(
  store: R2Bucket,
  group: string,
  botId: string,
  files: readonly FileReport[],
  now = Date.now(),
): Promise<void> {
  const seen: z.infer<typeof folderSeen> = { files: [...files], told_at: now };
  const key = keyOf(group, botId);
  if (!(await store.head(key))) await makeRoom(store, folderOf(group));
  await store.put(key, JSON.stringify(seen), { httpMetadata: { contentType: 'application/json' } });
}

/** Deletes what is oldest in a full folder. */
async function makeRoom(store: R2Bucket, prefix: string): Promise<void> {
  const { objects } = await store.list({ prefix, limit: MAX_BOTS });
  const left = objects.toSorted((one, other) => other.uploaded.getTime() - one.uploaded.getTime()).slice(MAX_BOTS - 1);
  if (left.length > 0) await store.delete(left.map(({ key }) => key));
}

/** What the bot of a group told; no files where it never told any. */
export async function folderReport(store: R2Bucket, group: string, botId: string): Promise<z.infer<typeof folderSeen>> {
  const object = await store.get(keyOf(group, botId));
  return object ? object.json<z.infer<typeof folderSeen>>() : { files: [], told_at: null };
}
