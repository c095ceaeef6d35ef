import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { listScans } from '../../models/library/scans.ts';
import { keptColumns } from './kept-columns.ts';
import { orNull } from './score.ts';

/** Scans that are looked through, the newest ones. */
const MOST_SCANS = 60;
/** Rows that are looked through in all: twenty of the largest scans would take seconds. */
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
      const table = await keptColumns(key, [id, name, ...figures], async (missing) =>
        wholeTable(await openStored(store, key), missing),
      );
      const row = numbersOf(table, id).indexOf(governor);
      if (row < 0) continue;
      points.push({
        scan_id,
        captured_at,
        kingdom_id,
        name: textsOf(table, name)[row] ?? '',
        figures: Object.fromEntries(figures.map((figure) => [figure, orNull(table.numbers[figure]?.[row])])),
      });
    }
    if (page.next === null) break;
    before = page.next;
  }
  return points.reverse();
}
