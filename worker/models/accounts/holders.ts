import type { Db } from '../../db/open.ts';
import { openSessionSql } from './sessions.ts';

/** Filters a user's sessions and API keys (ids) to those still active. */
export async function openHolders(
  db: Db,
  userId: string,
  ids: readonly string[],
  now = Date.now(),
): Promise<Set<string>> {
  const { results } = await db.$client
    .prepare(
      `SELECT id FROM sessions WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND ${openSessionSql('?3')}
       UNION ALL
       SELECT id FROM api_keys
       WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND revoked_at IS NULL`,
    )
    .bind(userId, JSON.stringify(ids), now)
    .all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}
