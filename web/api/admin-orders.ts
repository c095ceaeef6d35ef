import { queryOptions } from '@tanstack/react-query';
import { type Cents, dollars } from '../../domain/money/money.ts';
import type { OrderAct, OrdersAct } from '../../domain/orders/admin-contract.ts';
import type { REPORT_STATES } from '../../domain/orders/order-states.ts';
import { dataOf } from './client.ts';
import type { OrderFilter } from './orders.ts';
import { api } from './typed.ts';

/** Orders of all users, and reports about them. */

export interface AdminOrdersFilter extends Omit<OrderFilter, 'schedule'> {
  user?: string | undefined;
  before?: number | undefined;
}

const queryOf = ({ kingdom, before, ...filter }: AdminOrdersFilter) => ({
  ...filter,
  before: before?.toString(),
  kingdom: kingdom?.toString(),
});

const fetchOrders = (filter: AdminOrdersFilter, signal?: AbortSignal) =>
  dataOf(api.admin.orders.$get({ query: queryOf(filter) }, { init: { signal } }));
export type AdminOrder = Awaited<ReturnType<typeof fetchOrders>>['orders'][number];

export const adminOrdersQuery = (filter: AdminOrdersFilter) =>
  queryOptions({
    queryKey: ['admin', 'orders', 'list', filter],
    queryFn: ({ signal }) => fetchOrders(filter, signal),
  });

const fetchMatching = (act: OrdersAct, filter: AdminOrdersFilter, signal?: AbortSignal) =>
  dataOf(
    api.admin.orders.matching[':act{retry|cancel}'].$get(
      { param: { act }, query: queryOf(filter) },
      { init: { signal } },
    ),
  );

/** Asks which orders an act on all of a filter would change. */
export const matchingQuery = (act: OrdersAct, filter: AdminOrdersFilter) =>
  queryOptions({
    queryKey: ['admin', 'orders', 'matching', act, filter],
    queryFn: ({ signal }) => fetchMatching(act, filter, signal),
  });

/** Acts on all matching orders up to `newest`, in several calls. Calls `onProgress` with the orders done so far. */
export async function actOnMatching(
  act: OrdersAct,
  filter: AdminOrdersFilter,
  newest: number,
  json: { round: string; reason: string; code: string | undefined },
  onProgress: (orders: number) => void,
): Promise<{ orders: number; items: number }> {
  const done = { orders: 0, items: 0 };
  for (let before: number | null = newest + 1; before !== null; ) {
    const { orders, items, next }: { orders: number; items: number; next: number | null } = await dataOf(
      api.admin.orders.matching[':act{retry|cancel}'].$post({
        param: { act },
        query: queryOf({ ...filter, before }),
        json,
      }),
    );
    done.orders += orders;
    done.items += items;
    onProgress(done.orders);
    before = next;
  }
  return done;
}

const fetchOrder = (orderId: number, signal?: AbortSignal) =>
  dataOf(api.admin.orders[':order_id'].$get({ param: { order_id: String(orderId) } }, { init: { signal } }));
export type WholeOrder = Awaited<ReturnType<typeof fetchOrder>>;

/** Polling interval of an order that is in progress, in ms. */
const ORDER_REFRESH_MS = 5_000;

export const adminOrderQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['admin', 'orders', orderId],
    queryFn: ({ signal }) => fetchOrder(orderId, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'open' || state === 'finishing') ? ORDER_REFRESH_MS : false,
  });

export const actOnOrder = (orderId: number, act: OrderAct, json: { item_id: string | null; reason: string }) =>
  dataOf(
    api.admin.orders[':order_id'][':act{retry|repair|cancel|finish}'].$post({
      param: { order_id: String(orderId), act },
      json,
    }),
  );

export const returnMoney = (
  orderId: number,
  { amount, key, ...rest }: { item_id: string; amount: Cents; reason: string; code: string | undefined; key: string },
) =>
  dataOf(
    api.admin.orders[':order_id'].return.$post({
      param: { order_id: String(orderId) },
      json: { ...rest, amount: dollars(amount) },
      header: { 'idempotency-key': key },
    }),
  );

type ReportState = (typeof REPORT_STATES)[number];

const fetchReports = (state: ReportState, before: number | undefined, signal?: AbortSignal) =>
  dataOf(api.admin.reports.$get({ query: { state, before: before?.toString() } }, { init: { signal } }));
export type Report = Awaited<ReturnType<typeof fetchReports>>['reports'][number];

export const reportsQuery = (state: ReportState, before?: number) =>
  queryOptions({
    queryKey: ['admin', 'reports', { state, before }],
    queryFn: ({ signal }) => fetchReports(state, before, signal),
  });

/** @throws ApiError 404 if the report was already answered or closed. */
export const answerReport = (id: number, text: string) =>
  dataOf(api.admin.reports[':id'].answer.$post({ param: { id: String(id) }, json: { text } }));

/** Closes all open reports up to one, call by call. Returns how many. */
export async function closeReports(up_to: number, reason: string): Promise<number> {
  let closed = 0;
  for (let left = 1; left > 0; ) {
    const round = await dataOf(api.admin.reports.close.$post({ json: { up_to, reason } }));
    closed += round.reports;
    left = round.left;
  }
  return closed;
}

/** @throws ApiError 404 if the report was already answered or closed. */
export const closeReport = (id: number) => dataOf(api.admin.reports[':id'].close.$post({ param: { id: String(id) } }));
