import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../worker/db/open.ts';
import { objectsIn } from '../../worker/gateways/stored-objects.ts';
import { forEachAtOnce } from '../../worker/isolate/at-once.ts';
import { noteCopy, type Operator } from '../../worker/models/service/operator.ts';
import {
  beginRestore,
  emptyTables,
  endRestore,
  insertReferring,
  reconcile,
  requeueAll,
  restoreUnderWay,
} from '../../worker/models/service/restore.ts';
import {
  countTable,
  insertRows,
  keyOf,
  migrationsOf,
  rebuildSearch,
  rowsAfter,
  setSequences,
  type TableShape,
  tablesOf,
} from '../../worker/models/service/tables.ts';
import { Problem } from '../settings.ts';
import { type Manifest, openBackup, rowsIn, type StoredObject } from './backup.ts';
import type { Platform } from './platform.ts';

interface Restored {
  rows: number;
  /** Rows that were left out because what they refer to was not in the backup yet. */
  orphans: number;
  objects: number;
  /** Items whose scans start over. */
  anew: number;
}

/** Refuses a target that is not empty or lacks migrations of the backup. Continues an interrupted restore. */
async function prepare(
  { db, store, name }: Platform,
  folder: string,
  manifest: Manifest,
  shapes: readonly TableShape[],
): Promise<void> {
  const here = await migrationsOf(db).catch(() => [] as string[]);
  const lacking = manifest.migrations.filter((migration) => !here.includes(migration));
  if (lacking.length > 0)
    throw new Problem(`${name} lacks the migration ${lacking[0]}: migrate it to the backup's version first.`);
  if (await restoreUnderWay(db)) {
    await emptyTables(db, shapes);
    return;
  }
  for (const shape of shapes)
    if (!(await holdsOnlyOf(db, shape, folder, manifest.tables[shape.name])))
      throw new Problem(`${name} is not empty: the table ${shape.name} has rows. Restore into new resources.`);
  for await (const { key } of objectsIn(store))
    throw new Problem(`${name} is not empty: the bucket has ${key}. Restore into new resources.`);
  await beginRestore(db);
  await emptyTables(db, shapes);
}

/** More rows than the migrations write into an empty database. */
const MOST_OF_MIGRATIONS = 10;

/** Returns whether a table is as the migrations leave it: empty, or with a few rows that the backup has too. */
async function holdsOnlyOf(
  db: Db,
  shape: TableShape,
  folder: string,
  table: Manifest['tables'][string] | undefined,
): Promise<boolean> {
  const here = await rowsAfter(db, shape, null, MOST_OF_MIGRATIONS + 1);
  if (here.length === 0) return true;
  if (!table || here.length > MOST_OF_MIGRATIONS) return false;
  const there = new Set<string>();
  for (const { name } of table.files)
    for (const row of await rowsIn(folder, name))
      there.add(JSON.stringify(shape.key.map((column) => row[table.columns.indexOf(column)] ?? null)));
  return here.every((row) => there.has(JSON.stringify(keyOf(shape, row))));
}

/** Writes a table's rows. Returns how many were left out because they refer to rows that are not in the backup. */
async function fillTable(
  { db }: Platform,
  folder: string,
  shape: TableShape,
  { columns, files, rows }: Manifest['tables'][string],
): Promise<number> {
  const { name, refersTo } = shape;
  let orphans = 0;
  for (const file of files) {
    const read = await rowsIn(folder, file.name);
    if (refersTo.length > 0) orphans += read.length - (await insertReferring(db, shape, columns, read));
    else await insertRows(db, name, columns, read);
  }
  const there = await countTable(db, name);
  if (there !== rows - orphans)
    throw new Error(`The table ${name} has ${there} rows after the restore instead of ${rows - orphans}.`);
  return orphans;
}

/** Writes the objects of a backup. Those that an interrupted restore wrote whole are not written again. */
async function putObjects({ store }: Platform, folder: string, objects: readonly StoredObject[]): Promise<void> {
  const there = new Map<string, string>();
  for await (const { key, etag } of objectsIn(store)) there.set(key, etag);
  await forEachAtOnce(objects, async ({ key, file, httpMetadata, customMetadata }) => {
    const bytes = readFileSync(join(folder, file));
    // R2's etag of an object that was put in one piece is its MD5.
    if (there.get(key) === createHash('md5').update(bytes).digest('hex')) return;
    await store.put(key, bytes, {
      ...(httpMetadata && { httpMetadata }),
      ...(customMetadata && { customMetadata }),
    });
  });
}

/**
 * Fills an empty, migrated database and an empty bucket from a backup: rows without triggers, the search index, then
 * the triggers. Scans that were in progress start over. Running the command again continues an interrupted restore: its
 * rows are written again, and of its objects those that are missing.
 */
export async function restoreBackup(
  platform: Platform,
  folder: string,
  operator: Operator,
  now = Date.now(),
): Promise<Restored> {
  const manifest = await openBackup(folder);
  const { db } = platform;
  const shapes = await tablesOf(db);
  const unknown = Object.keys(manifest.tables).find((name) => !shapes.some((shape) => shape.name === name));
  await prepare(platform, folder, manifest, shapes);
  if (unknown) throw new Problem(`${platform.name} has no table ${unknown}.`);
  let orphans = 0;
  for (const shape of shapes) {
    const table = manifest.tables[shape.name];
    if (table) orphans += await fillTable(platform, folder, shape, table);
  }
  await reconcile(db);
  await setSequences(db, manifest.sequences);
  await putObjects(platform, folder, manifest.objects);
  await rebuildSearch(db);
  const anew = await requeueAll(db, now);
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, -orphans);
  const restored = { rows, orphans, objects: manifest.objects.length, anew };
  // Before the restore ends, because a staging without this entry would write to the accounts.
  await noteCopy(db, operator, 'backup.restored', restored, now);
  await endRestore(db, (await restoreUnderWay(db)) ?? []);
  return restored;
}
