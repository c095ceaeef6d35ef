import { LICENCE_FIRST } from '../../../domain/accounts/eula.ts';
import { DAY_MS, dayOf } from '../../../domain/days.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import { message, type Sentence, say } from '../../../domain/language/text.ts';
import type { Cents } from '../../../domain/money/money.ts';
import { unpaidSentence } from '../../../domain/money/payment.ts';
import { type KeptEntry, type PricedEntry, priceEntry, tooMuch } from '../../../domain/orders/entry.ts';
import { kingdomsOf } from '../../../domain/orders/pricing.ts';
import type { Sale } from '../../../domain/orders/sale.ts';
import {
  type Due,
  dueBy,
  MAX_MISSED_RUNS,
  MAX_RUN_TRIES,
  type Recurrence,
  type RunOutcome,
  skippedNote,
  tellsOfMiss,
} from '../../../domain/orders/schedule.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import type { SpeakTo } from '../../isolate/language.ts';
import { currentSql } from '../accounts/licence-versions.ts';
import { cappedMailStatement } from '../messages/outbox.ts';
import { missedRunMail } from '../messages/user-mails.ts';
import { failedStatement, succeededStatement, waitSql } from '../service/job-failures.ts';
import { type NewOrder, orderStatements, totalOf, writeOrder } from './placing.ts';
import type { Schedule } from './schedules.ts';

/** Runs of schedules. Each due time is handled by one caller, and the next time is set before the run begins. */

/** A due schedule without its entries, which are read when it runs. */
export type DueSchedule = Recurrence &
  Pick<Schedule, 'id' | 'next_at' | 'trying_for'> & {
    /** Its user's language; absent on a schedule that was just made, which has missed nothing. */
    language?: Locale | null;
  };

const RUN_AT_ONCE = 600;

/**
 * Returns schedules that are due or whose failed attempt is due again: one per user, then the second of each, so that
 * no user waits behind another's backlog. Users whose runs keep failing come last.
 */
export async function dueSchedules(db: Db, now: number): Promise<DueSchedule[]> {
  const { results } = await db.$client
    .prepare(
      `WITH due AS (
         SELECT id FROM schedules WHERE state = 'active' AND next_at <= ?1
         UNION SELECT id FROM schedules WHERE trying_for IS NOT NULL AND try_at <= ?1),
       troubled AS (SELECT user_id, sum(tries) AS tries FROM schedules WHERE trying_for IS NOT NULL GROUP BY user_id)
       SELECT id, next_at, trying_for, start_at, end_at, period, "interval",
         (SELECT language FROM users WHERE users.id = user_id) AS language FROM (
         SELECT schedules.*, coalesce(troubled.tries, 0) AS trouble,
           row_number() OVER (
             PARTITION BY schedules.user_id ORDER BY schedules.tries, coalesce(trying_for, next_at), id) AS nth
         FROM schedules LEFT JOIN troubled ON troubled.user_id = schedules.user_id
         WHERE id IN (SELECT id FROM due) AND state = 'active' AND try_at <= ?1)
       ORDER BY nth, trouble, coalesce(trying_for, next_at), id LIMIT ${RUN_AT_ONCE}`,
    )
    .bind(now)
    .all<DueSchedule>();
  return results;
}

/** Returns the time to run for: the latest due time, or the one whose attempt failed. */
function momentOf(schedule: DueSchedule, now: number): Due | null {
  const { next_at, trying_for } = schedule;
  if (next_at !== null && next_at <= now) {
    const due = dueBy(schedule, next_at, now);
    if (trying_for === null) return due;
    // The newer time replaces the failed one.
    const { to, count } = due.skipped ?? { to: trying_for, count: 0 };
    return { ...due, skipped: { from: trying_for, to, count: count + 1 } };
  }
  return trying_for === null ? null : { due_at: trying_for, skipped: null, next_at };
}

/**
 * Claims runs for this caller in one trip: sets each schedule's next time, counts the attempt and reads the user's
 * balance. A run is null if nothing is due, another caller was first or the schedule no longer runs.
 */
async function claim(
  db: Db,
  speakTo: SpeakTo,
  schedules: readonly DueSchedule[],
  now: number,
): Promise<(Run | null)[]> {
  const wanted = schedules.map((schedule) => ({ schedule, due: momentOf(schedule, now) }));
  const claiming = await Promise.all(
    wanted.flatMap(({ schedule, due }) => (due ? [claimStatements(db, speakTo, schedule, due, now)] : [])),
  );
  if (claiming.length === 0) return wanted.map(() => null);
  const answers = (await db.$client.batch<unknown>(claiming.flat())).values();
  return wanted.map(({ due }) => {
    if (!due) return null;
    const [claimed, , account] = [answers.next().value, answers.next().value, answers.next().value];
    const [schedule] = (claimed?.results ?? []) as Schedule[];
    const [user] = (account?.results ?? []) as Payer[];
    return schedule ? { schedule, due_at: due.due_at, user } : null;
  });
}

