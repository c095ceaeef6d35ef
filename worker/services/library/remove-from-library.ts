import { type Sentence, sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { dropOwnScans } from '../../gateways/own-files.ts';
import { type Hanging, hangingOn, removeScan } from '../../models/library/removal.ts';
import { findScan } from './find-scan.ts';

/** Returns a sentence that lists what was made from a scan, asking whether to delete it too; null if nothing was. */
function hanging({ reports, fights }: Hanging): Sentence | null {
  const names = [...reports, ...fights].map(({ name }) => `'${name}'`);
  if (names.length === 0) return null;
  const some = { names: names.slice(0, 5).join(', '), more: Math.max(0, names.length - 5) };
  return sentence(
    "Made from this scan: {names}{more, plural, =0 {} other { and # more}}. Ask again with 'with=reports' to delete them too.",
    some,
  );
}

/**
 * Removes a scan from a user's library.
 * @throws Refusal not_found; conflict if reports or fights were made from it and `withReports` is false.
 */
export async function removeFromLibrary(
  db: Db,
  store: R2Bucket,
  userId: string,
  { scan_id, withReports }: { scan_id: string; withReports: boolean },
): Promise<void> {
  await findScan(db, userId, scan_id);
  const asks = withReports ? null : hanging(await hangingOn(db, userId, scan_id));
  if (asks) throw new Refusal('conflict', asks);
  await dropOwnScans(store, await removeScan(db, userId, scan_id));
}
