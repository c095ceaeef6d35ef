import { createHash } from 'node:crypto';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { release } from '../../domain/release.ts';
import type { Kind, Shape } from '../../domain/scans/layouts.ts';
import type { DownloadType } from '../../domain/scans/results.ts';
import { logError, Refusal } from '../errors.ts';
import { openSnapshot, type Snapshot } from '../files/parquet.ts';
import type { ParquetSource } from '../files/parquet-footer.ts';
import { isOwnScan } from './own-files.ts';

/** Snapshots and finished exports in R2. */

const PARQUET = 'application/vnd.apache.parquet';

export interface SnapshotName extends Shape {
  kingdom_id: number;
  /** Epoch ms; the key contains the UTC day. */
  captured_at: number;
  /** The item's id or another unique name. */
  id: string;
  version: number;
}

/** Each layout has its own folder, because query engines read a folder as one table. */
const FOLDERS: Readonly<Record<Kind, string>> = { scan: 'snapshots', history: 'histories' };

/**
 * Returns a snapshot's key. Folders follow Hive's style, so that DuckDB and others can filter by game, kingdom and day.
 * Derived from the snapshot alone, so writing it twice writes the same object.
 */
export function snapshotKey({ game, kind = 'scan', kingdom_id, captured_at, id, version }: SnapshotName): string {
  const day = new Date(captured_at).toISOString().slice(0, 10);
  return `${FOLDERS[kind]}/game=${game}/kingdom=${kingdom_id}/day=${day}/${id}-v${version}.parquet`;
}

/** Returns the prefix of the keys of a game's scans, or of those of one of its kingdoms. */
export const scansPrefix = (game: GameId, kingdom?: number): string =>
  `${FOLDERS.scan}/game=${game}/${kingdom === undefined ? '' : `kingdom=${kingdom}/`}`;

/** Returns the UTC day of a scan's key. */
export function dayOfKey(key: string): Day {
  const [, day] = /\/kingdom=\d+\/day=([^/]+)\//.exec(key) ?? [];
  if (!day) throw new Error(`${key} is not the key of a scan`);
  return day;
}

/** Stores a snapshot's file. */
export async function putSnapshot(store: R2Bucket, key: string, bytes: Uint8Array): Promise<void> {
  await store.put(key, bytes, { httpMetadata: { contentType: PARQUET } });
}