async function claimStatements(
  db: Db,
  speakTo: SpeakTo,
  schedule: DueSchedule,
  { due_at, skipped, next_at }: Due,
  now: number,
): Promise<[D1PreparedStatement, D1PreparedStatement, D1PreparedStatement]> {
  const note = skipped && (await speakTo({ language: schedule.language ?? null }, () => skippedNote(skipped)));
  return [
    db.$client
      .prepare(
        `UPDATE schedules SET next_at = ?1, trying_for = ?2, tries = tries + 1, try_at = ?3 + ${waitSql('(tries + 1)')}
       WHERE id = ?4 AND state = 'active' AND next_at IS ?5 AND trying_for IS ?6 AND try_at <= ?3 RETURNING *`,
      )
      .bind(next_at, due_at, now, schedule.id, schedule.next_at, schedule.trying_for),
    db.$client
      .prepare(
        // One row for all skipped runs, because a schedule of every minute would have thousands after an outage.
        `INSERT OR IGNORE INTO runs (schedule_id, due_at, outcome, note, created_at)
       SELECT ?1, ?3, 'skipped', ?5, ?2
       WHERE ?3 IS NOT NULL AND EXISTS (SELECT 1 FROM schedules WHERE id = ?1 AND trying_for = ?4)`,
      )
      .bind(schedule.id, now, skipped?.to ?? null, due_at, note),
    db.$client.prepare(payerSql('(SELECT user_id FROM schedules WHERE id = ?1)')).bind(schedule.id, dayOf(now)),
  ];
}

/** The user of a schedule. */
interface Payer {
  balance_cents: Cents;
  email: string;
  language: Locale | null;
  /** 1 if they accepted the licence that holds. */
  licensed: 0 | 1;
}

const payerSql = (user: string): string =>
  `SELECT balance_cents, email, language, eula_version >= ${currentSql('?2')} AS licensed FROM users WHERE id = ${user}`;

interface Run {
  schedule: Schedule;
  due_at: number;
  /** The user, if they were just read. */
  user?: Payer | undefined;
}

const workOf = (id: number) => ({ job: 'schedule', subject: String(id) });

/** If the schedule was ended or paused meanwhile, the run has no outcome, which fails its whole batch. */
const STILL_RUNNING = `EXISTS (SELECT 1 FROM schedules WHERE id = ?1 AND trying_for = ?2 AND state = 'active')`;
const stopped = (error: unknown): boolean => brokeConstraint(error, 'runs.outcome');

/** Returns the statements common to all outcomes: record the run and end it. */
const overStatements = (
  db: Db,
  { schedule, due_at }: Run,
  { outcome, note, uuid, pause }: { outcome: RunOutcome; note: string | null; uuid: string | null; pause: boolean },
  now: number,
): D1PreparedStatement[] => [
  db.$client
    .prepare(
      `INSERT INTO runs (schedule_id, due_at, outcome, order_id, note, created_at)
       VALUES (?1, ?2, CASE WHEN ${STILL_RUNNING} THEN ?3 END, (SELECT id FROM orders WHERE uuid = ?4), ?5, ?6)
       ON CONFLICT (schedule_id, due_at) DO UPDATE SET outcome = excluded.outcome, order_id = excluded.order_id,
         note = excluded.note`,
    )
    .bind(schedule.id, due_at, outcome, uuid, note, now),
  db.$client
    .prepare(
      `UPDATE schedules SET trying_for = NULL, tries = 0, try_at = 0,
         missed_runs = CASE WHEN ?1 = 'placed' THEN 0 ELSE missed_runs + 1 END,
         state = CASE WHEN next_at IS NULL THEN 'ended' WHEN ?2 THEN 'paused' ELSE state END
       WHERE id = ?3`,
    )
    .bind(outcome, pause ? 1 : 0, schedule.id),
  succeededStatement(db, workOf(schedule.id)),
];

/**
 * Records a run that placed no order, in the user's language. Pauses the schedule after `MAX_MISSED_RUNS` in a row, or
 * if we caused the failure.
 */
