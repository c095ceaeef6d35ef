import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';

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

/** The kingdom of a roster. */
export interface RosterPlace {
  game: GameId;
  kingdom: number;
}

/** An edit: the roster that it was made from, the new rows, and its entry in the log. */
interface RosterEdit {
  before: Roster;
  entries: RosterEntry[];
  entry: AuditEntry;
}

/**
 * Replaces a kingdom's roster, deletes it if it is empty, and logs the edit. Returns null if the roster is no longer
 * the one before, or if it is new and the user has the maximum number.
 */
export async function keepRoster(
  db: Db,
  userId: string,
  { game, kingdom }: RosterPlace,
  { before, entries, entry }: RosterEdit,
  now = Date.now(),
): Promise<Roster | null> {
  const bind = (sql: string, ...more: (string | number | null)[]) =>
    db.$client.prepare(sql).bind(userId, game, kingdom, before.updated_at, ...more);
  const place = 'user_id = ?1 AND game = ?2 AND kingdom_id = ?3';
  const write =
    entries.length === 0
      ? bind(`DELETE FROM rosters WHERE ${place} AND updated_at = ?4 RETURNING updated_at`)
      : before.updated_at === null
        ? bind(
            `INSERT INTO rosters (user_id, game, kingdom_id, entries, updated_at) SELECT ?1, ?2, ?3, ?5, ?6
             WHERE ?4 IS NULL AND (SELECT count(*) FROM rosters WHERE user_id = ?1) < ?7
             ON CONFLICT (user_id, game, kingdom_id) DO NOTHING RETURNING updated_at`,
            JSON.stringify(entries),
            now,
            MAX_ROSTERS,
          )
        : bind(
            // Two edits in one millisecond differ too.
            `UPDATE rosters SET entries = ?5, updated_at = max(?6, updated_at + 1)
             WHERE ${place} AND updated_at = ?4 RETURNING updated_at`,
            JSON.stringify(entries),
            now,
          );
  const [done] = await db.$client.batch<{ updated_at: number }>([write, auditIfChanged(db, entry, now)]);
  const [row] = done?.results ?? [];
  return row ? { entries, updated_at: entries.length === 0 ? null : row.updated_at } : null;
}
