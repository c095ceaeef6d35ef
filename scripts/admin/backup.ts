import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip, gzipSync } from 'node:zlib';
import type { R2Bucket, R2HTTPMetadata, R2Object } from '@cloudflare/workers-types';
import type { Db } from '../../worker/db/open.ts';
import {
  backupTimes,
  bytesOf,
  type FileRef,
  listingOf,
  readManifest,
  type TableFiles,
} from '../../worker/gateways/backup-store.ts';
import { objectsIn, readAgain } from '../../worker/gateways/stored-objects.ts';
import { forEachAtOnce } from '../../worker/isolate/at-once.ts';
import {
  digestOf,
  keyOf,
  migrationsOf,
  rowsAfter,
  sequencesOf,
  storedColumns,
  type TableShape,
  tablesOf,
  type Value,
} from '../../worker/models/service/tables.ts';
import { Problem } from '../settings.ts';
import type { Platform } from './platform.ts';

/**
 * A backup is a folder with `tables/<table>/<number>.jsonl.gz` (rows as arrays), `objects/<key>` (the bucket's objects
 * unchanged) and `manifest.json`, which is written last and lists the contents.
 */

export interface StoredObject {
  key: string;
  file: string;
  size: number;
  sha256: string;
  httpMetadata?: R2HTTPMetadata | undefined;
  customMetadata?: Record<string, string> | undefined;
}

export interface Manifest {
  format: 1;
  taken_at: string;
  migrations: string[];
  sequences: { name: string; seq: number }[];
  tables: Record<string, TableFiles>;
  objects: StoredObject[];
}

/** Unpacked size of a table's file in bytes. One statement writes a file back, and D1 binds at most 2 MB. */
const FILE_BYTES = 512 * 1024;

const MANIFEST = 'manifest.json';

/** Returns a key's path below a folder. No part of it can lead out of the folder. */
export const pathOf = (key: string): string =>
  key
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%3D', '=').replace(/^\.+$/, '%2E'))
    .join('/');

function writeTo(folder: string, name: string, bytes: Uint8Array): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

async function copyTable(db: Db, shape: TableShape, folder: string): Promise<TableFiles> {
  const files: TableFiles['files'] = [];
  let lines: string[] = [];
  let [bytes, rows, limit] = [0, 0, 100];
  const flush = () => {
    if (lines.length === 0) return;
    const packed = gzipSync(lines.join('\n'));
    const name = `tables/${shape.name}/${String(files.length).padStart(5, '0')}.jsonl.gz`;
    writeTo(folder, name, packed);
    files.push({ name, sha256: digestOf(packed) });
    [lines, bytes] = [[], 0];
  };
  for (let after: Value[] | null = null; ; ) {
    const page = await rowsAfter(db, shape, after, limit);
    const before = bytes;
    for (const row of page) {
      const line = JSON.stringify(row);
      if (bytes > 0 && bytes + line.length > FILE_BYTES) flush();
      lines.push(line);
      bytes += line.length + 1;
    }
    rows += page.length;
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    after = keyOf(shape, last);
    // Adjusts the page size: small rows come by the thousand, large ones by the dozen.
    if (bytes - before < FILE_BYTES / 8 && limit < 5000) limit *= 2;
    else if (page.length > 10 && JSON.stringify(last).length * limit > 4 * FILE_BYTES) limit = Math.ceil(limit / 4);
  }
  flush();
  return { columns: storedColumns(shape), rows, files };
}

async function copyObject(store: R2Bucket, { key }: R2Object, folder: string): Promise<StoredObject | null> {
  const read = await readAgain(async () => {
    const object = await store.get(key);
    return object && { object, bytes: new Uint8Array(await object.arrayBuffer()) };
  });
  // Deleted since it was listed, so nothing refers to it any more.
  if (!read) return null;
  const { object, bytes } = read;
  const file = `objects/${pathOf(key)}`;
  writeTo(folder, file, bytes);
  const { httpMetadata, customMetadata } = object;
  return { key, file, size: bytes.length, sha256: digestOf(bytes), httpMetadata, customMetadata };
}

