import { DAY_MS } from '../../../domain/days.ts';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS } from '../../../domain/work.ts';
import type { Db } from '../../db/open.ts';
import type { setbacks } from '../../db/schema.ts';
import { messageOf } from '../../errors.ts';
import { auditIfChanged } from './audit.ts';

/** Job failures of the crons, with backoff: when work is retried and what admins see of it. */

type JobFailure = typeof setbacks.$inferSelect;

/** A job failure as shown to admins. */
type ListedJobFailure = JobFailure & { by_itself: boolean };

/** A piece of a job's work. An empty subject means the job itself. */
export interface Job {
  job: string;
  subject: string;
}

/** SQL of `waitAfter` for a number of attempts. */
export const waitSql = (tries: string): string => `min(${FIRST_WAIT_MS} << min(${tries} - 1, 20), ${LONGEST_WAIT_MS})`;

/** Maximum backoff of a whole job, because the outage that it hit may long be over. */
const LONGEST_JOB_WAIT_MS = 5 * 60_000;

/**
 * Counts an attempt before it begins and puts the work into backoff until it succeeds. Returns the number of the
 * attempt, or null if the work is in backoff or another caller has just begun it.
 */
export async function beginWork(db: Db, { job, subject }: Job, now: number): Promise<number | null> {
  const wait = waitSql('(tries + 1)');
  const row = await db.$client
    .prepare(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at) VALUES (?1, ?2, 1, ?3, ?3 + ${FIRST_WAIT_MS})
       ON CONFLICT (job, subject) DO UPDATE SET tries = tries + 1, begun_at = ?3, next_at = ?3 + ${subject === '' ? `min(${LONGEST_JOB_WAIT_MS}, ${wait})` : wait}
       WHERE next_at <= ?3
       RETURNING tries`,
    )
    .bind(job, subject, now)
    .first<{ tries: number }>();
  return row?.tries ?? null;
}

/** Returns the statement that deletes the failure record of work that succeeded. */
export const succeededStatement = (db: Db, { job, subject }: Job): D1PreparedStatement =>
  db.$client.prepare(`DELETE FROM setbacks WHERE job = ? AND subject = ?`).bind(job, subject);

const LONGEST_ERROR = 500;

/**
 * Returns the statement that records why an attempt failed, for admins. Pass `next_at` if `beginWork` does not manage
 * the backoff.
 */
export const failedStatement = (
  db: Db,
  { job, subject }: Job,
  { tries, next_at = null, error, now }: { tries: number; next_at?: number | null; error: unknown; now: number },
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES (?1, ?2, ?3, ?4, coalesce(?5, ?4), ?6)
       ON CONFLICT (job, subject) DO UPDATE SET tries = ?3, next_at = coalesce(?5, next_at), error = ?6`,
    )
    .bind(job, subject, tries, now, next_at, messageOf(error).slice(0, LONGEST_ERROR));

