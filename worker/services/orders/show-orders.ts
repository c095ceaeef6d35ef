import { dollars } from '../../../domain/money/money.ts';
import { productOf } from '../../../domain/orders/catalogue.ts';
import type { OrderListQuery } from '../../../domain/orders/contract.ts';
import { movingItems, orderRefusal, preparingUntil, returnsAt } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { isMonitored } from '../../models/kingdoms/monitored.ts';
import { countItems, type Item, type ListedOrder, listedOrders, listOrders } from '../../models/orders/orders.ts';
import { scheduleOfRun } from '../../models/orders/schedule-runs.ts';
import { versionsOf } from '../../models/scans/snapshots.ts';
import { findItem, findOrder } from './find-order.ts';

/** Returns an item as shown in orders and results. */
export const itemAnswer = (item: Item) => {
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
  team_id: order.team_id,
  total: dollars(order.total_cents),
  returned: dollars(order.returned_cents),
  has_results: orderRefusal('results', order.standings) === null,
  is_done_loading: movingItems(order.standings) === 0,
  standings: order.standings,
  item_count: order.item_count,
  items: order.items.map(itemAnswer),
  reports: order.reports.map(({ id, item_id, message, created_at, answer, answered_at }) => ({
    ...{ report_id: id, item_id, message, created_at, answer, answered_at },
  })),
});

/** Returns a page of a user's orders, and whether any may still change. */
export async function showOrders(db: Db, userId: string, filter: OrderListQuery) {
  const { orders, next } = await listOrders(db, userId, filter);
  return {
    orders: orders.map(orderAnswer),
    live: orders.some(({ standings }) => movingItems(standings) > 0),
    next,
  };
}

/** Returns an order that the user may read, by its number, UUID or one of its items. @throws Refusal not_found. */
export async function showOrder(db: Db, userId: string, id: string) {
  const { orderId } = await findOrder(db, userId, id, 'read');
  const [order] = await listedOrders(db, [orderId]);
  if (!order) throw notFound('order');
  return orderAnswer(order);
}

/** Returns an item that the user may read, for the head of its results page. @throws Refusal not_found. */
export async function showItem(db: Db, userId: string, id: string) {
  const { item, order, snapshot } = await findItem(db, userId, id, 'read');
  const [item_count, monitored, versions] = await Promise.all([
    countItems(db, item.order_id),
    isMonitored(db, userId, item.game, item.kingdom_id),
    versionsOf(db, item.id),
  ]);
  return {
    ...itemAnswer(item),
    order_id: item.order_id,
    own: order.user_id === userId,
    item_count,
    monitored,
    versions: versions.map(({ version, captured_at, rows }) => ({ version, captured_at, rows })),
    captured_at: snapshot?.captured_at ?? null,
    source: snapshot?.source ?? null,
    rows: snapshot?.rows ?? null,
    quality: snapshot ? (JSON.parse(snapshot.quality) as Record<string, number>) : null,
  };
}
