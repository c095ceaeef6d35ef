import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { dollars } from '../../domain/money/money.ts';
import { scheduleList } from '../../domain/orders/answers.ts';
import { scheduleEdit, scheduleId } from '../../domain/orders/contract.ts';
import { type KeptEntry, priceEntry, shownEntry } from '../../domain/orders/entry.ts';
import { edited, pausedBy, type ScheduleAction, scheduleRefusal } from '../../domain/orders/schedule.ts';
import { MAX_DOWNLOAD_ROWS } from '../../domain/scans/results.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  editSchedule,
  endSchedule,
  listSchedules,
  pauseSchedule,
  type RunWithOrder,
  resumeSchedule,
  scheduleOf,
} from '../models/orders/schedules.ts';

/** A run in the specification's words, with what became of it where no order was placed. */
const runAnswer = (run: RunWithOrder) => {
  const has_results = run.done_count > 0;
  const tooMany = run.rows > MAX_DOWNLOAD_ROWS;
  return {
    time: run.due_at,
    outcome: run.outcome,
    note: run.note,
    order_id: run.order_id,
    item_id: run.item_id,
    item_count: run.item_count,
    running: run.unfinished_count > 0,
    has_results,
    downloadable: has_results && !tooMany,
    not_downloadable: tooMany,
  };
};

type Listed = Awaited<ReturnType<typeof listSchedules>>[number];

const scheduleAnswer = (schedule: Listed, readyProducts: string) => {
  const entries = JSON.parse(schedule.entries) as KeptEntry[];
  const prices = entries.map((entry) => priceEntry(entry, readyProducts));
  return {
    schedule_id: schedule.id,
    start_at: schedule.start_at,
    end_at: schedule.end_at,
    next_at: schedule.next_at,
    period: schedule.period,
    interval: schedule.interval,
    state: schedule.state,
    paused_by: pausedBy(schedule, schedule.runs[0]?.outcome),
    entries: entries.map(shownEntry),
    // Today's price of a run; null while one of its products cannot be ordered, and once no run is to come.
    total:
      schedule.state === 'ended' || prices.some((price) => 'flaw' in price)
        ? null
        : dollars(prices.reduce((sum, each) => sum + ('price' in each ? each.price : 0), 0)),
    orders: schedule.runs.map(runAnswer),
  };
};

/** The answer of a change, or why it was none: no such schedule of the user's, or not in a state for it. */
async function changed(context: Context<UserEnv>, action: ScheduleAction, scheduleId: number, done: boolean) {
  if (done) return answer(context, {});
  const schedule = await scheduleOf(context.get('db'), context.get('user').id, scheduleId);
  if (!schedule) throw notFound('schedule');
  throw new Refusal(
    'conflict',
    scheduleRefusal(action, schedule.state) ?? 'The schedule changed just now. Please look at it again.',
  );
}

const changesPerUser = limitedByUser('SCHEDULE_USER');

export const schedules = new Hono<UserEnv>({ strict: false })
  .get('/orders/scheduled', keyScope('read'), signedIn, answers(scheduleList), async (context) => {
    const listed = await listSchedules(context.get('db'), context.get('user').id);
    const ready = context.env.READY_PRODUCTS;
    return answer(context, { scheduled: listed.map((schedule) => scheduleAnswer(schedule, ready)) });
  })
  .post(
    '/orders/scheduled/:schedule_id/pause',
    signedIn,
    changesPerUser,
    validate('param', scheduleId),
    answers(done),
    async (context) => {
      const { schedule_id } = context.req.valid('param');
      const [db, userId] = [context.get('db'), context.get('user').id];
      return changed(context, 'pause', schedule_id, await pauseSchedule(db, userId, schedule_id));
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/resume',
    signedIn,
    changesPerUser,
    validate('param', scheduleId),
    answers(done),
    async (context) => {
      const { schedule_id } = context.req.valid('param');
      const [db, userId] = [context.get('db'), context.get('user').id];
      const schedule = await scheduleOf(db, userId, schedule_id);
      if (!schedule) throw notFound('schedule');
      return changed(context, 'resume', schedule_id, await resumeSchedule(db, schedule));
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/end',
    signedIn,
    changesPerUser,
    validate('param', scheduleId),
    answers(done),
    async (context) => {
      const { schedule_id } = context.req.valid('param');
      const [db, userId] = [context.get('db'), context.get('user').id];
      return changed(context, 'end', schedule_id, await endSchedule(db, userId, schedule_id));
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/edit',
    signedIn,
    changesPerUser,
    validate('param', scheduleId),
    validate('json', scheduleEdit),
    answers(done),
    async (context) => {
      const { schedule_id } = context.req.valid('param');
      const [db, now] = [context.get('db'), Date.now()];
      const schedule = await scheduleOf(db, context.get('user').id, schedule_id);
      if (!schedule) throw notFound('schedule');
      const times = edited(schedule, context.req.valid('json').scheduleInfo, now);
      if (times.next_at === null && scheduleRefusal('edit', schedule.state) === null)
        throw new Refusal('invalid', 'scheduleInfo: leaves no run: choose a later start, a later end or a repeat.');
      return changed(context, 'edit', schedule_id, await editSchedule(db, schedule, times));
    },
  );
