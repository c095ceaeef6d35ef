import type { Db } from '../../db/open.ts';

/** The last of migrations/: what this version of the service needs. */
export const NEWEST_MIGRATION = '0025_doubted_rows.sql';

/** True once the database has all that this version needs; throws where not even its list of migrations is there. */
export async function isMigrated(db: Db): Promise<boolean> {
  // The table of `wrangler d1 migrations apply`.
  const applied = await db.$client
    .prepare('SELECT 1 AS applied FROM d1_migrations WHERE name = ?')
    .bind(NEWEST_MIGRATION)
    .first();
  return applied !== null;
}
