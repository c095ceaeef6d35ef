import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** What can be done with an order that was placed. `id` is an order's number or an item's id. */

/** What an order was placed with; it never changes. */
export const entriesQuery = (orderId: number) =>
  queryOptions({
    queryKey: ['order-entries', orderId],
    queryFn: async ({ signal }) =>
      (await dataOf(api.order[':id'].entries.$get({ param: { id: String(orderId) } }, { init: { signal } }))).entries,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Stops what has no results and returns its price: the answer says of how many items, and how many dollars.
 * @throws ApiError 409 where all of it has results already.
 */
export const cancel = (id: string) => dataOf(api.order[':id'].cancel.$post({ param: { id } }));

/** Sends bots again for what is missing or badly read; the answer's `msg` says what came of it. @throws ApiError 409, 429. */
export const repair = (id: string) => dataOf(api.order[':id'].repair.$post({ param: { id } }));

export interface Issue {
  message: string;
  /** Ids of the governors that it is about. */
  rows: string[];
}

/** Tells support what is wrong with an order. @throws ApiError 400 with what is wrong with the report. */
export const reportIssue = (orderId: number, issue: Issue) =>
  dataOf(api.order[':id'].report.$post({ param: { id: String(orderId) }, json: issue }));
