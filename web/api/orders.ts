import { queryOptions } from '@tanstack/react-query';
import type { OrderEntry } from '../../domain/orders/contract.ts';
import { dataOf } from './client.ts';
import type { ScheduleInfo } from './schedules.ts';
import { api } from './typed.ts';

const fetchOrders = (before?: number, signal?: AbortSignal) =>
  dataOf(api.orders.$get({ query: { before: before?.toString() } }, { init: { signal } }));

/** A page of orders: `live` is false when nothing on it can change, `next` is the `before` of the page after it. */
export type OrderPage = Awaited<ReturnType<typeof fetchOrders>>;
export type Order = OrderPage['orders'][number];
export type OrderItem = Order['items'][number];

/** One page of the user's orders, newest first; `before` is the order number that the page ends above. */
export const ordersQuery = (before?: number) =>
  queryOptions({
    queryKey: ['orders', { before: before ?? null }],
    queryFn: ({ signal }) => fetchOrders(before, signal),
    // The page's own countdown fetches again; a second clock would make it lie.
    staleTime: 2_000,
    refetchOnWindowFocus: false,
  });

/**
 * Places an order, or with `scheduleInfo` a standing one. `key` is the same for every try of one filled form, so a
 * repeat gives the first order back.
 * @throws ApiError 402 with balance and price, 400 with what is wrong.
 */
export const createOrder = (orders: OrderEntry[], scheduleInfo: ScheduleInfo | null, key: string) =>
  dataOf(api.order.create.$post({ json: { orders, scheduleInfo }, header: { 'idempotency-key': key } }));

const fetchItem = (itemId: string, signal?: AbortSignal) =>
  dataOf(api.order.item[':item_id'].$get({ param: { item_id: itemId } }, { init: { signal } }));

/** What the results page says of an item above its rows. */
export type ItemHeader = Awaited<ReturnType<typeof fetchItem>>;

/** What an item is and how far it is. */
export const itemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['item', itemId],
    queryFn: ({ signal }) => fetchItem(itemId, signal),
  });