/** Stores a snapshot's file while it is written, whole or not at all. Returns its size. */
export async function putWritten(store: R2Bucket, key: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const writer = new MultipartWriter(store, key, PARQUET);
  let size = 0;
  try {
    for await (const chunk of chunks) {
      await writer.add(chunk);
      size += chunk.length;
    }
    await writer.finish();
    return size;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/**
 * Opens a stored snapshot by range requests: one for the last bytes, which cover a usual scan, and one per row group
 * before them.
 */
export async function openStored(store: R2Bucket, key: string, tailBytes = TAIL_BYTES): Promise<Snapshot> {
  const file = await storedFile(store, key, tailBytes);
  if (!file) throw missing(key);
  return openSnapshot(file);
}

/** Opens a snapshot, or returns null if the object does not exist. */
export async function openIfMade(store: R2Bucket, key: string): Promise<Snapshot | null> {
  const file = await storedFile(store, key);
  return file && openSnapshot(file);
}

/** Opens an optional snapshot. Returns null and logs it if the object is missing. */
export async function openIfStored(store: R2Bucket, key: string): Promise<Snapshot | null> {
  const snapshot = await openIfMade(store, key);
  if (!snapshot) logError({ reading: key }, missing(key));
  return snapshot;
}

/** Twice the size of a scan of 5,000 governors, so that it comes whole with the first request. */
const TAIL_BYTES = 512 * 1024;

/** Sold snapshots are never deleted; an own scan may be deleted while it is being read. */
const missing = (key: string): Error =>
  isOwnScan(key)
    ? new Refusal('conflict', 'A scan was deleted while it was read. Please choose another one.')
    : new Error(`snapshot ${key} is missing in the store`);

async function storedFile(store: R2Bucket, key: string, tailBytes = TAIL_BYTES): Promise<ParquetSource | null> {
  const object = await store.get(key, { range: { suffix: tailBytes } });
  if (!object) return null;
  const tail = await object.arrayBuffer();
  const tailStart = object.size - tail.byteLength;
  return {
    byteLength: object.size,
    slice: async (start, end = object.size) => {
      if (start >= tailStart) return tail.slice(start - tailStart, end - tailStart);
      const part = await store.get(key, { range: { offset: start, length: end - start } });
      if (!part) throw missing(key);
      return part.arrayBuffer();
    },
    close: () => release([tail]),
  };
}

// --- Exports --------------------------------------------------------------------------------------------------------

/**
 * Incremented when exports of the same rows change, also when titles of columns are translated again, so that older
 * ones are no longer served.
 */
const EXPORT_VERSION = 5;

export interface ExportName {
  /** Keys of its snapshots, in order. */
  snapshots: readonly string[];
  type: DownloadType;
  /** Sort order, if not the stored one. */
  sort?: string | undefined;
  reversed?: boolean | undefined;
  /** Language of the header row, if one is asked for. */
  headers?: string | undefined;
}

/** Returns the key of a finished export: under its snapshot's key, or under a hash for several. */
export function exportKey({ snapshots, type, sort, reversed, headers }: ExportName): string {
  const [only] = snapshots;
  const of = snapshots.length === 1 && only !== undefined ? only : `combined/${hashOf(snapshots)}`;
  const order = sort ? `-${sort.toLowerCase()}${reversed ? '-reversed' : ''}` : '';
  return `exports/${of}/v${EXPORT_VERSION}${order}${headers ? `-${headers}` : ''}.${type}`;
}

const hashOf = (snapshots: readonly string[]): string =>
  createHash('sha256').update(snapshots.join('\n')).digest('hex').slice(0, 32);

/** Returns the size of a finished export, or null if there is none yet. */
export const sizeOfExport = async (store: R2Bucket, key: string): Promise<number | null> =>
  (await store.head(key))?.size ?? null;

/** Returns a finished export or a range of it, or null if there is none yet. */
export const keptExport = (
  store: R2Bucket,
  key: string,
  range?: { offset: number; length: number },
): Promise<R2ObjectBody | null> => store.get(key, range ? { range } : undefined);

/** Returns an export's ETag. The same name always has the same bytes. */
export const exportTag = (name: string): string => `"${hashOf([String(EXPORT_VERSION), name])}"`;

/** R2's minimum part size in a multipart upload. All parts except the last must be equal. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Returns the same stream and also stores it under `key`, whole or not at all, with at most one part in memory. If the
 * client disconnects or the export fails, nothing is stored.
 */
export function keepExport(
  store: R2Bucket,
  key: string,
  contentType: string,
  stream: ReadableStream<Uint8Array>,
  customMetadata: Record<string, string> = {},
): ReadableStream<Uint8Array> {
  const writer = new MultipartWriter(store, key, contentType, customMetadata);
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          await writer.add(value);
          controller.enqueue(value);
          return;
        }
        await writer.finish();
        controller.close();
      } catch (error) {
        await writer.abort();
        throw error;
      }
    },
    async cancel(reason) {
      await Promise.all([writer.abort(), reader.cancel(reason)]);
    },
  });
}

class MultipartWriter {
  readonly #store: R2Bucket;
  readonly #key: string;
  readonly #options: R2MultipartOptions;
  readonly #part = new Uint8Array(PART_BYTES);
  #length = 0;
  #upload: R2MultipartUpload | undefined;
  #uploaded: R2UploadedPart[] = [];

  constructor(store: R2Bucket, key: string, contentType: string, customMetadata: Record<string, string> = {}) {
    this.#store = store;
    this.#key = key;
    this.#options = { httpMetadata: { contentType }, customMetadata };
  }

  async add(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + PART_BYTES - this.#length);
      this.#part.set(piece, this.#length);
      this.#length += piece.length;
      from += piece.length;
      if (this.#length === PART_BYTES) await this.#send();
    }
  }

  async finish(): Promise<void> {
    if (!this.#upload) {
      await this.#store.put(this.#key, this.#part.subarray(0, this.#length), this.#options);
      return;
    }
    if (this.#length > 0) await this.#send();
    await this.#upload.complete(this.#uploaded);
  }

  async abort(): Promise<void> {
    await this.#upload?.abort();
    this.#upload = undefined;
  }

  async #send(): Promise<void> {
    this.#upload ??= await this.#store.createMultipartUpload(this.#key, this.#options);
    const number = this.#uploaded.length + 1;
    this.#uploaded.push(await this.#upload.uploadPart(number, this.#part.subarray(0, this.#length)));
    this.#length = 0;
  }
}

// --- Sums -----------------------------------------------------------------------------------------------------------

/** Incremented when sums of the same rows change. */
const SUMS_VERSION = 2;

const sumsKey = (snapshots: readonly string[]): string => `sums/${hashOf(snapshots)}/v${SUMS_VERSION}.json`;

/** Returns the stored sums of snapshots, or null if there are none yet. */
export async function keptSums<Sums>(store: R2Bucket, snapshots: readonly string[]): Promise<Sums | null> {
  const object = await store.get(sumsKey(snapshots));
  return object ? object.json<Sums>() : null;
}

/** Stores the sums of snapshots. */
export async function keepSums(store: R2Bucket, snapshots: readonly string[], sums: unknown): Promise<void> {
  await store.put(sumsKey(snapshots), JSON.stringify(sums), { httpMetadata: { contentType: 'application/json' } });
}
