import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
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
 * Backs the service up into a second bucket, without a person. Rows are cut into files where their keys say so and kept
 * by content, and objects are copied if they are new, so that a day writes what the day changed.
 */

/** A new backup begins so long after the one before. */
const EVERY_MS = 20 * HOUR_MS;
const KEPT_BACKUPS = 7;
/** What no backup names is kept for so long: another run may be about to name it. */
const UNNAMED_MS = 2 * DAY_MS;
const FILE_BYTES = 512 * 1024;
const ROWS_AT_ONCE = 500;
const OBJECTS_PER_LISTING = 500;
/** Files of a whole backup that are read again before it counts. */
const SAMPLE = 10;

/** Made again when somebody asks (exports, sums), or of no use to a restore. */
const LEFT_OUT = /^(exports|sums|alerts)\//;

const NONE: ReadonlySet<string> = new Set();

/** True for about one key in a thousand, always the same ones: a new row changes the file that it is in, and no other. */
function cutsAfter(key: string): boolean {
  let hash = 2_166_136_261;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 16_777_619);
  return (hash >>> 8) % 1024 === 0;
}

interface Run {
  db: Db;
  store: R2Bucket;
  bucket: R2Bucket;
  /** The newest whole backup, whose files need not be written again. */
  before: BackupManifest | null;
  /** Epoch milliseconds of the clock: no new work begins after it. */
  until: number;
}

/** Copies what is left of a table. False if the time ran out first. */
async function copyTable(run: Run, shape: TableShape, under: BackupUnderWay): Promise<boolean> {
  const { db, bucket, before, until } = run;
  const known = new Set(before?.tables[shape.name]?.files.map(({ sha256 }) => sha256));
  under.tables[shape.name] ??= { columns: storedColumns(shape), rows: 0, files: [] };
  const table = under.tables[shape.name] as TableFiles;
  let after = under.table?.name === shape.name ? under.table.after : null;
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

/** The objects of a backup one after the other, by key; a listing is read when its turn comes. */
async function* objectsOf(bucket: R2Bucket, manifest: BackupManifest | null): AsyncGenerator<CopiedObject> {
  for (const listing of manifest?.listings ?? []) yield* await listingOf(bucket, listing);
}

async function copyObject({ store, bucket }: Run, { key }: R2Object): Promise<CopiedObject | null> {
  const object = await store.get(key);
  // Gone since it was listed: nothing names it any more.
  if (!object) return null;
  const bytes = new Uint8Array(await object.arrayBuffer());
  const { name: file, sha256 } = await keepBytes(bucket, 'objects', bytes, NONE);
  const { etag, httpMetadata, customMetadata } = object;
  return { key, file, etag, size: bytes.length, sha256, httpMetadata, customMetadata };
}

/** Copies what is left of the objects. False if the time ran out first. */
async function copyObjects(run: Run, under: BackupUnderWay): Promise<boolean> {
  const { store, bucket, before, until } = run;
  const earlier = objectsOf(bucket, before);
  let known = await earlier.next();
  for (;;) {
    const { objects, truncated } = await store.list({
      limit: OBJECTS_PER_LISTING,
      include: ['httpMetadata', 'customMetadata'],
      ...(under.object_after && { startAfter: under.object_after }),
    });
    const copied: CopiedObject[] = [];
    for (const object of objects.filter(({ key }) => !LEFT_OUT.test(key))) {
      while (!known.done && known.value.key < object.key) known = await earlier.next();
      const same = !known.done && known.value.key === object.key && known.value.etag === object.etag;
      const copy = same ? (known.value as CopiedObject) : await copyObject(run, object);
      if (copy) copied.push(copy);
    }
    const hashes = new Set(before?.listings.map(({ sha256 }) => sha256));
    if (copied.length > 0)
      under.listings.push(await keepBytes(bucket, 'listings', gzipSync(JSON.stringify(copied)), hashes));
    under.object_after = objects.at(-1)?.key ?? under.object_after;
    if (!truncated) return true;
    if (Date.now() > until) return false;
  }
}

/** Reads some files of a backup again, chosen anew each time. Returns how many. @throws if one is not as it was. */
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
  for (const file of files) await bytesOf(bucket, file);
  return files.length;
}

/** Drops backups past the newest seven, and files that none of those names. */
async function dropOldBackups(bucket: R2Bucket, now: number): Promise<void> {
  const times = await backupTimes(bucket);
  for (const old of times.slice(0, -KEPT_BACKUPS)) await dropManifest(bucket, old);
  const named = new Set<string>();
  for (const time of times.slice(-KEPT_BACKUPS)) {
    const manifest = await readManifest(bucket, time);
    for (const table of Object.values(manifest.tables)) for (const { name } of table.files) named.add(name);
    for (const { name } of manifest.listings) named.add(name);
    for await (const { file } of objectsOf(bucket, manifest)) named.add(file);
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
 * Begins a backup if the last one is old enough, or goes on with the one under way. A backup counts once all of it is
 * there and a sample of its files was read again. True once it does.
 */
export async function backUp(
  { db, store, bucket }: Pick<Run, 'db' | 'store' | 'bucket'>,
  now: number,
  until: number,
): Promise<boolean> {
  const kept = await readBackupState(bucket);
  const begun = (): BackupState => ({
    latest: kept?.latest ?? null,
    begun_at: new Date(now).toISOString(),
    under_way: {
      format: 1,
      taken_at: new Date(now).toISOString(),
      tables: {},
      listings: [],
      table: null,
      object_after: '',
    },
  });
  if (kept && !kept.under_way && Date.parse(kept.begun_at) > now - EVERY_MS) return true;
  const state = kept?.under_way ? kept : begun();
  const under = state.under_way as BackupUnderWay;
  const before = state.latest ? await readManifest(bucket, state.latest) : null;
  const run = { db, store, bucket, before, until };
  // Objects after the rows: what rows name is there by then.
  const isWhole = (await copyTables(run, under)) && (await copyObjects(run, under));
  await writeBackupState(bucket, state);
  if (!isWhole) return false;
  const { format, taken_at, tables, listings } = under;
  const [migrations, sequences] = [await migrationsOf(db), await sequencesOf(db)];
  const manifest: BackupManifest = { format, taken_at, migrations, sequences, tables, listings };
  await sampleBackup(bucket, manifest);
  await writeManifest(bucket, manifest);
  await writeBackupState(bucket, { ...state, latest: taken_at, under_way: null });
  await dropOldBackups(bucket, now);
  return true;
}

/** Why admins should know of the backups: there is none of the last day. Null if there is. */
export async function backupTrouble(bucket: R2Bucket, now: number) {
  const state = await readBackupState(bucket);
  if (!state || Date.parse(state.latest ?? state.begun_at) >= now - DAY_MS) return null;
  return { kind: 'backup', text: `The newest backup is of ${state.latest ?? 'never'}: there is none of the last day.` };
}
