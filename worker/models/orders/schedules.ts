import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { unpaidSentence } from '../../../domain/money/payment.ts';
import { type KeptEntry, type PricedEntry, priceEntry } from '../../../domain/orders/entry.ts';
import {
  type Due,
  dueBy,
  MAX_SCHEDULES,
  nextRun,
  type Recurrence,
  type RunOutcome,
  type ScheduleAction,
  statesFor,
} from '../../../domain/orders/schedule.ts';
import type { Db } from '../../db/open.ts';
import { type runs, schedules, users } from '../../db/schema.ts';
import { mailStatement } from '../messages/outbox.ts';
import { placeOrder } from './placing.ts';

export type Schedule = typeof schedules.$inferSelect;
export type Run = typeof runs.$inferSelect;

export interface NewSchedule {
  userId: string;
  entries: readonly KeptEntry[];
  recurrence: Recurrence;
  /** The caller's key of this one schedule, or null where he gave none. */
  idempotencyKey: string | null;
  /** Tells a repeat of the request from another request under the same key. */
  requestHash: string;
}

/** `kept`: new or the repeat of an earlier request. The other two wrote nothing. */
export type KeepOutcome = { outcome: 'kept'; schedule: Schedule } | { outcome: 'too_many' } | { outcome: 'key_reused' };

/** Keeps a standing order; a repeat under the same key is the first one. */
export async function createSchedule(
  db: Db,
  { userId, entries, recurrence, idempotencyKey, requestHash }: NewSchedule,
  now = Date.now(),
): Promise<KeepOutcome> {
  const { start_at, end_at, period, interval } = recurrence;
  const row = await db.$client
    .prepare(
      `INSERT INTO schedules (user_id, created_at, entries, start_at, end_at, period, interval, next_at, idempotency_key,
         request_hash)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
       WHERE NOT EXISTS (SELECT 1 FROM orders WHERE user_id = ?1 AND idempotency_key = ?9) AND (SELECT count(*) FROM schedules WHERE user_id = ?1 AND state <> 'ended') < ${MAX_SCHEDULES}
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
    )
    .first<Schedule>();
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

/** The schedule that a user keeps under that key, or null. */
export async function scheduleUnderKey(db: Db, userId: string, key: string): Promise<Schedule | null> {
  const [schedule] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.user_id, userId), eq(schedules.idempotency_key, key)));
  return schedule ?? null;
}

/** The order that a schedule placed when it was made, or null: what a repeat of the request answers too. */
export async function orderAtOnce(db: Db, { id, created_at }: Schedule): Promise<number | null> {
  const run = await db.$client
    .prepare(`SELECT order_id FROM runs WHERE schedule_id = ? AND due_at = ?`)
    .bind(id, created_at)
    .first<{ order_id: number | null }>();
  return run?.order_id ?? null;
}

/** A schedule of that user, or null. */
export async function scheduleOf(db: Db, userId: string, id: number): Promise<Schedule | null> {
  const [schedule] = await db
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, id), eq(schedules.user_id, userId)));
  return schedule ?? null;
}

export const RUNS_SHOWN = 20;

export interface RunWithOrder {
  due_at: number;
  outcome: RunOutcome;
  note: string | null;
  order_id: number | null;
  /** The order's first item, which its results page opens with. */
  item_id: string | null;
  item_count: number;
  unfinished_count: number;
  done_count: number;
  rows: number;
}

/** A user's standing orders, the running ones first, each with its newest runs. */
export async function listSchedules(db: Db, userId: string): Promise<(Schedule & { runs: RunWithOrder[] })[]> {
  const listed = await db
    .select()
    .from(schedules)
    .where(eq(schedules.user_id, userId))
    .orderBy(sql`${schedules.state} = 'ended'`, asc(schedules.next_at), sql`${schedules.id} DESC`)
    .limit(MAX_SCHEDULES);
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

/** The condition that a schedule allows an action, as domain/orders/schedule.ts has it. */
const allowsSql = (action: ScheduleAction): string =>
  `state IN (${statesFor(action)
    .map((state) => `'${state}'`)
    .join(', ')})`;

/** Stops a schedule until it is resumed. False where it is not the user's or not active. */
export const pauseSchedule = (db: Db, userId: string, id: number): Promise<boolean> =>
  changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = 'paused' WHERE id = ? AND user_id = ? AND ${allowsSql('pause')} RETURNING id`,
      )
      .bind(id, userId),
  );

