import { MINUTE_MS } from '../../../domain/days.ts';
import { ALERT_LIMITS, type AlertLimits } from '../../../domain/service/alert-limits.ts';
import { DATABASE_BYTES } from '../../../domain/service/month-costs.ts';
import type { Db } from '../../db/open.ts';
import type { DatabaseSizes } from './database.ts';
import { UNSIGNED, WEBHOOK_CALLS } from './job-failures.ts';

/** Problems that are mailed to admins automatically. */

const WINDOW_MINUTES = 10;

/** Counts a response with an internal error. */
export async function noteFailedAnswer(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO failed_answers (minute, count) VALUES (?, 1) ON CONFLICT (minute) DO UPDATE SET count = count + 1`,
    )
    .bind(Math.floor(now / MINUTE_MS))
    .run();
}

export interface Trouble {
  /** Identifies the problem: one mail per kind in a while. */
  kind: string;
  text: string;
}

/** A job that failed this often in a row will not recover by itself. */
const TRIES = 3;
const FAILED_ANSWERS = 20;
const UNSENT_MAILS = 3;
/** Mails are retried for three days. */
const MAIL_MS = 4 * 24 * 60 * MINUTE_MS;

const count = async (db: Db, sql: string, ...values: unknown[]): Promise<number> =>
  (
    await db.$client
      .prepare(sql)
      .bind(...values)
      .first<{ count: number }>()
  )?.count ?? 0;

async function failingJobs(db: Db): Promise<Trouble[]> {
  const { results } = await db.$client
    .prepare(
      // Beside max(), SQLite takes the error from the same row.
      `SELECT job, max(tries) AS tries, error FROM setbacks
       WHERE error IS NOT NULL AND tries >= ? AND job <> ? GROUP BY job`,
    )
    .bind(TRIES, WEBHOOK_CALLS)
    .all<{ job: string; tries: number; error: string }>();
  return results.map(({ job, tries, error }) => ({
    kind: `job ${job}`,
    text: `The job '${job}' failed ${tries} times in a row: ${error}`,
  }));
}

/**
 * Reports signed Stripe webhooks that failed and have not succeeded since. Unsigned calls are only listed, because
 * anybody can send them. A wrong secret shows up in the daily comparison with Stripe.
 */
async function refusedWebhooks(db: Db): Promise<Trouble[]> {
  const row = await db.$client
    .prepare(`SELECT sum(tries) AS calls, max(error) AS error FROM setbacks WHERE job = ? AND subject <> ?`)
    .bind(WEBHOOK_CALLS, UNSIGNED)
    .first<{ calls: number | null; error: string }>();
  return row && (row.calls ?? 0) >= TRIES
    ? [{ kind: 'webhooks', text: `${row.calls} calls of Stripe's webhook failed: ${row.error}` }]
    : [];
}

/** Reports problems of jobs, mails, responses and payments. */
export async function workTroubles(db: Db, now: number): Promise<Trouble[]> {
  const troubles = [...(await failingJobs(db)), ...(await refusedWebhooks(db))];
  const unsent = await count(
    db,
    // Attempts are not counted while a service is not accepting mail.
    `SELECT count(*) AS count FROM outbox
     WHERE sent_at IS NULL AND error IS NOT NULL AND (attempts >= ? OR attempts = 0) AND created_at BETWEEN ? AND ?`,
    TRIES,
    now - MAIL_MS,
    now - MINUTE_MS,
  );
  if (unsent >= UNSENT_MAILS) troubles.push({ kind: 'mails', text: `${unsent} mails could not be sent.` });
  const failed = await count(
    db,
    `SELECT coalesce(sum(count), 0) AS count FROM failed_answers WHERE minute > ?`,
    Math.floor(now / MINUTE_MS) - WINDOW_MINUTES,
  );
  if (failed >= FAILED_ANSWERS)
    troubles.push({
      kind: 'answers',
      text: `${failed} internal errors (5xx) in the last ten minutes.`,
    });
  const open = await count(
    db,
    `SELECT count(*) AS count FROM payments WHERE state = 'open' AND session_id IS NULL AND created_at BETWEEN ? AND ?`,
    now - 60 * MINUTE_MS,
    now - MINUTE_MS,
  );
  if (open >= TRIES)
    troubles.push({ kind: 'payments', text: `Stripe answered none of ${open} top-ups of the last hour.` });
  return troubles;
}

/** Reports directories of games that do not answer. */
export const directoryTroubles = ({ away }: DatabaseSizes): Trouble[] =>
  away.map(({ games, error }) => ({
    kind: `directory ${games.join(' ')}`,
    text: `The database with the directory of ${games.join(' and ')} does not answer: ${error}`,
  }));

/** Reports a nearly full database. `bytes` is its size as reported by the platform. */
export function sizeTroubles(bytes: number, { database_percent }: AlertLimits = ALERT_LIMITS): Trouble[] {
  const percent = Math.floor((bytes * 100) / DATABASE_BYTES);
  return percent > database_percent ? [{ kind: 'database size', text: `The database is ${percent} % full.` }] : [];
}

/** Deletes expired counts of failed responses and of attempts. */
export async function dropOldCounts(db: Db, now: number): Promise<void> {
  const minute = Math.floor(now / MINUTE_MS);
  await db.$client.batch([
    db.$client.prepare(`DELETE FROM failed_answers WHERE minute < ?`).bind(minute - 24 * 60),
    db.$client.prepare(`DELETE FROM tries WHERE minute < ?`).bind(minute - 1),
  ]);
}
