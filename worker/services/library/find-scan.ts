import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { type Import, importOf } from '../../models/library/imports.ts';
import { type KeptScan, scansOf } from '../../models/library/scans.ts';

/** Returns a scan of the user's library. @throws Refusal not_found, also for someone else's scan. */
export async function findScan(db: Db, userId: string, id: string): Promise<KeptScan> {
  const [scan] = await scansOf(db, userId, [id]);
  if (!scan) throw notFound('scan');
  return scan;
}

/** Returns a user's upload that waits to be saved. @throws Refusal not_found. */
export async function findImport(db: Db, userId: string, id: string): Promise<Import> {
  const file = await importOf(db, userId, id);
  if (!file) throw notFound('import');
  return file;
}