/** Goes on from the next moment after now; what was due meanwhile is not made up for. */
export async function resumeSchedule(db: Db, userId: string, id: number, now = Date.now()): Promise<boolean> {
  const schedule = await scheduleOf(db, userId, id);
  if (!schedule) return false;
  const next = nextRun(schedule, now);
  return changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = CASE WHEN ?1 IS NULL THEN 'ended' ELSE 'active' END, next_at = ?1
         WHERE id = ?2 AND user_id = ?3 AND ${allowsSql('resume')} RETURNING id`,
      )
      .bind(next, id, userId),
  );
}

/** Ends a schedule for good; its orders stay. */
export const endSchedule = (db: Db, userId: string, id: number): Promise<boolean> =>
  changed(
    db.$client
      .prepare(
        `UPDATE schedules SET state = 'ended', next_at = NULL
         WHERE id = ? AND user_id = ? AND ${allowsSql('end')} RETURNING id`,
      )
      .bind(id, userId),
  );

/** Gives a schedule other times; what it orders stays. False where it is no more as it was read. */
export async function editSchedule(
  db: Db,
  before: Schedule,
  { recurrence, next_at }: { recurrence: Recurrence; next_at: number | null },
): Promise<boolean> {
  const { start_at, end_at, period, interval } = recurrence;
  return changed(
    db.$client
      .prepare(
        // A run in between moves the next moment: what was reckoned from the old one must not be written over it.
        `UPDATE schedules SET start_at = ?1, end_at = ?2, period = ?3, interval = ?4, next_at = ?5
         WHERE id = ?6 AND next_at IS ?7 AND state = ?8 AND ${allowsSql('edit')} RETURNING id`,
      )
      .bind(start_at, end_at, period, interval, next_at, before.id, before.next_at, before.state),
  );
}

// --- Running --------------------------------------------------------------------------------------------------------

const RUN_AT_ONCE = 50;

/** Active schedules that are due, most overdue first. */
export async function dueSchedules(db: Db, now: number): Promise<Schedule[]> {
  return (
    db
      .select()
      .from(schedules)
      // A literal, not a parameter: only so does SQLite use the partial index.
      .where(and(sql`${schedules.state} = 'active'`, lte(schedules.next_at, now)))
      .orderBy(asc(schedules.next_at))
      .limit(RUN_AT_ONCE)
  );
}

/** What every outcome of a run writes: the missed moments, and the next one, unless another cron was here first. */
const advanceStatements = (
  db: Db,
  schedule: Schedule,
  { due_at, skipped, next_at }: Due,
  now: number,
): D1PreparedStatement[] => [
  db.$client
    .prepare(
      `INSERT OR IGNORE INTO runs (schedule_id, due_at, outcome, created_at)
       SELECT ?, value, 'skipped', ? FROM json_each(?)`,
    )
    .bind(schedule.id, now, JSON.stringify(skipped)),
  db.$client
    .prepare(
      `UPDATE schedules SET next_at = ?1, state = CASE WHEN ?1 IS NULL THEN 'ended' ELSE state END
       WHERE id = ?2 AND next_at <= ?3`,
    )
    // Not "is what was read": of two crons a minute apart the later one must leave nothing behind that has been run.
    .bind(next_at, schedule.id, due_at),
];

const runStatement = (
  db: Db,
  schedule: Schedule,
  run: { due_at: number; outcome: RunOutcome; note: string | null; uuid: string | null },
  now: number,
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT OR IGNORE INTO runs (schedule_id, due_at, outcome, order_id, note, created_at)
       VALUES (?, ?, ?, (SELECT id FROM orders WHERE uuid = ?), ?, ?)`,
    )
    .bind(schedule.id, run.due_at, run.outcome, run.uuid, run.note, now);

/** Records a run that placed no order and tells the customer by mail, once. */
async function recordMissed(
  db: Db,
  schedule: Schedule,
  due: Due,
  { outcome, note }: { outcome: RunOutcome; note: string },
  now: number,
): Promise<void> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, schedule.user_id));
  const when = new Date(due.due_at).toISOString().replace('T', ' ').slice(0, 16);
  await db.$client.batch([
    runStatement(db, schedule, { due_at: due.due_at, outcome, note, uuid: null }, now),
    ...advanceStatements(db, schedule, due, now),
    ...(user
      ? [
          mailStatement(
            db,
            {
              to: user.email,
              subject: 'A scheduled order was not placed',
              text: `Your scheduled order #${schedule.id}, due at ${when} UTC, was not placed: ${note}`,
              reference: `run:${schedule.id}:${due.due_at}`,
            },
            now,
          ),
        ]
      : []),
  ]);
}

/**
 * Places the order of a due schedule, at most once for each moment: the order's idempotency key and the run's primary
 * key are made from schedule and moment. A run that cannot be paid or priced is recorded as such and mailed.
 */
export async function runSchedule(
  db: Db,
  schedule: Schedule,
  readyProducts: string,
  now = Date.now(),
): Promise<{ outcome: RunOutcome; order_id: number | null }> {
  if (schedule.next_at === null) return { outcome: 'skipped', order_id: null };
  const due = dueBy(schedule, schedule.next_at, now);
  const entries = (JSON.parse(schedule.entries) as KeptEntry[]).map((entry) => priceEntry(entry, readyProducts));
  const flawed = entries.find((entry) => 'flaw' in entry);
  if (flawed && 'flaw' in flawed) {
    await recordMissed(db, schedule, due, { outcome: flawed.kind, note: flawed.flaw }, now);
    return { outcome: flawed.kind, order_id: null };
  }
  const key = `schedule:${schedule.id}:${due.due_at}`;
  const placed = await placeOrder(
    db,
    {
      userId: schedule.user_id,
      entries: entries as PricedEntry[],
      idempotencyKey: key,
      requestHash: key,
      also: (uuid) => [
        runStatement(db, schedule, { due_at: due.due_at, outcome: 'placed', note: null, uuid }, now),
        ...advanceStatements(db, schedule, due, now),
      ],
    },
    now,
  );
  if (placed.outcome === 'placed') return { outcome: 'placed', order_id: placed.order.order_id };
  if (placed.outcome === 'key_reused') throw new Error(`run ${key} met a key that is not its own`);
  const note = unpaidSentence(placed);
  await recordMissed(db, schedule, due, { outcome: 'unpaid', note }, now);
  return { outcome: 'unpaid', order_id: null };
}
