import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import type { HistoryDay } from '../../../domain/scans/history.ts';
import type { Db } from '../../db/open.ts';
import { namesOf } from '../kingdoms/directory.ts';
import { daysIn } from '../kingdoms/histories.ts';
import { kingdomStanding, PRESENT } from '../kingdoms/standing.ts';

/** The stored history of a kingdom's governors, sold as the history product. */

/** An item made from stored data, without bots. */
export interface HistoryItem {
  id: string;
  game: GameId;
  kingdom_id: number;
  user_id: string;
  governors: number;
  version: number;
  /** When it was ordered or requested again (epoch ms). Its 90 days end here. */
  asked_at: number;
}

/** Returns a history item, or null if it needs bots or does not exist. */
export const historyItem = (db: Db, itemId: string): Promise<HistoryItem | null> =>
  db.$client
    .prepare(
      `SELECT items.id, game, kingdom_id, user_id, governors, version, coalesce(repaired_at, placed_at) AS asked_at
       FROM items JOIN orders ON orders.id = items.order_id WHERE items.id = ? AND subtask_count = 0`,
    )
    .bind(itemId)
    .first<HistoryItem>();

/** Returns the ids of a kingdom's strongest governors among those present, or none if it was never scanned. */
export async function topGovernors(db: Db, game: GameId, kingdomId: number, count: number): Promise<number[]> {
  const known = await kingdomStanding(db, game, kingdomId);
  if (!known) return [];
  const { results } = await db.$client
    .prepare(`SELECT governor_id AS id FROM governors WHERE ${PRESENT} ORDER BY power DESC, governor_id LIMIT ?5`)
    .bind(game, kingdomId, known.newest, known.standing, count)
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Returns all days of these governors from `from` on in their kingdom's history, by governor, then by day. */
export async function daysOfGovernors(
  db: Db,
  { history }: KingdomHistory,
  game: GameId,
  ids: readonly number[],
  from: Day,
): Promise<HistoryDay[]> {
  const named = await namesOf(db, game, ids);
  return named.flatMap((name) =>
    daysIn(history, name.governor_id, from).map(({ by_file: _, captured_at: __, ...day }) => ({ ...name, ...day })),
  );
}
