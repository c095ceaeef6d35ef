import { HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';

/** Visit times, from which the dashboard counts news. */

/** A visit ends when the dashboard was not opened for this long. */
const ENDED_MS = 4 * HOUR_MS;
/** Minimum time between recorded visits. */
const NOTED_MS = 5 * 60_000;

/** SQL of the last recorded time of the visit before the one at ?2. */
const BEFORE = `CASE WHEN ?2 - seen_at > ${ENDED_MS} THEN seen_at ELSE before_at END`;

/** Returns the last recorded time of a user's previous visit (epoch ms), or null on the first visit. */
export async function lastVisit(db: Db, userId: string, now: number): Promise<number | null> {
  const found = await db.$client
    .prepare(`SELECT ${BEFORE} AS last FROM visits WHERE user_id = ?1`)
    .bind(userId, now)
    .first<{ last: number | null }>();
  return found?.last ?? null;
}

/** Records that a user is here, at most every five minutes. */
export async function noteVisit(db: Db, userId: string, now = Date.now()): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO visits (user_id, seen_at) VALUES (?1, ?2)
       ON CONFLICT (user_id) DO UPDATE SET before_at = ${BEFORE}, seen_at = ?2 WHERE ?2 - seen_at > ${NOTED_MS}`,
    )
    .bind(userId, now)
    .run();
}

/** Returns the recorded visit times, or null before the first visit. */
export const visitOf = (db: Db, userId: string): Promise<{ seen_at: number; before_at: number | null } | null> =>
  db.$client.prepare('SELECT seen_at, before_at FROM visits WHERE user_id = ?').bind(userId).first();
