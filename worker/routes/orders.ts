import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { isReady, productOf } from '../../domain/catalogue.ts';
import { checkParams, type OrderEntry, orderCreate } from '../../domain/contract.ts';
import { centsOf, dollars, formatCents } from '../../domain/money.ts';
import { priceOf } from '../../domain/pricing.ts';
import { answer } from '../answer.ts';
import type { Env } from '../env.ts';
import { notFound, Refusal } from '../errors.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  countItems,
  type Item,
  itemOf,
  type ListedOrder,
  listOrders,
  ORDERS_PER_PAGE,
  orderOf,
  type PricedEntry,
  placeOrder,
} from '../models/orders.ts';

/** Checks and prices one entry of an order, or refuses with what is wrong in which field. */
function priced(entry: OrderEntry, index: number, env: Env): PricedEntry {
  const refuse = (flaw: string) => new Refusal('invalid', `orders[${index}]: ${flaw}`);
  const product = productOf(entry.type);
  if (!product) throw refuse(`there is no product '${entry.type}'.`);
  if (!isReady(product, env.READY_PRODUCTS)) throw refuse(`${product.group}: ${product.name} cannot be ordered yet.`);
  const flaw = checkParams(product, entry.params);
  if (flaw) throw refuse(flaw);
  const price = priceOf(product, entry.params);
  if (centsOf(entry.price) !== price)
    throw refuse(`price: this costs ${formatCents(price)} USD, not ${entry.price}. Please review your order.`);
  return { product, entry, price };
}

const MAX_KEY = 200;

function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.length === 0 || header.length > MAX_KEY)
    throw new Refusal('invalid', `Idempotency-Key: must be 1 to ${MAX_KEY} characters.`);
  return header;
}

/** An item as orders and results show it. */
const itemAnswer = (item: Item) => {
  const product = productOf(item.product_id);
  return {
    item_id: item.id,
    type: item.product_id,
    group_name: product?.group ?? '',
    product_name: product?.name ?? item.product_id,
    details: JSON.parse(item.details) as Record<string, unknown>,
    game: item.game,
    kingdom_id: item.kingdom_id,
    governors: item.governors,
    full_profile: item.full_profile,
    price: dollars(item.price_cents),
    state: item.state,
    has_results: item.snapshot_id !== null,
    subtask_count: item.subtask_count,
    incomplete_count: item.incomplete_count,
    failed_count: item.failed_count,
    error: item.error,
  };
};

const orderAnswer = (order: ListedOrder) => ({
  order_id: order.id,
  order_uuid: order.uuid,
  placed_at: order.placed_at,
  total: dollars(order.total_cents),
  has_results: order.done_count > 0,
  is_done_loading: order.finishing_count === 0,
  item_count: order.item_count,
  items: order.items.map(itemAnswer),
});

const orderId = z.coerce.number('must be a number').int().positive().max(Number.MAX_SAFE_INTEGER);

export const orders = new Hono<UserEnv>({ strict: false })
  .get('/orders', signedIn, validate('query', z.object({ before: orderId.optional() })), async (context) => {
    const page = await listOrders(context.get('db'), context.get('user').id, context.req.valid('query').before);
    return answer(context, {
      orders: page.map(orderAnswer),
      live: page.some((order) => order.unfinished_count > 0),
      next: page.length === ORDERS_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
    });
  })
  .post('/order/create', signedIn, validate('json', orderCreate), async (context) => {
    const body = context.req.valid('json');
    if (body.scheduleInfo?.period || body.scheduleInfo?.start)
      throw new Refusal('invalid', 'scheduleInfo: scheduled orders are not open yet; leave it out to order now.');
    const user = context.get('user');
    const outcome = await placeOrder(context.get('db'), {
      userId: user.id,
      entries: body.orders.map((entry, index) => priced(entry, index, context.env)),
      idempotencyKey: idempotencyKeyOf(context.req.header('idempotency-key')),
      requestHash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    });
    if (outcome.outcome === 'key_reused')
      throw new Refusal('conflict', 'Idempotency-Key: was used for another order. Use a new one.');
    if (outcome.outcome === 'unpaid')
      throw new Refusal(
        'unpaid',
        `Your balance of ${formatCents(outcome.balance)} USD does not cover the price of ${formatCents(outcome.total)} USD.`,
      );
    const { order } = outcome;
    return answer(context, { ...order, total: dollars(order.total) });
  })
  .get('/order/item/:item_id', signedIn, async (context) => {
    const db = context.get('db');
    const found = await itemOf(db, context.get('user').id, context.req.param('item_id'));
    if (!found) throw notFound('item');
    const { item, snapshot } = found;
    return answer(context, {
      ...itemAnswer(item),
      order_id: item.order_id,
      item_count: await countItems(db, item.order_id),
      // Kingdoms are monitored by schedules, which open with a later release.
      monitored: false,
      captured_at: snapshot?.captured_at ?? null,
      source: snapshot?.source ?? null,
      rows: snapshot?.rows ?? null,
      quality: snapshot ? (JSON.parse(snapshot.quality) as Record<string, number>) : null,
    });
  })
  .get('/order/:order_id/live', signedIn, validate('param', z.object({ order_id: orderId })), async (context) => {
    const { order_id } = context.req.valid('param');
    if (context.req.header('upgrade')?.toLowerCase() !== 'websocket')
      throw new Refusal('invalid', 'This address speaks WebSocket only.');
    if (!(await orderOf(context.get('db'), context.get('user').id, order_id))) throw notFound('order');
    const object = context.env.ORDER_PROGRESS.getByName(String(order_id));
    return object.fetch(`https://object/?order_id=${order_id}`, { headers: { upgrade: 'websocket' } });
  });
