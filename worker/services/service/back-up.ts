import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import { releaseSent } from '../../../domain/release.ts';
import type { Db } from '../../db/open.ts';
import {
  type BackupManifest,
  type BackupState,
  type BackupUnderWay,
  backupTimes,
  bytesOf,
  type CopiedObject,
  dropManifest,
  type FileRef,
  keepBytes,
  listingOf,
  readBackupState,
  readManifest,
  type TableFiles,
  writeBackupState,
  writeManifest,
} from '../../gateways/backup-store.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { withMemory } from '../../isolate/memory.ts';
import {
  keyOf,
  migrationsOf,
  rowsAfter,
  sequencesOf,
  storedColumns,
  type TableShape,
  tablesOf,
} from '../../models/service/tables.ts';

/**
 * Automatic backups into a second bucket. Rows are split into files at boundaries given by their keys and stored by
 * content hash, and only new objects are copied, so a day writes only what changed that day.
 */

/** Minimum time between the starts of two backups. */
const EVERY_MS = 20 * HOUR_MS;
const KEPT_BACKUPS = 7;
/** How long files outside any backup stay, because a running backup may be about to refer to them. */
const UNNAMED_MS = 2 * DAY_MS;
const FILE_BYTES = 512 * 1024;
const ROWS_AT_ONCE = 500;
const OBJECTS_PER_LISTING = 500;
/** Objects above this size wait for an uploaded file's share of the memory budget, because each is held as a whole. */
const LARGE_BYTES = 2 * 2 ** 20;
/** How often the state is stored while nothing is copied. */
const SAVED_EVERY_MS = 10_000;
/** Number of files of a finished backup that are read again before it counts. */
const SAMPLE = 10;

/** Left out: recreated on demand (exports, sums, answers) or useless for a restore. */
const LEFT_OUT = /^(exports|sums|answers|alerts|arriving)\//;

const NONE: ReadonlySet<string> = new Set();

/** True for about one key in a thousand, always the same ones, so that a new row changes only its own file. */
function cutsAfter(key: string): boolean {
  let hash = 2_166_136_261;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619);
  return (hash >>> 8) % 1024 === 0;
}

interface Run {
  db: Db;
  store: R2Bucket;
  bucket: R2Bucket;
  /** The newest complete backup, whose files need not be written again. */
  before: BackupManifest | null;
  /** Time (epoch ms by the clock) after which no new work starts. */
  until: number;
  /** Stores how far the backup is. An invocation that is cut off loses only what it copied since. */
  save: () => Promise<void>;
}

/** Copies the rest of a table. Returns false if time ran out. */
async function copyTable(run: Run, shape: TableShape, under: BackupUnderWay): Promise<boolean> {
  const { db, bucket, before, until } = run;
  const known = new Set(before?.tables[shape.name]?.files.map(({ sha256 }) => sha256));
  // A release with another key begins a table again.
  const { name, after: last = null } = under.table ?? {};
  let after = name === shape.name && last?.length === shape.key.length ? last : null;
  if (!after) delete under.tables[shape.name];
  under.tables[shape.name] ??= { columns: storedColumns(shape), rows: 0, files: [] };
  const table = under.tables[shape.name] as TableFiles;
  let lines: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (lines.length === 0 || !after) return;
    table.files.push(await keepBytes(bucket, 'rows', gzipSync(lines.join('\n')), known));
    table.rows += lines.length;
    under.table = { name: shape.name, after };
    [lines, bytes] = [[], 0];
  };
  for (;;) {
    const page = await rowsAfter(db, shape, after, ROWS_AT_ONCE);
    for (const row of page) {
      const line = JSON.stringify(row);
      if (bytes > 0 && bytes + line.length > FILE_BYTES) await flush();
      lines.push(line);
      bytes += line.length + 1;
      after = keyOf(shape, row);
      if (cutsAfter(JSON.stringify(after))) await flush();
    }
    const isOver = page.length < ROWS_AT_ONCE;
    if (isOver || Date.now() > until) {
      await flush();
      if (isOver) under.table = null;
      return isOver;
    }
  }
}

