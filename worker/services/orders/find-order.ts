import { itemIn, orderNumberIn, orderUuidIn } from '../../../domain/orders/ids.ts';
import { type OrderAction, orderRefusal } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { itemOf, orderOfUser, ordersAmong, type Reach, standingsOf } from '../../models/orders/orders.ts';

/** The order, and possibly item, that an id refers to. */
export interface Named {
  orderId: number;
  /** Null if the id is an order's. */
  itemId: string | null;
}

type FoundItem = NonNullable<Awaited<ReturnType<typeof itemOf>>>;

/** Returns an order within the user's reach by its number or UUID, or by one of its items. @throws Refusal not_found. */
export async function findOrder(db: Db, userId: string, id: string, reach: Reach = 'own'): Promise<Named> {
  const named = orderNumberIn(id) ?? orderUuidIn(id);
  if (named !== null) {
    const order = await orderOfUser(db, userId, named, reach);
    if (!order) throw notFound('order');
    return { orderId: order.id, itemId: null };
  }
  const { item } = await findItem(db, userId, id, reach);
  return { orderId: item.order_id, itemId: itemIn(id) };
}

/** Returns an item within the user's reach with its newest snapshot. @throws Refusal not_found. */
export async function findItem(db: Db, userId: string, id: string, reach: Reach): Promise<FoundItem> {
  const found = await itemOf(db, userId, id, reach);
  if (!found) throw notFound('item');
  return found;
}

/** Checks that all of these orders are the user's and returns them. @throws Refusal not_found. */
export async function findOrders(db: Db, userId: string, ids: readonly number[]): Promise<number[]> {
  const own = await ordersAmong(db, userId, ids);
  if (own.length < ids.length) throw notFound('order');
  return own;
}

/** Returns the refusal of an action that does not apply to an order or item. */
export async function refusedTo(db: Db, action: OrderAction, { orderId, itemId }: Named): Promise<Refusal> {
  const standings = (await standingsOf(db, [orderId], itemId)).get(orderId) ?? {};
  return new Refusal('conflict', orderRefusal(action, standings) ?? 'The order changed just now. Please look again.');
}
