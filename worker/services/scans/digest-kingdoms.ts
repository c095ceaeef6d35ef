import type { Db } from '../../db/open.ts';
import { DIGEST, digest, type Undigested, undigested } from '../../models/scans/digest.ts';
import { oneByOne } from '../work/one-by-one.ts';

/** How many kingdoms are looked at side by side: most of the time of one is waiting for the database. */
const LANES = 4;

const subjectOf = ({ game, kingdom_id }: Undigested): string => `${game} ${kingdom_id}`;

/**
 * Brings alliances, inactive governors and the search up to the snapshots that came in since the last call, each kingdom
 * by itself. Answers how many kingdoms were looked at: 0 once all are done or put aside.
 */
export async function digestKingdoms(db: Db, now = Date.now()): Promise<number> {
  const rows = await undigested(db, now);
  const lanes = Array.from({ length: LANES }, (_, lane) => rows.filter((_, index) => index % LANES === lane));
  await Promise.all(
    lanes.map((lane) => oneByOne(db, { job: DIGEST, rows: lane, subjectOf }, (kingdom) => digest(db, kingdom), now)),
  );
  return rows.length;
}
