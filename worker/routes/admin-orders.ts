import { Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { reportAnswer } from '../../domain/news.ts';
import {
  adminOrder,
  adminOrderParam,
  adminOrders,
  adminOrdersQuery,
  moneyReturn,
  moneyReturned,
  orderAct,
  orderActed,
  orderActParam,
  reportedIssues,
  reportsQuery,
} from '../../domain/orders/admin-contract.ts';
import { rowId } from '../../domain/service/admin.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { answerReport, closeReport, listReports } from '../models/orders/reports.ts';
import { showAllOrders, showAnyOrder } from '../services/orders/show-any-order.ts';
import { returnMoney, supportOrder } from '../services/orders/support-order.ts';
import { speakAsAsked } from '../services/service/speak.ts';

const reportParam = z.object({ id: rowId });

/** Orders of all users, what support does to them, and users' reports about them. */
export const adminOrdersArea = new Hono<UserEnv>()
  .use(admin)
  .get(
    '/orders',
    validate('query', adminOrdersQuery),
    answers('Orders of all users, newest first', adminOrders),
    async (context) => answer(context, await showAllOrders(context.get('db'), context.req.valid('query'))),
  )
  .get(
    '/orders/:order_id',
    validate('param', adminOrderParam),
    answers('One order with everything that happened to it', adminOrder),
    async (context) => {
      const { order_id } = context.req.valid('param');
      const show = () => showAnyOrder(context.get('db'), order_id);
      return answer(context, await speakAsAsked(context.env, context.req.raw, show));
    },
  )
  .post(
    '/orders/:order_id/return',
    validate('param', adminOrderParam),
    validate('header', idempotent),
    validate('json', moneyReturn),
    answers('Return money paid for an item', moneyReturned),
    async (context) => {
      const asked = {
        orderId: context.req.valid('param').order_id,
        ...context.req.valid('json'),
        key: context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID(),
      };
      return answer(context, await returnMoney(context.get('db'), context.env, await callerOf(context), asked));
    },
  )
  .post(
    '/orders/:order_id/:act{retry|repair|cancel|finish}',
    validate('param', orderActParam),
    validate('json', orderAct),
    answers('Retry, repair, cancel or end the items of an order', orderActed),
    async (context) => {
      const { order_id: orderId, act } = context.req.valid('param');
      const asked = { orderId, act, ...context.req.valid('json') };
      return answer(context, await supportOrder(context.get('db'), context.env, adminOf(context), asked));
    },
  )
  .get('/reports', validate('query', reportsQuery), answers('Reported issues', reportedIssues), async (context) =>
    answer(context, await listReports(context.get('db'), context.req.valid('query'))),
  )
  .post(
    '/reports/:id/answer',
    validate('param', reportParam),
    validate('json', reportAnswer),
    answers('Answer a reported issue by mail', done),
    async (context) => {
      const { id } = context.req.valid('param');
      const answered = await answerReport(context.get('db'), id, context.req.valid('json').text, adminOf(context));
      if (!answered) throw notFound('open report');
      return answer(context, {});
    },
  )
  .post(
    '/reports/:id/close',
    validate('param', reportParam),
    answers('Close a reported issue without an answer', done),
    async (context) => {
      if (!(await closeReport(context.get('db'), context.req.valid('param').id, adminOf(context))))
        throw notFound('open report');
      return answer(context, {});
    },
  );
