import { databasesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { together } from '../../isolate/at-once.ts';

/** The newest file in migrations/, which this version needs. */
export const NEWEST_MIGRATION = '0043_reported_once.sql';

/** True if each database has the newest migration. Throws if even the table of migrations is missing. */
export async function isMigrated(db: Db): Promise<boolean> {
  // Table of `wrangler d1 migrations apply`.
  const applied = await together(
    databasesOf(db).map((client) =>
      client.prepare('SELECT 1 AS applied FROM d1_migrations WHERE name = ?').bind(NEWEST_MIGRATION).first(),
    ),
  );
  return !applied.includes(null);
}

/** Returns the size of the fullest database in bytes. */
export async function fullestBytes(db: Db): Promise<number> {
  const answers = await together(databasesOf(db).map((client) => client.prepare('SELECT 1').run()));
  return Math.max(...answers.map(({ meta }) => meta.size_after ?? 0));
}
