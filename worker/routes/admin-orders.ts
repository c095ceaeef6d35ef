import { Hono } from 'hono';
import * as z from 'zod';
import { done, rowId } from '../../domain/answers.ts';
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
  ordersAct,
  ordersActed,
  ordersActParam,
  ordersMatching,
  reportedIssues,
  reportsClosed,
  reportsClosing,
  reportsQuery,
} from '../../domain/orders/admin-contract.ts';
import { notFound, Refusal } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { closeReport, closeReports, listReports } from '../models/orders/reports.ts';
import { actOnMatching, countMatching } from '../services/orders/act-on-matching.ts';
import { answerIssue } from '../services/orders/report-order.ts';
import { showAllOrders, showAnyOrder } from '../services/orders/show-any-order.ts';
import { returnMoney, supportOrder } from '../services/orders/support-order.ts';

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
    '/orders/matching/:act{retry|cancel}',
    validate('param', ordersActParam),
    validate('query', adminOrdersQuery),
    answers('Count what an act on all matching orders would change', ordersMatching),
    async (context) => {
      const { act } = context.req.valid('param');
      return answer(context, await countMatching(context.get('db'), act, context.req.valid('query')));
    },
  )
  .post(
    '/orders/matching/:act{retry|cancel}',
    validate('param', ordersActParam),
    validate('query', adminOrdersQuery),
    validate('json', ordersAct),
    answers('Retry or cancel the next of all matching orders, newest first', ordersActed),
    async (context) => {
      const asked = {
        ...{ ...context.req.valid('param'), ...context.req.valid('json') },
        filter: context.req.valid('query'),
      };
      return answer(context, await actOnMatching(context.get('db'), context.env, await callerOf(context), asked));
    },
  )
  .get(
    '/orders/:order_id',
    speaking,
    validate('param', adminOrderParam),
    answers('One order with everything that happened to it', adminOrder),
    async (context) => answer(context, await showAnyOrder(context.get('db'), context.req.valid('param').order_id)),
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
    '/reports/close',
    validate('json', reportsClosing),
    answers('Close all open reports up to one, without an answer', reportsClosed),
    async (context) => {
      const closed = await closeReports(context.get('db'), context.req.valid('json'), adminOf(context));
      if (closed.reports === 0) throw new Refusal('conflict', 'None of these reports is open any more.');
      return answer(context, closed);
    },
  )
  .post(
    '/reports/:id/answer',
    validate('param', reportParam),
    validate('json', reportAnswer),
    answers('Answer a reported issue by mail', done),
    async (context) => {
      const { id } = context.req.valid('param');
      const { text } = context.req.valid('json');
      await answerIssue(context.get('db'), context.env, { id, text }, adminOf(context));
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