async function copyTables(run: Run, under: BackupUnderWay): Promise<boolean> {
  for (const shape of await tablesOf(run.db)) {
    const isCopied = shape.name in under.tables && under.table?.name !== shape.name;
    if (!isCopied && !(await copyTable(run, shape, under))) return false;
  }
  return true;
}

/** Yields the objects of a backup by key. Reads each listing when needed. */
async function* objectsOf(bucket: R2Bucket, manifest: BackupManifest | null): AsyncGenerator<CopiedObject> {
  for (const listing of manifest?.listings ?? []) yield* await listingOf(bucket, listing);
}

async function copyWhole({ store, bucket }: Run, { key }: R2Object): Promise<CopiedObject | null> {
  const object = await store.get(key);
  // Deleted since it was listed, so nothing refers to it.
  if (!object) return null;
  const { etag, size, httpMetadata, customMetadata } = object;
  const bytes = new Uint8Array(await object.arrayBuffer());
  const { name: file, sha256 } = await keepBytes(bucket, 'objects', bytes, NONE);
  releaseSent(bytes);
  return { key, file, etag, size, sha256, httpMetadata, customMetadata };
}

const copyObject = (run: Run, object: R2Object): Promise<CopiedObject | null> =>
  object.size > LARGE_BYTES ? withMemory('uploadedFile', () => copyWhole(run, object)) : copyWhole(run, object);

/** Copies the rest of the objects. Returns false if time ran out. */
async function copyObjects(run: Run, under: BackupUnderWay): Promise<boolean> {
  const { store, bucket, before, until } = run;
  const earlier = objectsOf(bucket, before);
  let known = await earlier.next();
  let saved = Date.now();
  for (;;) {
    const { objects, truncated } = await store.list({
      limit: OBJECTS_PER_LISTING,
      ...(under.object_after && { startAfter: under.object_after }),
    });
    const wanted: (CopiedObject | R2Object)[] = [];
    for (const object of objects.filter(({ key }) => !LEFT_OUT.test(key))) {
      while (!known.done && known.value.key < object.key) known = await earlier.next();
      const same = !known.done && known.value.key === object.key && known.value.etag === object.etag;
      wanted.push(same ? (known.value as CopiedObject) : object);
    }
    const copies: (CopiedObject | null)[] = [];
    await forEachAtOnce(wanted, async (one, index) => {
      copies[index] = 'file' in one ? one : await copyObject(run, one);
    });
    const copied = copies.filter((copy) => copy !== null);
    const hashes = new Set(before?.listings.map(({ sha256 }) => sha256));
    if (copied.length > 0)
      under.listings.push(await keepBytes(bucket, 'listings', gzipSync(JSON.stringify(copied)), hashes));
    under.stored.count += copied.length;
    under.stored.bytes += copied.reduce((sum, { size }) => sum + size, 0);
    under.object_after = objects.at(-1)?.key ?? under.object_after;
    const isLast = !truncated || Date.now() > until;
    // The state names all listings so far, so it is stored rarely while nothing is copied.
    if (isLast || wanted.some((one) => !('file' in one)) || Date.now() >= saved + SAVED_EVERY_MS) {
      await run.save();
      saved = Date.now();
    }
    if (isLast) return !truncated;
  }
}

/** Reads a random sample of a backup's files. Returns how many. @throws if one has changed. */
export async function sampleBackup(bucket: R2Bucket, manifest: BackupManifest, most = SAMPLE): Promise<number> {
  const pick = <One>(all: readonly One[]): One[] =>
    all.length <= most
      ? [...all]
      : Array.from({ length: most }, () => all[Math.floor(Math.random() * all.length)] as One);
  const [listing] = pick(manifest.listings).slice(0, 1);
  const objects = listing ? await listingOf(bucket, listing) : [];
  const files: FileRef[] = [
    ...pick(Object.values(manifest.tables).flatMap((table) => table.files)),
    ...pick(objects).map(({ file, sha256 }) => ({ name: file, sha256 })),
  ];
  for (const file of files) releaseSent(await bytesOf(bucket, file));
  return files.length;
}

