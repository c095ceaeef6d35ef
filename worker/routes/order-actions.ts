import { Hono, type MiddlewareHandler } from 'hono';
import { idempotent } from '../../domain/idempotency-key.ts';
import { message, t } from '../../domain/language/text.ts';
import { cancelled, orderEntries, placed, repaired, reported } from '../../domain/orders/answers.ts';
import { issueReport, MAX_ORDER_BYTES, orderCreate, orderParam } from '../../domain/orders/contract.ts';
import { type KeptEntry, shownEntry } from '../../domain/orders/entry.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { limitBody } from '../middleware/body.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, licensed, signedIn, type UserEnv, userOf } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { currentLicence } from '../models/accounts/licence-versions.ts';
import { orderOfUser } from '../models/orders/orders.ts';
import { readSale } from '../models/orders/sale.ts';
import { cancelOrder, repairOrder } from '../services/orders/change-order.ts';
import { findOrder } from '../services/orders/find-order.ts';
import { placeOrder } from '../services/orders/place-order.ts';
import { reportOrder } from '../services/orders/report-order.ts';

const limitOrder = limitBody(MAX_ORDER_BYTES, message('An order may carry {size} at most.'));
const reportsPerUser = limitedByUser('REPORT_USER');
const ordersPerUser = limitedByUser('ORDER_USER');

/** Reads sale and licence while the caller is looked up. Waits for the reads even if the caller is refused. */
const termsAhead: MiddlewareHandler<UserEnv> = async (context, next) => {
  if (!(context.get('claim') || context.get('key'))) return next();
  const [sale, licence] = [readSale(context.get('db'), context.env), currentLicence(context.get('db'))];
  const ended = Promise.allSettled([sale, licence]);
  context.set('sale', sale);
  context.set('licence', licence);
  await next();
  await ended;
};

/** Actions on orders. Ids are an order's number or an item's id. */
export const orderActions = new Hono<UserEnv>()
  .post(
    '/order/create',
    termsAhead,
    keyScope('order'),
    signedIn,
    licensed,
    ordersPerUser,
    limitOrder,
    validate('header', idempotent),
    validate('json', orderCreate),
    answers('Place an order or create a schedule; Idempotency-Key makes a repeat harmless', placed),
    async (context) => {
      const asked = {
        userId: context.get('userId'),
        balance: (await userOf(context)).balance_cents,
        sale: context.get('sale'),
        body: context.req.valid('json'),
        key: context.req.valid('header')['idempotency-key'],
      };
      const after = (work: Promise<unknown>) => context.executionCtx.waitUntil(work);
      return answer(context, await placeOrder(context.get('db'), context.env, after, asked));
    },
  )
  .get(
    '/order/:id/entries',
    keyScope('read'),
    signedIn,
    validate('param', orderParam),
    answers('The entries of an order, for reordering', orderEntries),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('userId')];
      const { orderId } = await findOrder(db, userId, context.req.valid('param').id, 'read');
      const order = await orderOfUser(db, userId, orderId, 'read');
      return answer(context, { entries: (JSON.parse(order?.entries ?? '[]') as KeptEntry[]).map(shownEntry) });
    },
  )
  .post(
    '/order/:id/cancel',
    keyScope('order'),
    signedIn,
    validate('param', orderParam),
    answers('Cancel an order’s items without results, or one item; the price is refunded', cancelled),
    async (context) => {
      const asked = { userId: context.get('userId'), id: context.req.valid('param').id };
      return answer(context, await cancelOrder(context.get('db'), context.env, asked));
    },
  )
  .post(
    '/order/:id/repair',
    keyScope('order'),
    signedIn,
    ordersPerUser,
    validate('param', orderParam),
    speaking,
    answers('Scan again what failed or was misread', repaired),
    async (context) => {
      const asked = { userId: context.get('userId'), id: context.req.valid('param').id };
      const requeued = await repairOrder(context.get('db'), context.env, asked);
      return answer(context, {
        requeued,
        msg: t(requeued > 0 ? 'The repair has started.' : 'Nothing is missing and every row was read correctly.'),
      });
    },
  )
  .post(
    '/order/:id/report',
    signedIn,
    reportsPerUser,
    validate('param', orderParam),
    validate('json', issueReport),
    answers('Report an issue with an order', reported),
    async (context) => {
      const report = context.req.valid('json');
      const asked = {
        user: await userOf(context),
        id: context.req.valid('param').id,
        report,
        support: context.env.SUPPORT_EMAIL,
      };
      return answer(context, { report_id: await reportOrder(context.get('db'), asked) });
    },
  );
