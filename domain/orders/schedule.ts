import { DAY_MS, HOUR_MS, MINUTE_MS } from '../days.ts';
import { dateTime } from '../figures.ts';
import { message, t } from '../language/text.ts';
import type { Cents } from '../money/money.ts';
import type { Period } from './periods.ts';
import type { ScheduleInfo } from './schedule-contract.ts';

/** Standing orders and when they are due, in UTC. */

export const SCHEDULE_STATES = ['active', 'paused', 'ended'] as const;
type ScheduleState = (typeof SCHEDULE_STATES)[number];

export const RUN_OUTCOMES = ['placed', 'unpaid', 'not_ready', 'refused', 'failed', 'skipped'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const SCHEDULE_ACTIONS = ['pause', 'resume', 'edit', 'end'] as const;
export type ScheduleAction = (typeof SCHEDULE_ACTIONS)[number];

const ENDED = message('This schedule has ended: order again to start a new one.');

/** For each action and state: null if allowed, else why not. The server and the web use the same table. */
const ACTIONS: Record<ScheduleAction, Record<ScheduleState, string | null>> = {
  pause: { active: null, paused: message('This schedule is paused already.'), ended: ENDED },
  resume: { active: message('This schedule is running already.'), paused: null, ended: ENDED },
  edit: { active: null, paused: null, ended: ENDED },
  end: { active: null, paused: null, ended: message('This schedule has ended already.') },
};

/** Returns why a schedule does not allow an action, as a sentence; null if it does. */
export const scheduleRefusal = (action: ScheduleAction, state: ScheduleState): string | null => ACTIONS[action][state];

/** Returns the states that allow an action, for the precondition of a write. */
export const statesFor = (action: ScheduleAction): ScheduleState[] =>
  SCHEDULE_STATES.filter((state) => ACTIONS[action][state] === null);

export const MAX_SCHEDULES = 500;
/** Maximum total size of the entries in an account's schedules, in bytes; many times what anyone orders. */
export const MAX_SCHEDULES_BYTES = 2_000_000;
/**
 * Returns who paused a schedule: its user, the service after runs without an order, or an admin who locked the account;
 * null if it is not paused.
 * `missed_runs` counts misses in a row since it was last resumed, `last` is the newest run's outcome.
 */
export function pausedBy(
  { state, missed_runs, paused_by_lock }: { state: ScheduleState; missed_runs: number; paused_by_lock: number },
  last: RunOutcome | undefined,
): 'user' | 'service' | 'admin' | null {
  if (state !== 'paused') return null;
  if (paused_by_lock) return 'admin';
  return missed_runs >= MAX_MISSED_RUNS || (missed_runs > 0 && last === 'failed') ? 'service' : 'user';
}

/** A schedule is paused after this many runs in a row without an order. */
export const MAX_MISSED_RUNS = 5;
/** The longest that a user goes without a mail about missed runs, in ms. */
const SILENT_MS = DAY_MS;
/** Number of tries of a run that fails because of the service. */
export const MAX_RUN_TRIES = 5;

/** When a schedule runs. Times are in epoch milliseconds. */
export interface Recurrence {
  start_at: number;
  end_at: number | null;
  period: Period;
  /** Number of periods between runs; unused if the period is none. */
  interval: number;
}

const LENGTH_MS = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;
const MONTHS = { month: 1, year: 12 } as const;

/** Adds months and keeps the intended day, or the month's last day if it is shorter (31 January → 28 February). */
function monthsAfter(start: number, months: number): number {
  const date = new Date(start);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/**
 * Returns the time of a run by its number from 0. It counts from the start rather than from the previous run, so that
 * days never drift.
 */
function runAt({ start_at, period, interval }: Recurrence, number: number): number {
  if (period === 'none') return number === 0 ? start_at : Infinity;
  if (period === 'month' || period === 'year') return monthsAfter(start_at, number * interval * MONTHS[period]);
  return start_at + number * interval * LENGTH_MS[period];
}

/** Returns the number of the first run after `time`. */
function firstAfter(recurrence: Recurrence, time: number): number {
  const { start_at, period, interval } = recurrence;
  if (time < start_at) return 0;
  if (period === 'none') return 1;
  if (period !== 'month' && period !== 'year')
    return Math.floor((time - start_at) / (interval * LENGTH_MS[period])) + 1;
  const [from, to] = [new Date(start_at), new Date(time)];
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  // In the month of `time`, the run may be ahead or past.
  const number = Math.floor(months / (interval * MONTHS[period]));
  return runAt(recurrence, number) > time ? number : number + 1;
}

const within = ({ end_at }: Recurrence, time: number): number | null =>
  time === Infinity || (end_at !== null && time > end_at) ? null : time;

/** Returns when the schedule is next due after `time`, or null if it has ended. */
export const nextRun = (recurrence: Recurrence, time: number): number | null =>
  within(recurrence, runAt(recurrence, firstAfter(recurrence, time)));

/**
 * Returns whether to send a mail about a run without an order. Of several in a row only one is mailed: the run that
 * pauses the schedule or is its last. If the pause would come more than a day later, the first one is mailed.
 */
export function tellsOfMiss(recurrence: Recurrence, { missed, last }: { missed: number; last: boolean }): boolean {
  const untilPause = runAt(recurrence, MAX_MISSED_RUNS - 1) - runAt(recurrence, 0);
  if (untilPause > SILENT_MS) return missed === 1;
  return last || missed >= MAX_MISSED_RUNS;
}

/** Due times in a row that were missed. */
interface Skipped {
  from: number;
  to: number;
  count: number;
}

/** Returns the note about several skipped runs in the current language, or null for one. */
export const skippedNote = ({ from, to, count }: Skipped): string | null =>
  count === 1
    ? null
    : t(
        '{count, plural, one {# run was skipped, from {from} to {to}.} other {# runs were skipped, from {from} to {to}.}}',
        {
          count,
          from: dateTime(from),
          to: dateTime(to),
        },
      );

export interface Due {
  /** The latest due time that has passed, to run for. */
  due_at: number;
  /** Earlier missed due times, which are not made up for; null if there are none. */
  skipped: Skipped | null;
  next_at: number | null;
}

/**
 * Returns what a schedule due at `next_at` has to do at `now`: one run for the latest due time. Earlier ones, missed
 * because the cron did not fire, are skipped.
 */
export function dueBy(recurrence: Recurrence, next_at: number, now: number): Due {
  let due_at = next_at;
  let missed = next_at;
  let count = 0;
  let moment: number | null = next_at;
  let number = firstAfter(recurrence, next_at - 1);
  while (moment !== null && moment <= now) {
    if (moment > next_at) count += 1;
    missed = due_at;
    due_at = moment;
    number += 1;
    moment = within(recurrence, runAt(recurrence, number));
  }
  return { due_at, skipped: count === 0 ? null : { from: next_at, to: missed, count }, next_at: moment };
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

/**
 * Returns a schedule's times and next run after an edit. A start that is omitted, or equals the old one to the minute
 * (the precision of forms), keeps the old start and so the intended day. A different start counts as in a new schedule.
 */
export function edited(
  before: Recurrence & { state: ScheduleState; next_at: number | null },
  info: ScheduleInfo,
  now: number,
): { recurrence: Recurrence; next_at: number | null } {
  const stays = info.start == null || minuteOf(info.start) === minuteOf(before.start_at);
  const recurrence = {
    start_at: stays ? before.start_at : Math.max(info.start ?? now, now),
    end_at: info.end ?? null,
    period: info.period ?? 'none',
    interval: info.interval ?? 1,
  };
  if (!stays) return { recurrence, next_at: nextRun(recurrence, recurrence.start_at - 1) };
  // A due run that was not placed yet still has to be. A paused schedule makes up for none.
  const due = before.state === 'active' ? before.next_at : null;
  return { recurrence, next_at: nextRun(recurrence, Math.min(now, (due ?? now + 1) - 1)) };
}

const HOURS_A_MONTH = 730;

/** Returns the cost of 30.4 days at a price per run; the price itself if it does not repeat. */
export function costPerMonth(price: Cents, { period, interval }: Pick<Recurrence, 'period' | 'interval'>): Cents {
  if (period === 'none') return price;
  const hours =
    period === 'month' ? HOURS_A_MONTH : period === 'year' ? 12 * HOURS_A_MONTH : LENGTH_MS[period] / HOUR_MS;
  return Math.round((price * HOURS_A_MONTH) / (hours * interval));
}

/** Returns the recurrence that a scheduleInfo describes, or null if the order is placed once, now. */
export function recurrenceOf(info: ScheduleInfo | null | undefined, now: number): Recurrence | null {
  if (!info || (!info.start && (!info.period || info.period === 'none'))) return null;
  return {
    start_at: Math.max(info.start ?? now, now),
    end_at: info.end ?? null,
    period: info.period ?? 'none',
    interval: info.interval ?? 1,
  };
}
