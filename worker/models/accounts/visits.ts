import { HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';

/** When a user was last here: what the dashboard counts its news from. */

/** A visit has ended once the dashboard was not opened for so long. */
const ENDED_MS = 4 * HOUR_MS;
/** A visit is noted at most this often. */
const NOTED_MS = 5 * 60_000;

/** When the visit before the one that goes on at ?2 was noted last. */
const BEFORE = `CASE WHEN ?2 - seen_at > ${ENDED_MS} THEN seen_at ELSE before_at END`;

/** When a user's visit before the present one was noted last (epoch milliseconds); null where this is his first. */
export async function lastVisit(db: Db, userId: string, now: number): Promise<number | null> {
  const found = await db.$client
    .prepare(`SELECT ${BEFORE} AS last FROM visits WHERE user_id = ?1`)
    .bind(userId, now)
    .first<{ last: number | null }>();
  return found?.last ?? null;
}

/** Notes that a user is here; again within five minutes nothing is written. */
export async function noteVisit(db: Db, userId: string, now = Date.now()): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO visits (user_id, seen_at) VALUES (?1, ?2)
       ON CONFLICT (user_id) DO UPDATE SET before_at = ${BEFORE}, seen_at = ?2 WHERE ?2 - seen_at > ${NOTED_MS}`,
    )
    .bind(userId, now)
    .run();
}

/** What is kept of a user's visits; null before the first. */
export const visitOf = (db: Db, userId: string): Promise<{ seen_at: number; before_at: number | null } | null> =>
  db.$client.prepare('SELECT seen_at, before_at FROM visits WHERE user_id = ?').bind(userId).first();
