import { Hono } from 'hono';
import * as z from 'zod';
import { itemHeader, order, orderPage } from '../../domain/orders/answers.ts';
import { itemParam, orderIds, orderListQuery, orderParam } from '../../domain/orders/contract.ts';
import { openSocket } from '../gateways/user-sockets.ts';
import { answer } from '../http/answer.ts';
import { answers, opensSocket } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { findOrders } from '../services/orders/find-order.ts';
import { showItem, showOrder, showOrders } from '../services/orders/show-orders.ts';

export const orderList = new Hono<UserEnv>()
  .get(
    '/orders',
    keyScope('read'),
    signedIn,
    validate('query', orderListQuery),
    speaking,
    answers('Orders, newest first', orderPage),
    async (context) =>
      answer(context, await showOrders(context.get('db'), context.get('userId'), context.req.valid('query'))),
  )
  .get(
    '/order/:id',
    keyScope('read'),
    signedIn,
    validate('param', orderParam),
    answers('One order: poll `is_done_loading` until it is true', order),
    async (context) =>
      answer(context, await showOrder(context.get('db'), context.get('userId'), context.req.valid('param').id)),
  )
  .get(
    '/order/item/:item_id',
    keyScope('read'),
    signedIn,
    validate('param', itemParam),
    answers('One item of an order', itemHeader),
    async (context) =>
      answer(context, await showItem(context.get('db'), context.get('userId'), context.req.valid('param').item_id)),
  )
  .get(
    '/orders/live',
    keyScope('read'),
    signedIn,
    validate('query', z.object({ orders: orderIds })),
    opensSocket('Progress of up to 20 orders (WebSocket)'),
    async (context) => {
      const userId = context.get('userId');
      const orders = await findOrders(context.get('db'), userId, context.req.valid('query').orders);
      const holder = context.get('keyId') ?? context.get('claim')?.sessionId ?? '';
      return openSocket(context.req.raw, context.env, userId, { orders, holder });
    },
  );
