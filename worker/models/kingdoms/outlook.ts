import { dayStart } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { presentIn } from '../../../domain/history/present.ts';
import { missedSince, outlookOf } from '../../../domain/orders/outlook.ts';
import type { KingdomOutlook } from '../../../domain/orders/outlook-contract.ts';
import { NOBODY_FOUND_START } from '../../../domain/orders/reasons.ts';
import { historyFrom } from '../../../domain/scans/history.ts';
import type { Db } from '../../db/open.ts';
import { kingdomHistory } from './histories.ts';
import { kingdomStanding } from './standing.ts';

interface Looked {
  kingdom_id: number;
  scanned_at: number | null;
  missed_at: number | null;
}

/** Returns what bots know about these kingdoms, in the order given. */
export async function outlooksOf(
  db: Db,
  game: GameId,
  ids: readonly number[],
  now = Date.now(),
): Promise<Omit<KingdomOutlook, 'stored'>[]> {
  const { results } = await db.$client
    .prepare(
      // The conditions repeat those of the partial index, otherwise SQLite does not use it. Items that failed for other
      // reasons tell nothing about their kingdom.
      `SELECT one.value AS kingdom_id, kingdoms.captured_at AS scanned_at, (
         SELECT max(finished_at) FROM items
         WHERE items.game = ?2 AND items.kingdom_id = one.value AND finished_at > ?3 AND state IN ('failed', 'cancelled')
           AND snapshot_id IS NULL AND error IS NOT NULL AND subtask_count > 0
           AND error GLOB '${NOBODY_FOUND_START}*') AS missed_at
       FROM json_each(?1) one LEFT JOIN kingdoms ON kingdoms.game = ?2 AND kingdoms.kingdom_id = one.value
       ORDER BY one.key`,
    )
    .bind(JSON.stringify(ids), game, missedSince(now))
    .all<Looked>();
  return results.map((looked) => ({ ...looked, outlook: outlookOf(looked) }));
}

/**
 * Returns the size of a kingdom's history if it were made now: the governors known to be present (`topGovernors` limits
 * them to the strongest) and the days with scans.
 */
export async function storedOf(
  db: Db,
  store: R2Bucket,
  game: GameId,
  { kingdom_id, scanned_at }: Pick<Looked, 'kingdom_id' | 'scanned_at'>,
  now = Date.now(),
): Promise<{ governors: number; days: number }> {
  const known = scanned_at === null ? null : await kingdomStanding(db, game, kingdom_id);
  if (!known) return { governors: 0, days: 0 };
  const from = historyFrom(now);
  const [kingdom, days] = await Promise.all([
    kingdomHistory(db, store, { game, kingdom_id }),
    db.$client
      .prepare(`SELECT count(*) AS count FROM kingdom_days WHERE game = ? AND kingdom_id = ? AND day >= ?`)
      .bind(game, kingdom_id, from)
      .first<number>('count'),
  ]);
  const governors = presentIn(kingdom, known).filter(({ captured_at }) => captured_at >= dayStart(from));
  return { governors: governors.length, days: days ?? 0 };
}
