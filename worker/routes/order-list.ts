import { Hono } from 'hono';
import * as z from 'zod';
import { dollars } from '../../domain/money/money.ts';
import { itemHeader, orderPage } from '../../domain/orders/answers.ts';
import { productOf } from '../../domain/orders/catalogue.ts';
import { orderIds, orderListQuery } from '../../domain/orders/contract.ts';
import { movingItems, orderRefusal, preparingUntil, returnsAt } from '../../domain/orders/order.ts';
import { answer } from '../answer.ts';
import { notFound } from '../errors.ts';
import { answers, opensSocket } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { isMonitored } from '../models/kingdoms/monitored.ts';
import { countItems, type Item, itemOf, type ListedOrder, listOrders, ordersAmong } from '../models/orders/orders.ts';
import { scheduleOfRun } from '../models/orders/schedule-runs.ts';
import { versionsOf } from '../models/scans/snapshots.ts';
import { watchOrders } from '../services/orders/watch-orders.ts';

/** An item as orders and results show it. */
const itemAnswer = (item: Item) => {
  const product = productOf(item.product_id);
  return {
    item_id: item.id,
    type: item.product_id,
    group_name: product?.group ?? '',
    product_name: product?.name ?? item.product_id,
    details: JSON.parse(item.details) as Record<string, unknown>,
    kind: product?.kind ?? 'scan',
    game: item.game,
    kingdom_id: item.kingdom_id,
    governors: item.governors,
    full_profile: item.full_profile,
    price: dollars(item.price_cents),
    returned: dollars(item.returned_cents),
    returns_at: returnsAt(item),
    state: item.state,
    has_results: item.snapshot_id !== null,
    subtask_count: item.subtask_count,
    incomplete_count: item.incomplete_count,
    failed_count: item.failed_count,
    error: item.error,
    preparing_until: preparingUntil(item),
  };
};

const orderAnswer = (order: ListedOrder) => ({
  order_id: order.id,
  order_uuid: order.uuid,
  schedule_id: scheduleOfRun(order),
  placed_at: order.placed_at,
  total: dollars(order.total_cents),
  returned: dollars(order.returned_cents),
  has_results: orderRefusal('results', order.standings) === null,
  is_done_loading: order.finishing_count === 0,
  standings: order.standings,
  item_count: order.item_count,
  items: order.items.map(itemAnswer),
});

export const orderList = new Hono<UserEnv>({ strict: false })
  .get(
    '/orders',
    keyScope('read'),
    signedIn,
    validate('query', orderListQuery),
    answers(orderPage),
    async (context) => {
      const { orders, next } = await listOrders(context.get('db'), context.get('user').id, context.req.valid('query'));
      return answer(context, {
        orders: orders.map(orderAnswer),
        live: orders.some(({ standings }) => movingItems(standings) > 0),
        next,
      });
    },
  )
  .get('/order/item/:item_id', keyScope('read'), signedIn, answers(itemHeader), async (context) => {
    const db = context.get('db');
    const found = await itemOf(db, context.get('user').id, context.req.param('item_id'));
    if (!found) throw notFound('item');
    const { item, snapshot } = found;
    return answer(context, {
      ...itemAnswer(item),
      order_id: item.order_id,
      item_count: await countItems(db, item.order_id),
      monitored: await isMonitored(db, context.get('user').id, item.game, item.kingdom_id),
      versions: (await versionsOf(db, item.id)).map(({ version, captured_at, rows }) => ({
        version,
        captured_at,
        rows,
      })),
      captured_at: snapshot?.captured_at ?? null,
      source: snapshot?.source ?? null,
      rows: snapshot?.rows ?? null,
      quality: snapshot ? (JSON.parse(snapshot.quality) as Record<string, number>) : null,
    });
  })
  .get(
    '/orders/live',
    keyScope('read'),
    signedIn,
    validate('query', z.object({ orders: orderIds })),
    opensSocket,
    async (context) => {
      const { orders: ids } = context.req.valid('query');
      const own = await ordersAmong(context.get('db'), context.get('user').id, ids);
      if (own.length < ids.length) throw notFound('order');
      return watchOrders(context.req.raw, context.env, own);
    },
  );
