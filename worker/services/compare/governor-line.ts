import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { listScans } from '../../models/library/scans.ts';
import { orNull } from './score.ts';

/** Scans that are looked through, the newest ones. */
const MOST_SCANS = 60;
/** Rows whose ids are looked through in all, those of one scan at a time. */
const MOST_ROWS = 300_000;

/** What a governor was in each scan of the user's library that has him, oldest first; sums over days are no readings. */
export async function governorPoints(store: R2Bucket, db: Db, userId: string, game: GameId, governor: number) {
  const { id, name, power, score, deads, tiers } = GAMES[game].roles;
  const figures = [power, score, deads, ...tiers];
  const points = [];
  let [seen, rows] = [0, 0];
  for (let before: string | undefined; seen < MOST_SCANS; ) {
    const page = await listScans(db, userId, { game, before });
    for (const { key, scan_id, captured_at, kingdom_id, range_from, rows: own } of page.scans) {
      if (seen++ >= MOST_SCANS) break;
      if (range_from !== null) continue;
      rows += own;
      if (rows > MOST_ROWS) return points.reverse();
      const row = await rowOf(store, key, { id, governor, columns: [name, ...figures] });
      if (!row) continue;
      points.push({
        scan_id,
        captured_at,
        kingdom_id,
        name: textsOf(row, name)[0] ?? '',
        figures: Object.fromEntries(figures.map((figure) => [figure, orNull(row.numbers[figure]?.[0])])),
      });
    }
    if (page.next === null) break;
    before = page.next;
  }
  return points.reverse();
}

/**
 * A governor's row of a scan with these columns, or null. His place is looked up in the ids alone, and of the rest only the
 * row group that he is in is read: a row is a thousandth of what the whole scan takes.
 */
async function rowOf(
  store: R2Bucket,
  key: string,
  { id, governor, columns }: { id: string; governor: number; columns: readonly string[] },
): Promise<Table | null> {
  const snapshot = await openStored(store, key);
  try {
    const at = numbersOf(await wholeTable(snapshot, [id]), id).indexOf(governor);
    if (at < 0) return null;
    const { value: row } = await snapshot.between(at, at + 1, columns).next();
    return row ?? null;
  } finally {
    snapshot.close();
  }
}
