import type { Db } from '../../db/open.ts';
import type { alerts } from '../../db/schema.ts';
import type { Trouble } from './troubles.ts';

/** Alerts to admins. Each problem is reported once when it starts and once when it is over. */

export type Alert = typeof alerts.$inferSelect;

/** Returns the problems that are not over, oldest first. */
export const openAlerts = async (db: Db): Promise<Alert[]> =>
  (await db.$client.prepare(`SELECT * FROM alerts WHERE cleared_at IS NULL ORDER BY since, kind`).all<Alert>()).results;

/** A problem not found for this long is over. Intermittent problems count as one. */
const CLEAR_MS = 2 * 60_000;

/** Returns the statement that mails every admin about alerts in this state, once each. */
const mailStatement = (db: Db, state: 'open' | 'cleared', origin: string, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
       SELECT ?1 || kind || ':' || since || ':' || users.id, email, ?2 || kind, text || ?3, ?4, ?4
       FROM alerts JOIN users ON role = 'admin' AND deleted_at IS NULL
       WHERE cleared_at IS ${state === 'open' ? '' : 'NOT '}NULL
       ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(
      state === 'open' ? 'trouble:' : 'recovered:',
      state === 'open' ? 'Trouble: ' : 'Recovered: ',
      `\n\n${state === 'open' ? '' : 'This is over.\n\n'}${origin}/admin/`,
      now,
    );

/**
 * Stores current problems, marks absent ones as over and mails the admins, in one batch. Returns the alerts not yet
 * posted to the webhook. With `quiet`, nobody is told until the quiet hours end.
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
             since = CASE WHEN cleared_at IS NULL THEN since ELSE ?3 END,
             posted_at = CASE WHEN cleared_at IS NULL THEN posted_at END, cleared_at = NULL`,
        )
        .bind(kind, text, now),
    ),
    db.$client
      .prepare(
        `UPDATE alerts SET cleared_at = ?1, posted_at = NULL WHERE cleared_at IS NULL AND seen_at < ?1 - ${CLEAR_MS}`,
      )
      .bind(now),
    ...(quiet ? [] : [mailStatement(db, 'open', origin, now), mailStatement(db, 'cleared', origin, now)]),
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
