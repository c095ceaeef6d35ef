import { gunzipSync, gzipSync } from 'node:zlib';
import { digestOf } from '../models/service/tables.ts';

/** The backup bucket: compressed rows and objects named by their hash, and one manifest per backup. */

export interface FileRef {
  name: string;
  sha256: string;
}

export interface TableFiles {
  columns: string[];
  rows: number;
  files: FileRef[];
}

/** A copied object of the service's bucket. `etag` tells whether it has changed since. */
export interface CopiedObject {
  key: string;
  file: string;
  etag: string;
  size: number;
  sha256: string;
  httpMetadata?: R2HTTPMetadata | undefined;
  customMetadata?: Record<string, string> | undefined;
}

/** The content of a backup. Objects are in separate listings, sorted by key, because there may be very many. */
export interface BackupManifest {
  format: 1;
  taken_at: string;
  migrations: string[];
  sequences: { name: string; seq: number }[];
  tables: Record<string, TableFiles>;
  listings: FileRef[];
}

/** A backup in progress, possibly over several runs. */
export interface BackupUnderWay extends Omit<BackupManifest, 'sequences'> {
  /** Where to continue within a table: its name and the key of the last copied row. */
  table: { name: string; after: (null | number | string | { blob: string })[] } | null;
  /** Last key of the service's bucket that was processed; empty before the first. */
  object_after: string;
  /** The objects that were processed. */
  stored: StoredObjects;
}

/** Number and size of the service's objects, without those that are made again on demand. */
export interface StoredObjects {
  count: number;
  bytes: number;
}

export interface BackupState {
  /** The newest complete backup; null if there is none. */
  latest: string | null;
  /** The objects in it; missing if an earlier release made it. */
  stored?: StoredObjects | undefined;
  begun_at: string;
  under_way: BackupUnderWay | null;
}

const STATE = 'state.json';
const MANIFESTS = 'manifests/';

export const readBackupState = async (bucket: R2Bucket): Promise<BackupState | null> =>
  (await (await bucket.get(STATE))?.json<BackupState>()) ?? null;

export const writeBackupState = async (bucket: R2Bucket, state: BackupState): Promise<void> => {
  await bucket.put(STATE, JSON.stringify(state));
};

const manifestName = (taken_at: string): string => `${MANIFESTS}${taken_at}.json.gz`;

/** Writes a manifest once, because the bucket's lock refuses to replace one (docs/operating.md). */
export async function writeManifest(bucket: R2Bucket, manifest: BackupManifest): Promise<void> {
  const name = manifestName(manifest.taken_at);
  if (!(await bucket.head(name))) await bucket.put(name, gzipSync(JSON.stringify(manifest)));
}

/** Returns the times of the existing backups, oldest first. */
export async function backupTimes(bucket: R2Bucket): Promise<string[]> {
  const { objects } = await bucket.list({ prefix: MANIFESTS });
  return objects.map(({ key }) => key.slice(MANIFESTS.length).replace('.json.gz', '')).sort();
}

export const dropManifest = (bucket: R2Bucket, taken_at: string): Promise<void> =>
  bucket.delete(manifestName(taken_at));

export async function readManifest(bucket: R2Bucket, taken_at: string): Promise<BackupManifest> {
  const object = await bucket.get(manifestName(taken_at));
  if (!object) throw new Error(`The bucket has no backup of ${taken_at}.`);
  return JSON.parse(gunzipSync(await object.arrayBuffer()).toString()) as BackupManifest;
}

/** Stores bytes under their hash, once. `known`: hashes that exist already. */
export async function keepBytes(
  bucket: R2Bucket,
  folder: 'rows' | 'listings' | 'objects',
  bytes: Uint8Array,
  known: ReadonlySet<string>,
): Promise<FileRef> {
  const sha256 = digestOf(bytes);
  const name = `${folder}/${sha256}`;
  if (!known.has(sha256)) await bucket.put(name, bytes);
  return { name, sha256 };
}

/** Returns the bytes of a file in a backup. @throws if it is missing or its hash differs. */
export async function bytesOf(bucket: R2Bucket, { name, sha256 }: FileRef): Promise<Uint8Array> {
  const object = await bucket.get(name);
  if (!object) throw new Error(`The backup lacks ${name}.`);
  const bytes = new Uint8Array(await object.arrayBuffer());
  if (digestOf(bytes) !== sha256) throw new Error(`${name} is not what was backed up.`);
  return bytes;
}

/** Returns the objects in a listing. */
export const listingOf = async (bucket: R2Bucket, listing: FileRef): Promise<CopiedObject[]> =>
  JSON.parse(gunzipSync(await bytesOf(bucket, listing)).toString()) as CopiedObject[];
