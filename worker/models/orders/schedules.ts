import { and, asc, eq, sql } from 'drizzle-orm';
import type { KeptEntry } from '../../../domain/orders/entry.ts';
import {
  MAX_SCHEDULES,
  MAX_SCHEDULES_BYTES,
  nextRun,
  type Recurrence,
  type RunOutcome,
  type ScheduleAction,
  statesFor,
} from '../../../domain/orders/schedule.ts';
import type { Db } from '../../db/open.ts';
import { schedules } from '../../db/schema.ts';

export type Schedule = typeof schedules.$inferSelect;

interface NewSchedule {
  userId: string;
  entries: readonly KeptEntry[];
  recurrence: Recurrence;
  /** The caller's idempotency key, or null if none was given. */
  idempotencyKey: string | null;
  /** Distinguishes a repeated request from a different one with the same key. */
  requestHash: string;
}

/** `kept`: new, or a repeat of an earlier request. The others wrote nothing. */
type KeepOutcome = { outcome: 'kept'; schedule: Schedule } | { outcome: 'too_many' } | { outcome: 'key_reused' };

/** Saves a schedule. As with orders, the same user and key return the same schedule. */
export async function createSchedule(
  db: Db,
  { userId, entries, recurrence, idempotencyKey, requestHash }: NewSchedule,
  now = Date.now(),
): Promise<KeepOutcome> {
  const { start_at, end_at, period, interval } = recurrence;
  const insert = db.$client
    .prepare(
      `INSERT INTO schedules (user_id, created_at, entries, start_at, end_at, period, interval, next_at, idempotency_key,
         request_hash)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
       WHERE NOT EXISTS (SELECT 1 FROM orders WHERE user_id = ?1 AND idempotency_key = ?9)
         AND (SELECT count(*) FROM schedules WHERE user_id = ?1 AND state <> 'ended') < ${MAX_SCHEDULES}
         AND (SELECT coalesce(sum(length(CAST(entries AS BLOB))), 0) FROM schedules
              WHERE user_id = ?1 AND state <> 'ended') + length(CAST(?3 AS BLOB)) <= ${MAX_SCHEDULES_BYTES}
       ON CONFLICT (user_id, idempotency_key) DO NOTHING
       RETURNING *`,
    )
    .bind(
      userId,
      now,
      JSON.stringify(entries),
      start_at,
      end_at,
      period,
      interval,
      nextRun(recurrence, start_at - 1),
      idempotencyKey,
      requestHash,
    );
  const [made] = await db.$client.batch<Schedule>([insert, ...forgetEndedStatements(db, userId)]);
  const row = made?.results[0];
  if (row) return { outcome: 'kept', schedule: row };
  const first = idempotencyKey === null ? null : await scheduleUnderKey(db, userId, idempotencyKey);
  if (first)
    return first.request_hash === requestHash ? { outcome: 'kept', schedule: first } : { outcome: 'key_reused' };
  const order = await db.$client
    .prepare(`SELECT id FROM orders WHERE user_id = ? AND idempotency_key = ?`)
    .bind(userId, idempotencyKey)
    .first();
  return { outcome: order ? 'key_reused' : 'too_many' };
}

const KEPT_ENDED = 100;

/** Returns statements that delete an account's ended schedules, except the newest. Their orders stay. */
function forgetEndedStatements(db: Db, userId: string): D1PreparedStatement[] {
  const old = `SELECT id FROM schedules WHERE user_id = ? AND state = 'ended' ORDER BY id DESC LIMIT -1 OFFSET ${KEPT_ENDED}`;
  return [
    db.$client.prepare(`DELETE FROM runs WHERE schedule_id IN (${old})`).bind(userId),
    db.$client.prepare(`DELETE FROM schedules WHERE id IN (${old})`).bind(userId),
  ];
}

/** Returns the user's schedule with this idempotency key, or null. */
export async function scheduleUnderKey(db: Db, userId: string, key: string): Promise<Schedule | null> {
  const [schedule] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.user_id, userId), eq(schedules.idempotency_key, key)));
  return schedule ?? null;
}

/** Returns the order that a schedule placed when it was created, or null. A repeated request returns it too. */
export const orderAtOnce = (
  db: Db,
  { id, created_at }: Schedule,
): Promise<{ order_id: number; order_uuid: string } | null> =>
  db.$client
    .prepare(
      `SELECT orders.id AS order_id, orders.uuid AS order_uuid FROM runs JOIN orders ON orders.id = runs.order_id
       WHERE schedule_id = ? AND due_at = ?`,
    )
    .bind(id, created_at)
    .first();

/** Returns the user's schedule, or null. */
export async function scheduleOf(db: Db, userId: string, id: number): Promise<Schedule | null> {
  const [schedule] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, id), eq(schedules.user_id, userId)));
  return schedule ?? null;
}

const RUNS_SHOWN = 20;

export interface RunWithOrder {
  due_at: number;
  outcome: RunOutcome;
  note: string | null;
  order_id: number | null;
  /** The order's first item, shown first on its results page. */
  item_id: string | null;
  item_count: number;
  unfinished_count: number;
  done_count: number;
  rows: number;
}

