import { DAY_MS, dayStart } from '../../../domain/days.ts';
import type { ActivityQuery } from '../../../domain/service/watch-contract.ts';
import type { Db } from '../../db/open.ts';
import { pagesOf } from '../pages.ts';

/** The activity log: what admins, users and the service did. */

export interface Activity {
  id: number;
  at: number;
  who: string;
  action: string;
  account: string | null;
  subject: string;
  detail: string;
  address: string;
}

/**
 * SQL of whose acts are listed. Ranges of text use the index on actors, except for users: most entries are theirs, so
 * the newest are found sooner by id (`+` excludes the index).
 */
const BY = {
  admins: `(actor >= 'admin:' AND actor < 'admin;' OR actor = 'operator')`,
  users: `(+actor = 'user' OR +actor >= 'key:' AND +actor < 'key;')`,
  system: `actor = 'system'`,
  all: '1',
} as const;

/** Returns entries that match the filter, newest first. */
export async function listActivity(
  db: Db,
  { who, user, action, from, to, before }: ActivityQuery,
  limit: number,
): Promise<Activity[]> {
  const { results } = await db.$client
    .prepare(
      `WITH named AS (SELECT id FROM users WHERE username_key = ?1)
       SELECT entry.id, at, coalesce(actors.username, CASE WHEN actor = 'user' THEN accounts.username END, actor) AS who,
         action, accounts.username AS account, subject, detail, address
       FROM audit_entries entry
       LEFT JOIN users actors ON 'admin:' || actors.id = actor AND actors.id = substr(actor, 7)
       LEFT JOIN users accounts ON accounts.id = entry.user_id
       WHERE ${BY[who]}
         AND ${user ? `(entry.user_id = (SELECT id FROM named) OR actor = 'admin:' || (SELECT id FROM named))` : '1'}
         AND (?2 IS NULL OR substr(action, 1, length(?2)) = ?2)
         AND (?3 IS NULL OR at >= ?3) AND (?4 IS NULL OR at < ?4) AND (?5 IS NULL OR entry.id < ?5)
       ORDER BY entry.id DESC LIMIT ?6`,
    )
    .bind(
      user?.toLowerCase() || null,
      action || null,
      from ? dayStart(from) : null,
      to ? dayStart(to) + DAY_MS : null,
      before ?? null,
      limit,
    )
    .all<Activity>();
  return results;
}

/** Entries that a page of a file reads. One may have some kB. */
const FILE_PAGE = 1000;

/** Yields all entries that match the filter in pages, newest first. */
export const activityPages = (db: Db, query: ActivityQuery): AsyncGenerator<Activity[]> =>
  pagesOf(
    FILE_PAGE,
    query.before,
    (before, size) => listActivity(db, { ...query, before }, size),
    ({ id }) => id,
  );
