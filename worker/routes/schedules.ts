import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { dollars } from '../../domain/money/money.ts';
import { scheduleList } from '../../domain/orders/answers.ts';
import { scheduleEdit, scheduleId } from '../../domain/orders/contract.ts';
import { type KeptEntry, priceEntry, shownEntry } from '../../domain/orders/entry.ts';
import { pausedBy } from '../../domain/orders/schedule.ts';
import { MAX_DOWNLOAD_ROWS } from '../../domain/scans/results.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listSchedules, type RunWithOrder } from '../models/orders/schedules.ts';
import { changeSchedule, editTimes } from '../services/orders/change-schedule.ts';

/** Returns a run in the specification's format. `note` says why no order was placed. */
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
    // Current price of a run; null if a product cannot be ordered or no run is left.
    total:
      schedule.state === 'ended' || prices.some((price) => 'flaw' in price)
        ? null
        : dollars(prices.reduce((sum, each) => sum + ('price' in each ? each.price : 0), 0)),
    orders: schedule.runs.map(runAnswer),
  };
};

const changesPerUser = limitedByUser('SCHEDULE_USER');
const idParam = validate('param', scheduleId);

const named = (context: Context<UserEnv>, { schedule_id }: { schedule_id: number }) => ({
  userId: context.get('userId'),
  id: schedule_id,
});

export const schedules = new Hono<UserEnv>()
  .get(
    '/orders/scheduled',
    keyScope('read'),
    signedIn,
    answers('Schedules and their runs', scheduleList),
    async (context) => {
      const listed = await listSchedules(context.get('db'), context.get('userId'));
      const ready = context.env.READY_PRODUCTS;
      return answer(context, { scheduled: listed.map((schedule) => scheduleAnswer(schedule, ready)) });
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/pause',
    signedIn,
    changesPerUser,
    idParam,
    answers('Pause a schedule', done),
    async (context) => {
      await changeSchedule(context.get('db'), named(context, context.req.valid('param')), 'pause');
      return answer(context, {});
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/resume',
    signedIn,
    changesPerUser,
    idParam,
    answers('Resume a schedule', done),
    async (context) => {
      await changeSchedule(context.get('db'), named(context, context.req.valid('param')), 'resume');
      return answer(context, {});
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/end',
    signedIn,
    changesPerUser,
    idParam,
    answers('End a schedule', done),
    async (context) => {
      await changeSchedule(context.get('db'), named(context, context.req.valid('param')), 'end');
      return answer(context, {});
    },
  )
  .post(
    '/orders/scheduled/:schedule_id/edit',
    signedIn,
    changesPerUser,
    idParam,
    validate('json', scheduleEdit),
    answers('Change the times of a schedule', done),
    async (context) => {
      const { scheduleInfo } = context.req.valid('json');
      await editTimes(context.get('db'), named(context, context.req.valid('param')), scheduleInfo);
      return answer(context, {});
    },
  );