/** Returns a user's schedules, active ones first, each with its newest runs. */
export async function listSchedules(db: Db, userId: string): Promise<(Schedule & { runs: RunWithOrder[] })[]> {
  const listed = await db
    .select()
    .from(schedules)
    .where(eq(schedules.user_id, userId))
    .orderBy(sql`${schedules.state} = 'ended'`, asc(schedules.next_at), sql`${schedules.id} DESC`)
    .limit(MAX_SCHEDULES + KEPT_ENDED);
  if (listed.length === 0) return [];
  const { results } = await db.$client
    .prepare(
      `SELECT run.*, counts.item_id, coalesce(counts.item_count, 0) AS item_count,
         coalesce(counts.unfinished_count, 0) AS unfinished_count, coalesce(counts.done_count, 0) AS done_count,
         coalesce(counts.rows, 0) AS rows
       FROM (
         SELECT *, row_number() OVER (PARTITION BY schedule_id ORDER BY due_at DESC) AS nth FROM runs
         WHERE schedule_id IN (SELECT value FROM json_each(?1)) AND outcome <> 'skipped') run
       LEFT JOIN (
         SELECT items.order_id, min(CASE WHEN position = 0 THEN items.id END) AS item_id, count(*) AS item_count,
           sum(state IN ('open', 'finishing')) AS unfinished_count, sum(snapshot_id IS NOT NULL) AS done_count,
           sum(snapshots.rows) AS rows
         FROM items LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
         WHERE items.order_id IN (
           SELECT order_id FROM (
             SELECT order_id, row_number() OVER (PARTITION BY schedule_id ORDER BY due_at DESC) AS nth FROM runs
             WHERE schedule_id IN (SELECT value FROM json_each(?1)) AND outcome <> 'skipped')
           WHERE nth <= ${RUNS_SHOWN})
         GROUP BY items.order_id) counts ON counts.order_id = run.order_id
       WHERE nth <= ${RUNS_SHOWN} ORDER BY run.due_at DESC`,
    )
    .bind(JSON.stringify(listed.map(({ id }) => id)))
    .all<RunWithOrder & { schedule_id: number }>();
  const runsOf = Map.groupBy(results, ({ schedule_id }) => schedule_id);
  return listed.map((schedule) => ({ ...schedule, runs: runsOf.get(schedule.id) ?? [] }));
}

const changed = async (statement: D1PreparedStatement): Promise<boolean> =>
  (await statement.first<{ id: number }>()) !== null;

/** SQL condition that a schedule allows an action (domain/orders/schedule.ts). */
const allowsSql = (action: ScheduleAction): string =>
  `state IN (${statesFor(action)
    .map((state) => `'${state}'`)
    .join(', ')})`;

/** SQL that aborts a run in progress, which then charges nothing. */
export const NO_RUN = 'trying_for = NULL, tries = 0, try_at = 0';

/** Pauses a schedule. Returns false if it is not the user's or not active. */
export const pauseSchedule = (db: Db, userId: string, id: number): Promise<boolean> =>
  changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = 'paused', ${NO_RUN} WHERE id = ? AND user_id = ? AND ${allowsSql('pause')} RETURNING id`,
      )
      .bind(id, userId),
  );

/** SQL condition that a schedule's times are unchanged. `first` is the number of its first parameter. */
const sameTimesSql = (first: number): string =>
  `start_at = ?${first} AND end_at IS ?${first + 1} AND period = ?${first + 2} AND interval = ?${first + 3}`;
const timesOf = ({ start_at, end_at, period, interval }: Recurrence) => [start_at, end_at, period, interval];

/**
 * Resumes a schedule at its next time after now, without making up for missed runs. Returns false if it changed since
 * it was read.
 */
export const resumeSchedule = (db: Db, before: Schedule, now = Date.now()): Promise<boolean> =>
  changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = CASE WHEN ?1 IS NULL THEN 'ended' ELSE 'active' END, next_at = ?1, missed_runs = 0,
           paused_by_lock = 0, ${NO_RUN}
         WHERE id = ?2 AND ${sameTimesSql(3)} AND ${allowsSql('resume')} RETURNING id`,
      )
      .bind(nextRun(before, now), before.id, ...timesOf(before)),
  );

/** Ends a schedule permanently. Its orders stay. */
export const endSchedule = (db: Db, userId: string, id: number): Promise<boolean> =>
  changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = 'ended', next_at = NULL, ${NO_RUN}
         WHERE id = ? AND user_id = ? AND ${allowsSql('end')} RETURNING id`,
      )
      .bind(id, userId),
  );

/**
 * Changes a schedule's times. Its entries stay, and a paused one keeps its missed runs, which say who paused it. Returns
 * false if it changed since it was read.
 */
export async function editSchedule(
  db: Db,
  before: Schedule,
  { recurrence, next_at }: { recurrence: Recurrence; next_at: number | null },
): Promise<boolean> {
  const { start_at, end_at, period, interval } = recurrence;
  return changed(
    db.$client
      .prepare(
        // A concurrent run moves the next time, so a value computed from the old one must not overwrite it.
        `UPDATE schedules SET start_at = ?1, end_at = ?2, period = ?3, interval = ?4, next_at = ?5,
           missed_runs = iif(state = 'paused', missed_runs, 0)
         WHERE id = ?6 AND next_at IS ?7 AND state = ?8 AND ${allowsSql('edit')} RETURNING id`,
      )
      .bind(start_at, end_at, period, interval, next_at, before.id, before.next_at, before.state),
  );
}
