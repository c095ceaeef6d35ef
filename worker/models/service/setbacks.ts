import { DAY_MS } from '../../../domain/days.ts';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS } from '../../../domain/work.ts';
import type { Db } from '../../db/open.ts';
import type { setbacks } from '../../db/schema.ts';
import { messageOf } from '../../log.ts';
import { auditIfChanged } from './audit.ts';

/** Work of the crons that did not end well: when it is tried again, and what admins see of it. */

export type Setback = typeof setbacks.$inferSelect;

/** As admins see it. */
export type ListedSetback = Setback & { by_itself: boolean };

/** One piece of a job's work; an empty subject is the job itself. */
export interface Work {
  job: string;
  subject: string;
}

/** `waitAfter` of so many tries, in SQL. */
export const waitSql = (tries: string): string => `min(${FIRST_WAIT_MS} << min(${tries} - 1, 20), ${LONGEST_WAIT_MS})`;

/** A whole job waits no longer than this: what it waited for, an outage of all, may long be over. */
const LONGEST_JOB_WAIT_MS = 5 * 60_000;

/**
 * Counts a try before it begins, and puts the work aside until it is known to have ended well. Answers which try it is;
 * null where the work is put aside, or somebody else has just begun it.
 */
export async function beginWork(db: Db, { job, subject }: Work, now: number): Promise<number | null> {
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

/** The statement that forgets work which ended well. */
export const endedWellStatement = (db: Db, { job, subject }: Work): D1PreparedStatement =>
  db.$client.prepare(`DELETE FROM setbacks WHERE job = ? AND subject = ?`).bind(job, subject);

const LONGEST_ERROR = 500;

/** The statement that notes why a try failed, for the admins. `next_at` where somebody else than `beginWork` keeps it. */
export const failedStatement = (
  db: Db,
  { job, subject }: Work,
  { tries, next_at = null, error, now }: { tries: number; next_at?: number | null; error: unknown; now: number },
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES (?1, ?2, ?3, ?4, coalesce(?5, ?4), ?6)
       ON CONFLICT (job, subject) DO UPDATE SET tries = ?3, next_at = coalesce(?5, next_at), error = ?6`,
    )
    .bind(job, subject, tries, now, next_at, messageOf(error).slice(0, LONGEST_ERROR));

/** Notes a failure of work that somebody else begins again; one that is noted again within `every` ms is not counted. */
export async function noteFailure(
  db: Db,
  { job, subject }: Work,
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

/** Work that goes on is tried again within a day; what was not, for so long, was ended or done in another way. */
const LEFT_MS = 2 * DAY_MS;

/** Forgets setbacks whose work does not come up any more; of planned work nothing else tells that it is to be done. */
export async function dropLeftSetbacks(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(`DELETE FROM setbacks WHERE next_at < ? AND job <> '${LEFT_FILES}'`)
    .bind(now - LEFT_MS)
    .run();
}

/** Clearing away what a deleted account may have left in the store: planned with its deletion. */
export const LEFT_FILES = 'files of deleted accounts';

/** The statement that plans work for a moment. */
export const planStatement = (db: Db, { job, subject }: Work, at: number): D1PreparedStatement =>
  db.$client
    .prepare(`INSERT INTO setbacks (job, subject, tries, begun_at, next_at) VALUES (?1, ?2, 0, ?3, ?3)`)
    .bind(job, subject, at);

/** Subjects of a job's planned work that is due, at most so many; what failed comes again after its time. */
export async function duePlans(db: Db, job: string, now: number, most: number): Promise<string[]> {
  const { results } = await db.$client
    .prepare(`SELECT subject FROM setbacks WHERE job = ? AND subject <> '' AND next_at <= ? ORDER BY next_at LIMIT ?`)
    .bind(job, now, most)
    .all<{ subject: string }>();
  return results.map(({ subject }) => subject);
}

/** The condition that work is not put aside; `subject` is SQL, `now` the number of a bound parameter. */
export const notAsideSql = (job: string, subject: string, now: number): string =>
  `NOT EXISTS (SELECT 1 FROM setbacks WHERE job = '${job}' AND subject = ${subject} AND next_at > ?${now})`;

/** What runs longer than this without a word has ended with its process. */
const SILENT_MS = 15 * 60_000;

/** The job of an order's object, which keeps by itself when it tries again. */
export const FINISHING_ITEMS = 'finishing items';
/** Rows that bots brought and that cannot be right, by bot. */
export const IMPLAUSIBLE = 'implausible rows';
/** Calls of Stripe, which sends again what was not taken. */
export const WEBHOOKS = 'webhooks';
/** The subject of webhook calls without Stripe's signature: a wrong secret, or a stranger. */
export const UNSIGNED = 'signature';

/** Jobs whose work is begun again by somebody else than the crons. */
const beginsByItself = (job: string): boolean => [FINISHING_ITEMS, IMPLAUSIBLE, WEBHOOKS].includes(job);

/**
 * Has work that is put aside tried again with the next round of its job. False where nothing of that name is put aside,
 * or its job keeps the time by itself.
 */
export async function tryAgainNow(
  db: Db,
  { job, subject }: Work,
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
      .bind(job, subject, now, Number(!beginsByItself(job))),
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

/** Work that failed or ended without a word and has not ended well since, the newest first, and how much there is. */
export async function listSetbacks(db: Db, now = Date.now()): Promise<{ count: number; setbacks: ListedSetback[] }> {
  const [counted, listed] = await db.$client.batch<Setback & { count: number }>([
    db.$client.prepare(`SELECT count(*) AS count FROM setbacks WHERE ${TROUBLED}`).bind(now - SILENT_MS),
    db.$client
      .prepare(`SELECT * FROM setbacks WHERE ${TROUBLED} ORDER BY begun_at DESC, job, subject LIMIT ${SHOWN}`)
      .bind(now - SILENT_MS),
  ]);
  return {
    count: counted?.results[0]?.count ?? 0,
    setbacks: (listed?.results ?? []).map((setback) => ({ ...setback, by_itself: beginsByItself(setback.job) })),
  };
}
