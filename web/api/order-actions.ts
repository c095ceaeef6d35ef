import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Actions on placed orders. `id` is an order number or an item id. */

/** What an order was placed with; never changes. */
export const entriesQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['order-entries', orderId],
    queryFn: async ({ signal }) =>
      (await dataOf(api.order[':id'].entries.$get({ param: { id: String(orderId) } }, { init: { signal } }))).entries,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Cancels items without results and refunds their price. Returns the number of items and the amount in dollars.
 * @throws ApiError 409 if everything has results.
 */
export const cancel = (id: string) => dataOf(api.order[':id'].cancel.$post({ param: { id } }));

/** Rescans missing or badly read parts. Returns a message about the result. @throws ApiError 409, 429. */
export const repair = (id: string) => dataOf(api.order[':id'].repair.$post({ param: { id } }));

export interface Issue {
  message: string;
  /** Ids of the affected governors. */
  rows: string[];
}

/** Reports a problem with an order to support. @throws ApiError 400 if the report is invalid. */
export const reportIssue = (orderId: number, issue: Issue) =>
  dataOf(api.order[':id'].report.$post({ param: { id: String(orderId) }, json: issue }));
