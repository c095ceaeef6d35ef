import { queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/game-names.ts';
import type { OrderEntry } from '../../domain/orders/contract.ts';
import type { OrderState } from '../../domain/orders/order-states.ts';
import { dataOf } from './client.ts';
import type { ScheduleInfo } from './schedules.ts';
import { api } from './typed.ts';

/** Which orders are listed; days are 'YYYY-MM-DD' in UTC, both included. */
export interface OrderFilter {
  /** An order's number, a kingdom's, or a part of a product's name. */
  search?: string | undefined;
  kingdom?: number | undefined;
  game?: GameId | undefined;
  state?: OrderState | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Runs of this schedule. */
  schedule?: number | undefined;
}

const fetchOrders = (
  { before, kingdom, schedule, ...rest }: OrderFilter & { before?: number | undefined },
  signal?: AbortSignal,
) =>
  dataOf(
    api.orders.$get(
      {
        query: { ...rest, before: before?.toString(), kingdom: kingdom?.toString(), schedule: schedule?.toString() },
      },
      { init: { signal } },
    ),
  );

/** A page of orders: `live` is false when nothing on it can change, `next` is the `before` of the page after it. */
export type OrderPage = Awaited<ReturnType<typeof fetchOrders>>;
export type Order = OrderPage['orders'][number];
export type OrderItem = Order['items'][number];

/** One page of the user's orders, newest first; `before` is the order number that the page ends above. */
export const ordersQuery = (wanted: OrderFilter & { before?: number | undefined } = {}) =>
  queryOptions({
    queryKey: ['orders', wanted],
    queryFn: ({ signal }) => fetchOrders(wanted, signal),
    // While something moves, the page's own countdown fetches again; a second clock would make it lie. Where nothing
    // does, another tab may have ordered meanwhile.
    staleTime: 2_000,
    refetchOnWindowFocus: ({ state }) => state.data?.live === false,
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
