import type { Db } from '../../db/open.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { DIGEST, digest, undigested } from '../../models/scans/digest.ts';
import { runIsolated } from '../service/one-by-one.ts';

/**
 * Updates alliances, inactive governors and search for new snapshots, each kingdom independently, until `goesOn` is
 * false. Returns the number of kingdoms that were waiting; 0 if all are done or in backoff.
 */
export async function digestKingdoms(
  db: Db,
  store: R2Bucket,
  now = Date.now(),
  goesOn: () => boolean = () => true,
): Promise<number> {
  const rows = await undigested(db, now);
  await forEachAtOnce(
    rows,
    async (kingdom) => {
      const subject = `${kingdom.game} ${kingdom.kingdom_id}`;
      await runIsolated(db, { job: DIGEST, subject }, () => digest(db, store, kingdom), now);
    },
    { goesOn },
  );
  return rows.length;
}