/** Records a failure of work that others retry. Repeated failures within `every` ms count once. */
export async function noteFailure(
  db: Db,
  { job, subject }: Job,
  { error, now, every }: { error: unknown; now: number; every: number },
): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES (?1, ?2, 1, ?3, ?3, ?4)
       ON CONFLICT (job, subject) DO UPDATE SET tries = tries + 1, begun_at = ?3, next_at = ?3, error = ?4
       WHERE begun_at + ?5 <= ?3`,
    )
    .bind(job, subject, now, messageOf(error).slice(0, LONGEST_ERROR), every)
    .run();
}

/** Ongoing work is retried within a day. Work not retried for longer was ended or done in another way. */
const LEFT_MS = 2 * DAY_MS;

/** Deletes failure records of work that no longer comes up. Keeps planned work, which has no other record. */
export async function dropLeftSetbacks(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(`DELETE FROM setbacks WHERE next_at < ? AND job <> '${LEFT_FILES}'`)
    .bind(now - LEFT_MS)
    .run();
}

/** Name of the job that deletes a deleted account's remaining files. Planned when the account is deleted. */
export const LEFT_FILES = 'files of deleted accounts';

/** Returns the statement that plans work for a time. */
export const planStatement = (db: Db, { job, subject }: Job, at: number): D1PreparedStatement =>
  db.$client
    .prepare(`INSERT INTO setbacks (job, subject, tries, begun_at, next_at) VALUES (?1, ?2, 0, ?3, ?3)`)
    .bind(job, subject, at);

/** Returns up to `most` subjects of a job's planned work that is due. Failed work is due again after its backoff. */
export async function duePlans(db: Db, job: string, now: number, most: number): Promise<string[]> {
  const { results } = await db.$client
    .prepare(`SELECT subject FROM setbacks WHERE job = ? AND subject <> '' AND next_at <= ? ORDER BY next_at LIMIT ?`)
    .bind(job, now, most)
    .all<{ subject: string }>();
  return results.map(({ subject }) => subject);
}

/** SQL condition that work is not in backoff. `subject` is SQL, `now` the number of a bound parameter. */
export const notInBackoffSql = (job: string, subject: string, now: number): string =>
  `NOT EXISTS (SELECT 1 FROM setbacks WHERE job = '${job}' AND subject = ${subject} AND next_at > ?${now})`;

/** Work that runs longer than this without a result has died with its process. */
const SILENT_MS = 15 * 60_000;

/** Job of the order object, which manages its own retries. */
export const FINISHING_ITEMS = 'finishing items';
/** Implausible rows from bots, by bot. */
export const IMPLAUSIBLE = 'implausible rows';
/** Stripe webhooks, which Stripe retries. */
export const WEBHOOK_CALLS = 'webhooks';
/** Subject of webhook calls without Stripe's signature: a wrong secret or a stranger. */
export const UNSIGNED = 'signature';

/** True for jobs that something other than the crons retries. */
const managesOwnRetries = (job: string): boolean => [FINISHING_ITEMS, IMPLAUSIBLE, WEBHOOK_CALLS].includes(job);

/**
 * Makes work in backoff due at the job's next round. Returns false if there is none by that name or the job manages its
 * own retries.
 */
export async function tryAgainNow(
  db: Db,
  { job, subject }: Job,
  admin: { id: string; address: string },
  now: number,
): Promise<boolean> {
  const entry = {
    userId: null,
    actor: `admin:${admin.id}`,
    action: 'setback.tried_again',
    subject: `${job} ${subject}`,
  };
  const [hurried] = await db.$client.batch([
    db.$client
      .prepare(`UPDATE setbacks SET next_at = ?3 WHERE job = ?1 AND subject = ?2 AND ?4`)
      .bind(job, subject, now, Number(!managesOwnRetries(job))),
    auditIfChanged(db, { ...entry, address: admin.address }, now),
    db.$client
      .prepare(
        `UPDATE schedules SET try_at = ?3 WHERE ?1 = 'schedule' AND id = CAST(?2 AS INTEGER) AND trying_for IS NOT NULL`,
      )
      .bind(job, subject, now),
  ]);
  return (hurried?.meta.changes ?? 0) > 0;
}

const TROUBLED = `(error IS NOT NULL OR begun_at < ?1)`;
const SHOWN = 100;

/** Returns work that failed or died and has not succeeded since, newest first, and the total number. */
export async function listJobFailures(
  db: Db,
  now = Date.now(),
): Promise<{ count: number; setbacks: ListedJobFailure[] }> {
  const [counted, listed] = await db.$client.batch<JobFailure & { count: number }>([
    db.$client.prepare(`SELECT count(*) AS count FROM setbacks WHERE ${TROUBLED}`).bind(now - SILENT_MS),
    db.$client
      .prepare(`SELECT * FROM setbacks WHERE ${TROUBLED} ORDER BY begun_at DESC, job, subject LIMIT ${SHOWN}`)
      .bind(now - SILENT_MS),
  ]);
  return {
    count: counted?.results[0]?.count ?? 0,
    setbacks: (listed?.results ?? []).map((setback) => ({ ...setback, by_itself: managesOwnRetries(setback.job) })),
  };
}
