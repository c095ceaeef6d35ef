import type * as z from 'zod';
import type { FileReport, folderSeen } from '../../domain/scans/file-report.ts';

/** What bots told of the files that they read, as it was told last. */

const keyOf = (group: string, botId: string): string => `folder-reports/${group}/${botId}.json`;

export async function putFolderReport(
  store: R2Bucket,
  group: string,
  botId: string,
  files: readonly FileReport[],
  now = Date.now(),
): Promise<void> {
  const seen: z.infer<typeof folderSeen> = { files: [...files], told_at: now };
  await store.put(keyOf(group, botId), JSON.stringify(seen), { httpMetadata: { contentType: 'application/json' } });
}

/** What the bot of a group told; no files where it never told any. */
export async function folderReport(store: R2Bucket, group: string, botId: string): Promise<z.infer<typeof folderSeen>> {
  const object = await store.get(keyOf(group, botId));
  return object ? object.json<z.infer<typeof folderSeen>>() : { files: [], told_at: null };
}
