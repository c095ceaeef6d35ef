import { itemIn, orderNumberIn, orderUuidIn } from '../../../domain/orders/ids.ts';
import { type OrderAction, orderRefusal } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { itemOf, orderOf, ordersAmong, standingsOf } from '../../models/orders/orders.ts';

/** What an id of a call stands for. */
export interface Named {
  orderId: number;
  /** Null where the id is the order's own. */
  itemId: string | null;
}

export type FoundItem = NonNullable<Awaited<ReturnType<typeof itemOf>>>;

/** The user's order that an id stands for: its own, or that of one of its items. @throws Refusal not_found. */
export async function findOrder(db: Db, userId: string, id: string): Promise<Named> {
  const named = orderNumberIn(id) ?? orderUuidIn(id);
  if (named !== null) {
    const order = await orderOf(db, userId, named);
    if (!order) throw notFound('order');
    return { orderId: order.id, itemId: null };
  }
  const { item } = await findItem(db, userId, id);
  return { orderId: item.order_id, itemId: itemIn(id) };
}

/** An item of the user's with its newest snapshot. @throws Refusal not_found. */
export async function findItem(db: Db, userId: string, id: string): Promise<FoundItem> {
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  return found;
}

/** These orders, all of which must be the user's. @throws Refusal not_found. */
export async function findOrders(db: Db, userId: string, ids: readonly number[]): Promise<number[]> {
  const own = await ordersAmong(db, userId, ids);
  if (own.length < ids.length) throw notFound('order');
  return own;
}

/** Why an action that found nothing to do is refused to an order, or to one item of it. */
export async function refusedTo(db: Db, action: OrderAction, { orderId, itemId }: Named): Promise<Refusal> {
  const standings = (await standingsOf(db, [orderId], itemId)).get(orderId) ?? {};
  return new Refusal('conflict', orderRefusal(action, standings) ?? 'The order changed just now. Please look again.');
}
