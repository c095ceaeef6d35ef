import type * as z from 'zod';
import type { LibraryScan, library, scanDetails } from '../../../domain/library/answers.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { hangingOn } from '../../models/library/removal.ts';
import {
  type KeptScan,
  type Labels,
  type LibraryFilter,
  labelScan,
  libraryOutline,
  listScans,
} from '../../models/library/scans.ts';
import { findScan } from './find-scan.ts';
import { limitsOf } from './limits.ts';

/** Removes the storage key, which is internal. */
const shownScan = ({ key: _, ...scan }: KeptScan): LibraryScan => scan;

/** Returns a page of a user's scans, the filter options and the usage of limits. */
export async function showLibrary(
  db: Db,
  env: Env,
  userId: string,
  filter: LibraryFilter,
): Promise<z.infer<typeof library>> {
  const [page, outline, limits] = await Promise.all([
    listScans(db, userId, filter),
    libraryOutline(db, userId),
    limitsOf(env, db, userId),
  ]);
  return { scans: page.scans.map(shownScan), next: page.next, ...outline, limits };
}

/** Returns a scan of the user's library and what was made from it. @throws Refusal not_found. */
export async function showScan(db: Db, userId: string, id: string): Promise<z.infer<typeof scanDetails>> {
  const scan = await findScan(db, userId, id);
  return { scan: shownScan(scan), hangs: await hangingOn(db, userId, id) };
}

/** Changes the labels of a scan and returns it. @throws Refusal not_found. */
export async function relabelScan(db: Db, userId: string, id: string, labels: Labels): Promise<LibraryScan> {
  await findScan(db, userId, id);
  await labelScan(db, userId, id, labels);
  return shownScan(await findScan(db, userId, id));
}
