import type { GameId } from '../../../domain/games/games.ts';
import type { Standing } from '../../../domain/history/present.ts';
import { TIME_OF_FILE } from '../../../domain/scans/file-time.ts';
import type { Db } from '../../db/open.ts';

/** SQL that selects the scans showing a kingdom's current state; ?1 is the game, ?2 the kingdom. */

/** Maximum age of the reference scan, in days before the newest scan. */
export const STANDING_DAYS = 30;

/**
 * SQL of a kingdom's reference scan: the newest with at least half of the governors of the deepest scan of the last
 * days. A scan of the strongest hundred says nothing about the thousand.
 */
export const STANDING = `
  SELECT known.captured_at AS newest, standing.*
  FROM kingdoms known JOIN kingdom_days standing
    ON standing.game = known.game AND standing.kingdom_id = known.kingdom_id AND standing.day = (
      SELECT max(one.day) FROM kingdom_days one
      WHERE one.game = ?1 AND one.kingdom_id = ?2
        AND one.day >= date(known.captured_at / 1000, 'unixepoch', '-${STANDING_DAYS} days')
        AND 2 * (one.totals ->> 'player_count') >= (
          SELECT max(other.totals ->> 'player_count') FROM kingdom_days other
          WHERE other.game = ?1 AND other.kingdom_id = ?2
            AND other.day >= date(known.captured_at / 1000, 'unixepoch', '-${STANDING_DAYS} days')))
  WHERE known.game = ?1 AND known.kingdom_id = ?2`;

/** Returns the times of the scans, or null if none is kept. */
export const kingdomStanding = (db: Db, game: GameId, kingdom: number): Promise<Standing | null> =>
  db.$client.prepare(`SELECT newest, captured_at AS standing FROM (${STANDING})`).bind(game, kingdom).first<Standing>();

/** True if a kingdom's or governor's day is of a scan that has only the time of its file for a moment. */
export const byFileTime = (days: string): string =>
  `EXISTS (SELECT 1 FROM snapshots WHERE snapshots.game = ${days}.game AND snapshots.kingdom_id = ${days}.kingdom_id
     AND snapshots.captured_at = ${days}.captured_at AND source LIKE '%${TIME_OF_FILE}')`;
