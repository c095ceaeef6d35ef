import type { Db } from '../../db/open.ts';
import type { Histories } from '../../gateways/history-store.ts';
import { DIGEST, digest, type Undigested, undigested } from '../../models/scans/digest.ts';
import { oneByOne } from '../service/one-by-one.ts';

/**
 * Number of kingdoms processed in parallel, because most of the time is spent waiting for the database. The platform
 * allows an invocation six connections.
 */
const LANES = 6;

const subjectOf = ({ game, kingdom_id }: Undigested): string => `${game} ${kingdom_id}`;

/**
 * Updates alliances, inactive governors and search for new snapshots, each kingdom independently. Returns the number of
 * kingdoms processed; 0 if all are done or in backoff.
 */
export async function digestKingdoms(db: Db, histories: Histories, now = Date.now()): Promise<number> {
  const rows = await undigested(db, now);
  const lanes = Array.from({ length: LANES }, (_, lane) => rows.filter((_, index) => index % LANES === lane));
  await Promise.all(
    lanes.map((lane) =>
      oneByOne(db, { job: DIGEST, rows: lane, subjectOf }, (kingdom) => digest(db, histories, kingdom), now),
    ),
  );
  return rows.length;
}