async function copyObjects(store: R2Bucket, folder: string): Promise<StoredObject[]> {
  const copied: StoredObject[] = [];
  await forEachAtOnce(objectsIn(store), async (listed) => {
    const object = await copyObject(store, listed, folder);
    if (object) copied.push(object);
  });
  return copied.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * Copies database and bucket into a new folder. If the service writes meanwhile, parts of the backup have different
 * times.
 */
export async function takeBackup({ db, store }: Platform, folder: string, now = new Date()): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Problem(`${folder} is not empty.`);
  mkdirSync(folder, { recursive: true });
  const shapes = await tablesOf(db);
  const tables: Manifest['tables'] = {};
  for (const shape of shapes) tables[shape.name] = await copyTable(db, shape, folder);
  const [migrations, sequences] = [await migrationsOf(db), await sequencesOf(db)];
  // Objects come after the rows, so that everything the rows refer to exists by then.
  const objects = await copyObjects(store, folder);
  const manifest: Manifest = {
    format: 1,
    taken_at: now.toISOString(),
    migrations,
    sequences,
    tables,
    objects,
  };
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest, null, 1));
  return manifest;
}

// The Worker's own bucket type has the same interface.
type Bucket = Parameters<typeof readManifest>[0];

/** Folders that an interrupted fetch leaves; their files are named by their hash. */
const FETCHED = ['rows', 'objects'];

/** Writes a file of the bucket of backups into the folder, unless an interrupted fetch has. */
async function fetchFile(bucket: Bucket, folder: string, file: FileRef): Promise<void> {
  const path = join(folder, file.name);
  if (!existsSync(path) || digestOf(readFileSync(path)) !== file.sha256)
    writeTo(folder, file.name, await bytesOf(bucket, file));
}

/**
 * Writes a backup from the bucket of backups into a folder, from where it can be restored. The newest one by default. In
 * the folder of an interrupted fetch, only the missing files are fetched.
 */
export async function fetchBackup({ backup, name }: Platform, folder: string, asked?: string): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).some((entry) => !FETCHED.includes(entry)))
    throw new Problem(`${folder} is not empty.`);
  const bucket = backup as unknown as Bucket;
  const times = await backupTimes(bucket);
  const time = asked ?? times.at(-1);
  if (!time || !times.includes(time))
    throw new Problem(
      `${name} has ${asked ? `no backup of ${asked}; it has ${times.join(', ') || 'none'}` : 'no backup'}.`,
    );
  const { listings, ...whole } = await readManifest(bucket, time);
  const files = Object.values(whole.tables).flatMap((table) => table.files);
  await forEachAtOnce(files, (file) => fetchFile(bucket, folder, file));
  const objects: StoredObject[] = [];
  for (const listing of listings) {
    const listed = await listingOf(bucket, listing);
    await forEachAtOnce(listed, ({ file, sha256 }) => fetchFile(bucket, folder, { name: file, sha256 }));
    objects.push(...listed.map(({ etag: _, ...object }) => object));
  }
  const manifest: Manifest = { ...whole, objects };
  writeFileSync(join(folder, MANIFEST), JSON.stringify(manifest, null, 1));
  return manifest;
}

/** Reads a backup's manifest and checks every file against it. Throws `Problem` if one is missing or differs. */
export async function openBackup(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) throw new Problem(`${folder} has no ${MANIFEST}: it is no backup, or one that was cut short.`);
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  if (manifest.format !== 1) throw new Problem(`${file} is of another format than this version reads.`);
  const files = [
    ...Object.values(manifest.tables).flatMap((table) => table.files),
    ...manifest.objects.map((object) => ({ name: object.file, sha256: object.sha256 })),
  ];
  for (const { name, sha256 } of files) {
    const path = join(folder, name);
    if (!existsSync(path) || !statSync(path).isFile()) throw new Problem(`The backup lacks ${name}.`);
    // Leaves turns to the connections: one that its server closed while this works would break the next call.
    if (digestOf(await readFile(path)) !== sha256) throw new Problem(`${name} is not what was backed up.`);
  }
  return manifest;
}

/** Reads the rows in one of a table's files. */
export async function rowsIn(folder: string, name: string): Promise<Value[][]> {
  const rows: Value[][] = [];
  const lines = createInterface({ input: createReadStream(join(folder, name)).pipe(createGunzip()) });
  for await (const line of lines) rows.push(JSON.parse(line) as Value[]);
  return rows;
}
