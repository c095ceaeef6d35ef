import { queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/game-names.ts';
import type { OrderEntry } from '../../domain/orders/contract.ts';
import type { OrderState } from '../../domain/orders/order-states.ts';
import { dataOf } from './client.ts';
import type { ScheduleInfo } from './schedules.ts';
import { api } from './typed.ts';

/** Filters of the order list. Days are 'YYYY-MM-DD' in UTC, inclusive. */
export interface OrderFilter {
  /** An order number, a kingdom number, or part of a product name. */
  search?: string | undefined;
  kingdom?: number | undefined;
  game?: GameId | undefined;
  state?: OrderState | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Only runs of this schedule. */
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

/** A page of orders. `live` is false if nothing on it can change; `next` is the `before` of the following page. */
export type OrderPage = Awaited<ReturnType<typeof fetchOrders>>;
export type Order = OrderPage['orders'][number];
export type OrderItem = Order['items'][number];

/** One page of the user's orders, newest first; `before` is an exclusive upper bound on the order number. */
export const ordersQuery = (wanted: OrderFilter & { before?: number | undefined } = {}) =>
  queryOptions({
    queryKey: ['orders', wanted],
    queryFn: ({ signal }) => fetchOrders(wanted, signal),
    // While orders are live the page's countdown refetches, so no second timer may. Otherwise a focused tab refetches,
    // because another tab may have ordered.
    staleTime: 2_000,
    refetchOnWindowFocus: ({ state }) => state.data?.live === false,
  });

/** An order by its number: the user's own, or one that their team paid. */
export const orderQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['order', orderId],
    queryFn: ({ signal }) => dataOf(api.order[':id'].$get({ param: { id: String(orderId) } }, { init: { signal } })),
  });

/**
 * Places an order, or a schedule if `scheduleInfo` is given. The team pays if one is given. `key` stays the same for
 * all attempts of one form, so a repeat returns the first order.
 * @throws ApiError 402 with balance and price, 400 if the order is invalid.
 */
export const createOrder = (
  orders: OrderEntry[],
  scheduleInfo: ScheduleInfo | null,
  teamId: string | null,
  key: string,
) =>
  dataOf(
    api.order.create.$post({ json: { orders, scheduleInfo, team_id: teamId }, header: { 'idempotency-key': key } }),
  );

const fetchItem = (itemId: string, signal?: AbortSignal) =>
  dataOf(api.order.item[':item_id'].$get({ param: { item_id: itemId } }, { init: { signal } }));

/** Item details shown above its rows. */
export type ItemHeader = Awaited<ReturnType<typeof fetchItem>>;

/** An item and its progress. */
export const itemQuery = (itemId: string) =>
  queryOptions({
    queryKey: ['item', itemId],
    queryFn: ({ signal }) => fetchItem(itemId, signal),
  });
