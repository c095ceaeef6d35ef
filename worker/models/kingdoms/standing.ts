import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';

/** Which scans tell how a kingdom stands, in SQL: ?1 is the game, ?2 the kingdom. */

/** How old a scan may be, before the newest one, that still tells who is there. */
const STANDING_DAYS = 30;

/**
 * The day whose scan speaks for the kingdom: the newest with at least half of the governors of the deepest scan of the
 * last days. A scan of the strongest hundred says nothing of the thousand.
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

/** The moments (epoch milliseconds) of a kingdom's newest scan, and of the one that speaks for it. */
export interface Standing {
  newest: number;
  standing: number;
}

/** The scans that tell how a kingdom stands; null where it was never scanned. */
export const standingOf = (db: Db, game: GameId, kingdom: number): Promise<Standing | null> =>
  db.$client.prepare(`SELECT newest, captured_at AS standing FROM (${STANDING})`).bind(game, kingdom).first<Standing>();

/**
 * Governors who are in the kingdom: those of its newest scan (?3), and below its last one those whom the scan that
 * speaks for the kingdom (?4) or a later one has met. Who was mightier than that last one and is not in it has left, or
 * lost too much to say.
 */
export const PRESENT = `game = ?1 AND kingdom_id = ?2 AND captured_at >= ?4 AND (captured_at = ?3 OR power < coalesce((
  SELECT min(power) FROM governors WHERE game = ?1 AND kingdom_id = ?2 AND captured_at = ?3), ${Number.MAX_SAFE_INTEGER}))`;

/** A figure of a profile as far as the newest scan has read it: of an older one it is not how the governor stands. */
export const current = (column: string, table = 'governors'): string =>
  `CASE WHEN coalesce(${table}.profile_at, ${table}.captured_at) = ${table}.captured_at THEN ${table}.${column} END`;

/** True where the verdict on a newest row doubts a figure that it has from the newest scan. */
export const inDoubt = (figure: 'power' | 'score' | 'deads'): string =>
  `(profile_at = captured_at AND instr(' ' || coalesce(profile ->> 'doubted', '') || ' ', ' ${figure} ') > 0)`;

/**
 * True where no figure that both readings have is another one. What the later reading has is said by `figure`: of a
 * newest row, what its scan has read.
 */
export const unchanged = (now: string, before: string, figure = current): string => {
  const same = (column: string) => `coalesce(${figure(column, now)} = ${before}.${column}, true)`;
  return `${now}.power = ${before}.power AND ${same('score')} AND ${same('deads')}`;
};