async function recordMissed(
  db: Db,
  speakTo: SpeakTo,
  run: Run,
  { outcome, note }: Missed,
  now: number,
): Promise<RunOutcome> {
  const { schedule } = run;
  const user = run.user ?? (await db.$client.prepare(payerSql('?1')).bind(schedule.user_id, dayOf(now)).first<Payer>());
  const missed = schedule.missed_runs + 1;
  const last = schedule.next_at === null;
  const pause = !last && (missed >= MAX_MISSED_RUNS || outcome === 'failed');
  const tells = outcome === 'failed' || tellsOfMiss(schedule, { missed, last });
  const { said, mail } = await speakTo(user ?? { language: null }, () => {
    const said = say(note);
    return { said, mail: tells ? missedRunMail(run, said, pause) : null };
  });
  const statements = overStatements(db, run, { outcome, note: said, uuid: null, pause }, now);
  if (user && mail) statements.push(cappedMailStatement(db, { to: user.email, ...mail }, now));
  return db.$client.batch(statements).then(
    () => outcome,
    (error: unknown) => {
      if (stopped(error)) return 'skipped';
      throw error;
    },
  );
}

const FAILED = message('Something went wrong on our side several times. We have been notified.');

/** How many schedules `runSchedules` takes at once. */
export const RUNS_TOGETHER = 20;
/** Items up to which an order is placed together with others, so that a batch ends long before D1's 30 s. */
const FEW_ITEMS = 20;

/**
 * Runs due schedules: places their orders, at most once per due time, because an order's idempotency key and the run's
 * primary key derive from schedule and time. Records runs that cannot be paid or priced. If the user stopped a schedule
 * meanwhile, nothing is charged. All are claimed in one trip and usually placed in a second one. A run that fails
 * internally is rejected and retried later.
 */
export async function runSchedules(
  db: Db,
  speakTo: SpeakTo,
  due: readonly DueSchedule[],
  sale: Sale,
  now = Date.now(),
): Promise<PromiseSettledResult<RunOutcome>[]> {
  const [claiming] = await Promise.allSettled([claim(db, speakTo, due, now)]);
  if (claiming.status === 'rejected') {
    if (due.length === 1) return [claiming];
    // One of them may be the reason, and the others must not suffer from it.
    const alone: PromiseSettledResult<RunOutcome>[] = [];
    for (const schedule of due) alone.push(...(await runSchedules(db, speakTo, [schedule], sale, now)));
    return alone;
  }
  const placed = await placeTogether(db, claiming.value, sale, now);
  const outcomes: PromiseSettledResult<RunOutcome>[] = [];
  for (const run of claiming.value) {
    const ended = !run ? 'skipped' : placed.has(run) ? 'placed' : runAlone(db, speakTo, run, sale, now);
    outcomes.push(...(await Promise.allSettled<RunOutcome | Promise<RunOutcome>>([ended])));
  }
  return outcomes;
}

/** Runs one due schedule. Throws on internal errors. */
export async function runSchedule(
  db: Db,
  speakTo: SpeakTo,
  due: DueSchedule,
  sale: Sale,
  now = Date.now(),
): Promise<RunOutcome> {
  const [ended] = await runSchedules(db, speakTo, [due], sale, now);
  if (ended?.status === 'rejected') throw ended.reason;
  return ended?.value ?? 'skipped';
}

/**
 * Places small orders of runs in one batch and returns the runs. If one of them cannot be placed, none is, and the
 * caller runs each alone. Runs that were tried before are left out, because they may be the ones that fail.
 */
async function placeTogether(
  db: Db,
  claimed: readonly (Run | null)[],
  sale: Sale,
  now: number,
): Promise<ReadonlySet<Run>> {
  const orders = new Map<Run, NewOrder>();
  for (const run of claimed) {
    if (!run || run.schedule.tries > 1) continue;
    const order = placeable(db, run, sale, now);
    if (!order || 'missed' in order || itemsIn(order) > FEW_ITEMS || totalOf(order) > (run.user?.balance_cents ?? 0))
      continue;
    orders.set(run, order);
  }
  if (orders.size < 2) return new Set();
  const statements = [...orders.values()].flatMap((order) => orderStatements(db, order, crypto.randomUUID(), now));
  return db.$client.batch(statements).then(
    () => new Set(orders.keys()),
    () => new Set(),
  );
}

/** Returns the order of a run, or null if it cannot be read. The run then fails alone, with the reason. */
function placeable(db: Db, run: Run, sale: Sale, now: number) {
  try {
    return orderOf(db, run, sale, now);
  } catch {
    return null;
  }
}

const itemsIn = ({ entries }: NewOrder): number =>
  entries.reduce((sum, { product, entry }) => sum + kingdomsOf(product, entry.params).length, 0);

