import { dollars } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { cancelItems } from '../../models/orders/cancellations.ts';
import { findOrder, refusedTo } from './find-order.ts';

/**
 * Cancels an order's items without results, or one item, and refunds them.
 * @throws Refusal not_found, or conflict with the reason if nothing can be cancelled.
 */
export async function cancelOrder(
  db: Db,
  env: Env,
  { userId, id }: { userId: string; id: string },
): Promise<{ cancelled: number; returned: number }> {
  const named = await findOrder(db, userId, id);
  const cancelled = await cancelItems(db, { ...named, userId });
  if (!cancelled) throw await refusedTo(db, 'cancel', named);
  await callOrder(env, named.orderId, (object) => object.cancel(cancelled.items));
  return { cancelled: cancelled.items.length, returned: dollars(cancelled.returned) };
}