/** Deletes all but the newest seven backups, and files to which none of those refers. */
async function dropOldBackups(bucket: R2Bucket, now: number): Promise<void> {
  const times = await backupTimes(bucket);
  for (const old of times.slice(0, -KEPT_BACKUPS)) await dropManifest(bucket, old);
  const named = new Set<string>();
  for (const time of times.slice(-KEPT_BACKUPS)) {
    const manifest = await readManifest(bucket, time);
    for (const table of Object.values(manifest.tables)) for (const { name } of table.files) named.add(name);
    const unread = manifest.listings.filter(({ name }) => !named.has(name));
    await forEachAtOnce(unread, async (listing) => {
      named.add(listing.name);
      for (const { file } of await listingOf(bucket, listing)) named.add(file);
    });
  }
  for (const prefix of ['rows/', 'listings/', 'objects/'])
    for (let startAfter = ''; ; ) {
      const { objects, truncated } = await bucket.list({ prefix, ...(startAfter && { startAfter }) });
      const unnamed = objects.filter(({ key, uploaded }) => !named.has(key) && uploaded.getTime() < now - UNNAMED_MS);
      if (unnamed.length > 0) await bucket.delete(unnamed.map(({ key }) => key));
      const last = objects.at(-1);
      if (!truncated || !last) break;
      startAfter = last.key;
    }
}

/**
 * Starts a backup if the last is old enough, or continues the one in progress. A backup counts once it is complete and
 * a sample of its files was read again. Returns true if no work is left.
 */
export async function backUp(
  { db, store, bucket }: Pick<Run, 'db' | 'store' | 'bucket'>,
  now: number,
  until: number,
): Promise<boolean> {
  const kept = await readBackupState(bucket);
  if (kept && !kept.under_way && Date.parse(kept.begun_at) > now - EVERY_MS) return true;
  const migrations = await migrationsOf(db);
  const isOfMigrations = (all: readonly string[] | undefined) => JSON.stringify(all) === JSON.stringify(migrations);
  const begun = (): BackupState => ({
    latest: kept?.latest ?? null,
    stored: kept?.stored,
    begun_at: new Date(now).toISOString(),
    under_way: {
      format: 1,
      taken_at: new Date(now).toISOString(),
      migrations,
      tables: {},
      listings: [],
      table: null,
      object_after: '',
      stored: { count: 0, bytes: 0 },
    },
  });
  // Rows that were copied before a migration lack what it did to them, so a backup begins again after one.
  const state = kept?.under_way && isOfMigrations(kept.under_way.migrations) ? kept : begun();
  const under = state.under_way as BackupUnderWay;
  const before = state.latest ? await readManifest(bucket, state.latest) : null;
  const run = { db, store, bucket, before, until, save: () => writeBackupState(bucket, state) };
  // Objects after rows, so that objects referred to by rows exist by then.
  const areTablesWhole = await copyTables(run, under);
  await run.save();
  if (!areTablesWhole || !(await copyObjects(run, under))) return false;
  if (!isOfMigrations(await migrationsOf(db))) return false;
  const { format, taken_at, tables, listings } = under;
  const manifest: BackupManifest = { format, taken_at, migrations, sequences: await sequencesOf(db), tables, listings };
  await sampleBackup(bucket, manifest);
  await writeManifest(bucket, manifest);
  await writeBackupState(bucket, { ...state, latest: taken_at, stored: under.stored, under_way: null });
  await dropOldBackups(bucket, now);
  return true;
}

/** Returns an alert if there is no backup from the last day, otherwise null. */
export async function backupTrouble(bucket: R2Bucket, now: number) {
  const state = await readBackupState(bucket);
  if (!state || Date.parse(state.latest ?? state.begun_at) >= now - DAY_MS) return null;
  return { kind: 'backup', text: `The newest backup is of ${state.latest ?? 'never'}: there is none of the last day.` };
}
