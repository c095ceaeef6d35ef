import { queryOptions } from '@tanstack/react-query';
import { type Cents, dollars } from '../../domain/money/money.ts';
import type { OrderAct } from '../../domain/orders/admin-contract.ts';
import type { REPORT_STATES } from '../../domain/orders/admin-words.ts';
import { dataOf } from './client.ts';
import type { OrderFilter } from './orders.ts';
import { api } from './typed.ts';

/** Orders of all users, and reports about them. */

export interface AdminOrdersFilter extends Omit<OrderFilter, 'schedule'> {
  user?: string | undefined;
  before?: number | undefined;
}

const fetchOrders = ({ before, kingdom, ...filter }: AdminOrdersFilter, signal?: AbortSignal) =>
  dataOf(
    api.admin.orders.$get(
      { query: { ...filter, before: before?.toString(), kingdom: kingdom?.toString() } },
      { init: { signal } },
    ),
  );
export type AdminOrder = Awaited<ReturnType<typeof fetchOrders>>['orders'][number];

export const adminOrdersQuery = (filter: AdminOrdersFilter) =>
  queryOptions({
    queryKey: ['admin', 'orders', 'list', filter],
    queryFn: ({ signal }) => fetchOrders(filter, signal),
  });

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

/** @throws ApiError 404 if the report was already answered or closed. */
export const closeReport = (id: number) => dataOf(api.admin.reports[':id'].close.$post({ param: { id: String(id) } }));