async function runAlone(db: Db, speakTo: SpeakTo, run: Run, sale: Sale, now: number): Promise<RunOutcome> {
  const { schedule } = run;
  try {
    if (schedule.tries > MAX_RUN_TRIES)
      return await recordMissed(db, speakTo, run, { outcome: 'failed', note: { message: FAILED } }, now);
    return await place(db, speakTo, run, sale, now);
  } catch (error) {
    if (stopped(error)) return 'skipped';
    await failedStatement(db, workOf(schedule.id), {
      tries: schedule.tries,
      next_at: schedule.try_at,
      error,
      now,
    }).run();
    throw error;
  }
}

/**
 * Runs a schedule that is due when it is created. If two requests create it concurrently, both know its order
 * afterwards: the second places it too, and the idempotency key makes it the same order.
 */
export async function runAtOnce(db: Db, speakTo: SpeakTo, made: Schedule, sale: Sale, now = Date.now()): Promise<void> {
  if (made.state !== 'active') return;
  if (made.next_at !== null && made.next_at <= now && (await runSchedule(db, speakTo, made, sale, now)) !== 'skipped')
    return;
  const schedule = await db.$client.prepare(`SELECT * FROM schedules WHERE id = ?`).bind(made.id).first<Schedule>();
  if (schedule?.trying_for === made.created_at)
    await place(db, speakTo, { schedule, due_at: made.created_at }, sale, now).catch((error: unknown) => {
      if (!stopped(error)) throw error;
    });
}

/**
 * Returns the idempotency key of a run's order. Keys sent by clients start differently
 * (services/orders/place-order.ts).
 */
const keyOfRun = (schedule: number, due_at: number): string => `schedule:${schedule}:${due_at}`;

/** Returns the schedule whose run placed an order, or null. */
export function scheduleOfRun({ idempotency_key }: { idempotency_key: string | null }): number | null {
  const [, id] = /^schedule:(\d+):/.exec(idempotency_key ?? '') ?? [];
  return id === undefined ? null : Number(id);
}

interface Missed {
  outcome: RunOutcome;
  note: Sentence;
}

/** Returns the order of a run, or why there is none. */
function orderOf(db: Db, run: Run, sale: Sale, now: number): NewOrder | { missed: Missed } {
  const { schedule, due_at, user } = run;
  if (user?.licensed === 0) return { missed: { outcome: 'refused', note: { message: LICENCE_FIRST } } };
  const entries = (JSON.parse(schedule.entries) as KeptEntry[]).map((entry) => priceEntry(entry, sale, now));
  const flawed = entries.find((entry) => 'flaw' in entry);
  if (flawed && 'flaw' in flawed) return { missed: { outcome: flawed.kind, note: flawed.flaw } };
  const flaw = tooMuch(entries as PricedEntry[]);
  if (flaw) return { missed: { outcome: 'refused', note: flaw } };
  const key = keyOfRun(schedule.id, due_at);
  return {
    userId: schedule.user_id,
    ...(user && { balance: user.balance_cents }),
    entries: entries as PricedEntry[],
    idempotencyKey: key,
    requestHash: key,
    also: (uuid) => overStatements(db, run, { outcome: 'placed', note: null, uuid, pause: false }, now),
  };
}

async function place(db: Db, speakTo: SpeakTo, run: Run, sale: Sale, now: number): Promise<RunOutcome> {
  const order = orderOf(db, run, sale, now);
  if ('missed' in order) return recordMissed(db, speakTo, run, order.missed, now);
  const placed = await writeOrder(db, order, now);
  if (placed.outcome === 'placed') return 'placed';
  if (placed.outcome !== 'unpaid') throw new Error(`run ${order.idempotencyKey} met a key that is not its own`);
  return recordMissed(db, speakTo, run, { outcome: 'unpaid', note: unpaidSentence(placed) }, now);
}

/** Newest runs kept per schedule whatever their age, and how long all runs are kept. */
const NEWEST_RUNS = 100;
const RUNS_KEPT_MS = 30 * DAY_MS;
const RUNS_DROPPED_AT_ONCE = 5000;

/** Deletes runs older than a month, except the newest of each schedule. Their orders stay. */
export async function dropOldRuns(db: Db, now: number): Promise<void> {
  const statement = db.$client
    .prepare(
      `DELETE FROM runs WHERE (schedule_id, due_at) IN (
         SELECT schedule_id, due_at FROM (
           SELECT schedule_id, due_at, row_number() OVER (PARTITION BY schedule_id ORDER BY due_at DESC) AS nth FROM runs)
         WHERE nth > ${NEWEST_RUNS} AND due_at < ? LIMIT ${RUNS_DROPPED_AT_ONCE})`,
    )
    .bind(now - RUNS_KEPT_MS);
  while ((await statement.run()).meta.changes > 0);
}
