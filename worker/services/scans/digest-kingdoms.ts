import type { Db } from '../../db/open.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { DIGEST, digest, undigested } from '../../models/scans/digest.ts';
import { runIsolated, runUnrecorded } from '../service/one-by-one.ts';

/**
 * Updates alliances, inactive governors and search for new snapshots, each kingdom independently, until `goesOn` is
 * false. `isAgain` is true if the last run did not finish, perhaps because of one of these kingdoms. Returns the number
 * of kingdoms that were waiting; 0 if all are done or in backoff.
 */
export async function digestKingdoms(
  db: Db,
  store: R2Bucket,
  now = Date.now(),
  { goesOn = () => true, isAgain = false }: { goesOn?: () => boolean; isAgain?: boolean } = {},
): Promise<number> {
  const rows = await undigested(db, now);
  await forEachAtOnce(
    rows,
    async (kingdom) => {
      const subject = `${kingdom.game} ${kingdom.kingdom_id}`;
      const run = isAgain || kingdom.failed ? runIsolated : runUnrecorded;
      await run(db, { job: DIGEST, subject }, () => digest(db, store, kingdom), now);
    },
    { goesOn },
  );
  return rows.length;
}
