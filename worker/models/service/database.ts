import type { Db } from '../../db/open.ts';

/** The newest file in migrations/, which this version needs. */
export const NEWEST_MIGRATION = '0040_licences.sql';

/** True if the database has the newest migration. Throws if even the table of migrations is missing. */
export async function isMigrated(db: Db): Promise<boolean> {
  // Table of `wrangler d1 migrations apply`.
  const applied = await db.$client
    .prepare('SELECT 1 AS applied FROM d1_migrations WHERE name = ?')
    .bind(NEWEST_MIGRATION)
    .first();
  return applied !== null;
}
