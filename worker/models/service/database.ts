import type { GameId } from '../../../domain/games/games.ts';
import { databasesOf, directoriesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { messageOf } from '../../errors.ts';
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

/** Sizes of the bound databases, in bytes. */
export interface DatabaseSizes {
  fullest: number;
  sum: number;
  /** Directories that do not answer, whose sizes are unknown. */
  away: { games: readonly GameId[]; error: string }[];
}

const sizeOf = async (client: D1Database): Promise<number> =>
  (await client.prepare('SELECT 1').run()).meta.size_after ?? 0;

/** Returns the sizes of the databases. A directory that does not answer hides no other. */
export async function databaseSizes(db: Db): Promise<DatabaseSizes> {
  const apart = directoriesOf(db).filter(([client]) => client !== db.$client);
  const others = Promise.allSettled(apart.map(([client]) => sizeOf(client)));
  const own = await sizeOf(db.$client);
  const answers = await others;
  const sizes = [own, ...answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))];
  return {
    fullest: Math.max(...sizes),
    sum: sizes.reduce((total, size) => total + size, 0),
    away: apart.flatMap(([, games], index) => {
      const answer = answers[index];
      return answer?.status === 'rejected' ? [{ games, error: messageOf(answer.reason) }] : [];
    }),
  };
}
