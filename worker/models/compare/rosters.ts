import type { RosterEntry } from '../../../domain/compare/roster.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';

/** A user's list of farm and main accounts in a kingdom. */
export interface Roster {
  entries: RosterEntry[];
  updated_at: number | null;
}

export async function rosterOf(db: Db, userId: string, game: GameId, kingdom: number): Promise<Roster> {
  const row = await db.$client
    .prepare(`SELECT entries, updated_at FROM rosters WHERE user_id = ? AND game = ? AND kingdom_id = ?`)
    .bind(userId, game, kingdom)
    .first<{ entries: string; updated_at: number }>();
  return { entries: row ? (JSON.parse(row.entries) as RosterEntry[]) : [], updated_at: row?.updated_at ?? null };
}

/** Returns the entries of several kingdoms, without duplicate governors. */
export async function rosterOver(
  db: Db,
  userId: string,
  game: GameId,
  kingdoms: readonly number[],
): Promise<RosterEntry[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT entries FROM rosters
       WHERE user_id = ? AND game = ? AND kingdom_id IN (SELECT value FROM json_each(?)) ORDER BY kingdom_id`,
    )
    .bind(userId, game, JSON.stringify(kingdoms))
    .all<{ entries: string }>();
  const seen = new Set<number>();
  return results
    .flatMap(({ entries }) => JSON.parse(entries) as RosterEntry[])
    .filter(({ governor_id }) => !seen.has(governor_id) && seen.add(governor_id));
}

/** Maximum number of kingdoms with a roster per user. */
export const MAX_ROSTERS = 200;

/**
 * Replaces a kingdom's roster and returns it. An empty roster is deleted. Returns null if the user has the maximum
 * number.
 */
export async function keepRoster(
  db: Db,
  userId: string,
  game: GameId,
  kingdom: number,
  entries: RosterEntry[],
  now = Date.now(),
): Promise<Roster | null> {
  const bind = (sql: string, ...more: (string | number)[]) =>
    db.$client.prepare(sql).bind(userId, game, kingdom, ...more);
  if (entries.length === 0) {
    await bind(`DELETE FROM rosters WHERE user_id = ? AND game = ? AND kingdom_id = ?`).run();
    return { entries, updated_at: null };
  }
  const { meta } = await bind(
    `INSERT INTO rosters (user_id, game, kingdom_id, entries, updated_at) SELECT ?1, ?2, ?3, ?4, ?5
     WHERE EXISTS (SELECT 1 FROM rosters WHERE user_id = ?1 AND game = ?2 AND kingdom_id = ?3)
       OR (SELECT count(*) FROM rosters WHERE user_id = ?1) < ?6
     ON CONFLICT (user_id, game, kingdom_id) DO UPDATE SET entries = excluded.entries, updated_at = excluded.updated_at`,
    JSON.stringify(entries),
    now,
    MAX_ROSTERS,
  ).run();
  return meta.changes > 0 ? { entries, updated_at: now } : null;
}
