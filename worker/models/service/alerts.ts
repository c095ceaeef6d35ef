import type { Db } from '../../db/open.ts';
import type { alerts } from '../../db/schema.ts';
import { isActiveAdminSql } from '../accounts/user.ts';
import type { Trouble } from './troubles.ts';

/** Alerts to admins. Each problem is reported once when it starts and once when it is over. */

export type Alert = typeof alerts.$inferSelect;

/** Returns the problems that are not over, oldest first. */
export const openAlerts = async (db: Db): Promise<Alert[]> =>
  (await db.$client.prepare(`SELECT * FROM alerts WHERE cleared_at IS NULL ORDER BY since, kind`).all<Alert>()).results;

/** A problem not found for this long is over. Intermittent problems count as one. */
const CLEAR_MS = 2 * 60_000;
/** SQL: the problem is over at ?1 and not marked so. */
const OVER = `cleared_at IS NULL AND seen_at < ?1 - ${CLEAR_MS}`;

/** Returns the statements that mail every admin about alerts whose current state was not mailed yet. */
const mailStatements = (db: Db, origin: string, now: number): D1PreparedStatement[] => [
  db.$client
    .prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
       SELECT iif(cleared_at IS NULL, 'trouble:', 'recovered:') || kind || ':' || since || ':' || users.id, email,
         iif(cleared_at IS NULL, 'Trouble: ', 'Recovered: ') || kind,
         text || iif(cleared_at IS NULL, ?1, ?2), ?3, ?3
       FROM alerts JOIN users ON ${isActiveAdminSql('users')}
       WHERE mailed_at IS NULL ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(`\n\n${origin}/admin/`, `\n\nThis is over.\n\n${origin}/admin/`, now),
  db.$client.prepare(`UPDATE alerts SET mailed_at = ? WHERE mailed_at IS NULL`).bind(now),
];

/**
 * Stores current problems, marks absent ones as over and mails the admins, in one batch. Returns the alerts not yet
 * posted to the webhook. `quiet` postpones reports to the end of the quiet hours. A problem that begins and ends in
 * these hours is never reported. A reported one that returns in them is not reported again.
 */
export async function noteTroubles(
  db: Db,
  troubles: readonly Trouble[],
  origin: string,
  now: number,
  quiet = false,
): Promise<Alert[]> {
  const results = await db.$client.batch<Alert>([
    ...troubles.map(({ kind, text }) =>
      db.$client
        .prepare(
          `INSERT INTO alerts (kind, text, since, seen_at) VALUES (?1, ?2, ?3, ?3)
           ON CONFLICT (kind) DO UPDATE SET text = ?2, seen_at = ?3,
             since = CASE WHEN cleared_at IS NULL OR mailed_at IS NULL THEN since ELSE ?3 END,
             posted_at = CASE WHEN cleared_at IS NULL THEN posted_at WHEN mailed_at IS NULL THEN ?3 END,
             mailed_at = CASE WHEN cleared_at IS NULL THEN mailed_at WHEN mailed_at IS NULL THEN ?3 END,
             cleared_at = NULL`,
        )
        .bind(kind, text, now),
    ),
    db.$client.prepare(`DELETE FROM alerts WHERE mailed_at IS NULL AND ${OVER}`).bind(now),
    db.$client.prepare(`UPDATE alerts SET cleared_at = ?1, mailed_at = NULL, posted_at = NULL WHERE ${OVER}`).bind(now),
    ...(quiet ? [] : mailStatements(db, origin, now)),
    db.$client.prepare(`SELECT * FROM alerts WHERE posted_at IS NULL AND ? ORDER BY since, kind`).bind(Number(!quiet)),
  ]);
  return results.at(-1)?.results ?? [];
}

/** Records that an alert's current state was posted to the webhook. Deletes it if it is over. */
export async function notePosted(db: Db, { kind, since, cleared_at }: Alert, now: number): Promise<void> {
  const same = 'kind = ? AND since = ? AND cleared_at IS ?';
  const statement =
    cleared_at === null
      ? db.$client.prepare(`UPDATE alerts SET posted_at = ? WHERE ${same}`).bind(now, kind, since, cleared_at)
      : db.$client.prepare(`DELETE FROM alerts WHERE ${same}`).bind(kind, since, cleared_at);
  await statement.run();
}
