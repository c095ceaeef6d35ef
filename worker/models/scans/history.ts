import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import { knownIn, presentIn, type Standing, stateIn } from '../../../domain/history/present.ts';
import type { HistoryDay } from '../../../domain/scans/history.ts';
import type { Db } from '../../db/open.ts';
import { daysIn } from '../kingdoms/histories.ts';

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

/** Returns the ids of a kingdom's strongest governors among those present. */
export const topGovernors = (kingdom: KingdomHistory, standing: Standing, count: number): number[] =>
  presentIn(kingdom, standing)
    .slice(0, count)
    .map(({ id }) => id);

/** Returns all days of these governors from `from` on in their kingdom's history, by governor, then by day. */
export function daysOfGovernors(kingdom: KingdomHistory, ids: readonly number[], from: Day): HistoryDay[] {
  return ids.flatMap((governor_id) => {
    const known = knownIn(kingdom, governor_id);
    if (!known) return [];
    const { name, alliance_tag } = stateIn(kingdom, known);
    const days = daysIn(kingdom.history, governor_id, from);
    return days.map(({ by_file: _, captured_at: __, ...day }) => ({ governor_id, name, alliance_tag, ...day }));
  });
}
