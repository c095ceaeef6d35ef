import type { KingdomGoals } from '../../../domain/compare/contract.ts';
import type { Db } from '../../db/open.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import type { RosterPlace } from './rosters.ts';

/** A user's own goals of a kingdom. */
export type StoredGoals = KingdomGoals & { updated_at: number | null };

const NO_GOALS: StoredGoals = { goals: [], farms: null, updated_at: null };

/** Maximum number of kingdoms with goals per user. */
export const MAX_KINGDOM_GOALS = 200;

export async function goalsOf(db: Db, userId: string, { game, kingdom }: RosterPlace): Promise<StoredGoals> {
  const row = await db.$client
    .prepare(`SELECT goals, farms, updated_at FROM kingdom_goals WHERE user_id = ? AND game = ? AND kingdom_id = ?`)
    .bind(userId, game, kingdom)
    .first<{ goals: string; farms: number | null; updated_at: number }>();
  if (!row) return NO_GOALS;
  return { ...row, goals: JSON.parse(row.goals) as KingdomGoals['goals'] };
}

/**
 * Replaces a kingdom's goals, deletes them if they are empty, and logs it. Returns null if they are new and the user has
 * the maximum number.
 */
export async function keepGoals(
  db: Db,
  userId: string,
  { game, kingdom }: RosterPlace,
  { goals, farms }: KingdomGoals,
  entry: AuditEntry,
  now = Date.now(),
): Promise<StoredGoals | null> {
  const bind = (sql: string, ...more: (string | number | null)[]) =>
    db.$client.prepare(sql).bind(userId, game, kingdom, ...more);
  const place = 'user_id = ?1 AND game = ?2 AND kingdom_id = ?3';
  const isEmpty = goals.length === 0 && farms === null;
  const write = isEmpty
    ? bind(`DELETE FROM kingdom_goals WHERE ${place}`)
    : bind(
        `INSERT INTO kingdom_goals (user_id, game, kingdom_id, goals, farms, updated_at) SELECT ?1, ?2, ?3, ?4, ?5, ?6
         WHERE EXISTS (SELECT 1 FROM kingdom_goals WHERE ${place})
           OR (SELECT count(*) FROM kingdom_goals WHERE user_id = ?1) < ${MAX_KINGDOM_GOALS}
         ON CONFLICT (user_id, game, kingdom_id)
         DO UPDATE SET goals = excluded.goals, farms = excluded.farms, updated_at = excluded.updated_at`,
        JSON.stringify(goals),
        farms,
        now,
      );
  const [kept] = await db.$client.batch([write, auditIfChanged(db, entry, now)]);
  if (isEmpty) return NO_GOALS;
  return (kept?.meta.changes ?? 0) > 0 ? { goals, farms, updated_at: now } : null;
}
