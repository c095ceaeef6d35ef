import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { scheduleList } from '../../domain/orders/answers.ts';
import { scheduleEdit, scheduleId } from '../../domain/orders/contract.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { changeSchedule, editTimes } from '../services/orders/change-schedule.ts';
import { showSchedules } from '../services/orders/show-schedules.ts';

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
      const scheduled = await showSchedules(context.get('db'), context.env, context.get('userId'));
      return answer(context, { scheduled });
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
