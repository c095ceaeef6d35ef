import { itemIn, orderNumberIn } from '../../../domain/orders/ids.ts';
import { type OrderAction, orderRefusal } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { itemOf, orderOf, standingsOf } from '../../models/orders/orders.ts';

/** What an id of a call stands for. */
export interface Named {
  orderId: number;
  /** Null where the id is the order's own. */
  itemId: string | null;
}

/** The user's order that an id stands for: its own, or that of one of its items. @throws Refusal not_found. */
export async function findOrder(db: Db, userId: string, id: string): Promise<Named> {
  const number = orderNumberIn(id);
  if (number !== null) {
    const order = await orderOf(db, userId, number);
    if (!order) throw notFound('order');
    return { orderId: order.id, itemId: null };
  }
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  return { orderId: found.item.order_id, itemId: itemIn(id) };
}

/** Why an action that found nothing to do is refused to an order, or to one item of it. */
export async function refusedTo(db: Db, action: OrderAction, { orderId, itemId }: Named): Promise<Refusal> {
  const standings = (await standingsOf(db, [orderId], itemId)).get(orderId) ?? {};
  return new Refusal('conflict', orderRefusal(action, standings) ?? 'The order changed just now. Please look again.');
}
