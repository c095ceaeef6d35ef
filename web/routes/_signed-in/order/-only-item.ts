import type { QueryClient } from '@tanstack/react-query';
import { ordersQuery } from '../../../api/orders.ts';

/** Returns the id of an order's only item; null if it has several or the lookup fails. */
export async function onlyItemOf(client: QueryClient, number: number): Promise<string | null> {
  const page = await client.fetchQuery({ ...ordersQuery({ before: number + 1 }), retry: false }).catch(() => null);
  const [order] = page?.orders ?? [];
  return order?.order_id === number && order.item_count === 1 ? (order.items[0]?.item_id ?? null) : null;
}
