import { KEPT_DAYS, WINDOW_DAYS } from '../../../domain/boards/leaderboard.ts';
import type { KingdomRow } from '../../../domain/boards/rows.ts';
import { addDays, DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../domain/games/games.ts';
import { byKey, byRow } from '../../../domain/scans/kingdom-metrics.ts';
import { type Totals, totalsFrom } from '../../../domain/scans/totals.ts';
import type { Db } from '../../db/open.ts';

/** Inputs of boards from D1: the scans that count on a day and each kingdom's totals. */

export interface RankedScan {
  key: string;
  kingdom_id: number;
  captured_at: number;
  rows: number;
  source: string;
}

/**
 * Returns the scans for a day's ranking, newest first. For each kingdom these are the newest scan up to the day's end
 * and older ones with more rows or more rows with a profile, so that a scan of the top 100 does not hide the 900 below.
 */
export async function rankedScans(db: Db, game: GameId, day: Day): Promise<RankedScan[]> {
  const end = dayStart(addDays(day, 1));
  const { results } = await db.$client
    .prepare(
      `SELECT key, kingdom_id, captured_at, rows, source FROM (
         SELECT *, max(rows) OVER newer AS deepest, max(read) OVER newer AS fullest FROM (
           SELECT id, key, kingdom_id, captured_at, rows, source, rows - coalesce(quality ->> 'listed', 0) AS read
           FROM snapshots WHERE game = ?1 AND kind = 'scan' AND captured_at < ?2 AND captured_at >= ?3)
         WINDOW newer AS (PARTITION BY kingdom_id ORDER BY captured_at DESC, id DESC
           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
       WHERE rows > coalesce(deepest, 0) OR read > coalesce(fullest, 0)
       ORDER BY captured_at DESC, kingdom_id`,
    )
    .bind(game, end, end - WINDOW_DAYS * DAY_MS)
    .all<RankedScan>();
  return results;
}

/** Returns the newest snapshot's id, and the days of the game's scans stored after snapshot `after`. */
export async function scansSince(
  db: Db,
  game: GameId,
  after: number | undefined,
): Promise<{ last: number; days: Day[] }> {
  const [newest, late] = await db.$client.batch([
    db.$client.prepare(`SELECT max(id) AS last FROM snapshots`),
    db.$client
      .prepare(
        `SELECT DISTINCT date(captured_at / 1000, 'unixepoch') AS day FROM snapshots NOT INDEXED
         WHERE id > ? AND game = ? AND kind = 'scan'`,
      )
      .bind(after ?? Number.MAX_SAFE_INTEGER, game),
  ]);
  const [{ last } = { last: null }] = (newest?.results ?? []) as { last: number | null }[];
  return { last: last ?? 0, days: ((late?.results ?? []) as { day: Day }[]).map(({ day }) => day) };
}

/** Returns the day of the game's first scan, or null. Reads the whole index, so call it only until the day is known. */
export async function firstDay(db: Db, game: GameId): Promise<Day | null> {
  const row = await db.$client
    .prepare(`SELECT min(captured_at) AS first FROM snapshots WHERE game = ? AND kind = 'scan'`)
    .bind(game)
    .first<{ first: number | null }>();
  return row?.first == null ? null : dayOf(row.first);
}

// For each kingdom, the newest day in the window with at least half as many governors as the window's deepest day.
const STANDING_DAYS = `
  SELECT day.kingdom_id, day.captured_at, day.totals, day.inactive
  FROM kingdoms known
  JOIN kingdom_days day ON day.game = known.game AND day.kingdom_id = known.kingdom_id AND day.day = (
    SELECT max(one.day) FROM kingdom_days one
    WHERE one.game = known.game AND one.kingdom_id = known.kingdom_id AND one.day BETWEEN ?3 AND ?2
      AND 2 * (one.totals ->> 'player_count') >= (
        SELECT max(other.totals ->> 'player_count') FROM kingdom_days other
        WHERE other.game = known.game AND other.kingdom_id = known.kingdom_id AND other.day BETWEEN ?3 AND ?2))
  WHERE known.game = ?1`;

/** Returns the kingdoms' rows as of a day, without ranks. */
export async function kingdomRows(db: Db, game: GameId, day: Day): Promise<KingdomRow[]> {
  const { results } = await db.$client
    .prepare(STANDING_DAYS)
    .bind(game, day, addDays(day, 1 - WINDOW_DAYS))
    .all<{ kingdom_id: number; captured_at: number; totals: string; inactive: number | null }>();
  return results.map(({ kingdom_id, captured_at, totals, inactive }) =>
    kingdomRow(game, kingdom_id, captured_at, totalsFrom(totals), inactive),
  );
}

function kingdomRow(
  game: GameId,
  kingdom_id: number,
  captured_at: number,
  totals: Totals,
  inactive: number | null,
): KingdomRow {
  const score = GAMES[game].roles.score as 'killpoints' | 'merits';
  return {
    rank: 0,
    moved: null,
    kingdom_id,
    timestamp: captured_at,
    total_power: totals.power.total,
    top300_power: totals.power.top300,
    top600_power: totals.power.top600,
    [`total_${score}`]: totals.score.total,
    [`top300_${score}`]: totals.score.top300,
    [`top600_${score}`]: totals.score.top600,
    total_deads: totals.deads.total,
    top300_deads: totals.deads.top300,
    top600_deads: totals.deads.top600,
    player_count: totals.player_count,
    ...(totals.known && { counted: named(totals.known, score) }),
    ...(totals.left_out && { left_out: named(totals.left_out, score) }),
    ch25_count: totals.hall25_count,
    inactive_player_count: inactive,
    ...byRow(({ key }) => totals[key]),
  };
}

/** Renames figures to the names of the row's columns. */
function named<Value>(figures: Readonly<Record<string, Value>>, score: string): Record<string, Value> {
  const metrics: Readonly<Record<string, string>> = byKey(({ row }) => row);
  return Object.fromEntries(
    Object.entries(figures).map(([key, each]) => [metrics[key] ?? `total_${key === 'score' ? score : key}`, each]),
  );
}

const GOVERNORS_AT_ONCE = 5000;

/**
 * Deletes changes and kingdoms' days older than `KEPT_DAYS`. Iterates over governors by id, because the primary key then
 * finds each one's old changes without reading anything else.
 */
export async function pruneHistory(db: Db, now: number): Promise<void> {
  const oldest = addDays(dayOf(now), -KEPT_DAYS);
  for (const game of GAME_IDS) {
    const directory = db.directory(game);
    for (let after = 0; ; ) {
      const { results } = await directory
        .prepare(`SELECT governor_id AS id FROM governors WHERE game = ? AND governor_id > ? ORDER BY 1 LIMIT ?`)
        .bind(game, after, GOVERNORS_AT_ONCE)
        .all<{ id: number }>();
      const last = results.at(-1)?.id;
      if (last === undefined) break;
      const ids = JSON.stringify(results.map(({ id }) => id));
      await directory
        .prepare(
          `DELETE FROM governor_changes
           WHERE game = ?1 AND governor_id IN (SELECT value FROM json_each(?2)) AND captured_at < ?3`,
        )
        .bind(game, ids, dayStart(oldest))
        .run();
      after = last;
    }
    await db.$client.prepare(`DELETE FROM kingdom_days WHERE game = ? AND day < ?`).bind(game, oldest).run();
  }
}
