import type { QueryClient } from '@tanstack/react-query';
import { orderQuery } from '../../../api/orders.ts';

/** Returns the id of an order's only item; null if it has several or the lookup fails. */
export async function onlyItemOf(client: QueryClient, number: number): Promise<string | null> {
  const order = await client.fetchQuery({ ...orderQuery(number), retry: false }).catch(() => null);
  return order?.item_count === 1 ? (order.items[0]?.item_id ?? null) : null;
}
