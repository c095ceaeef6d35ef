import type { QueryClient } from '@tanstack/react-query';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import { type ItemHeader, itemQuery } from './orders.ts';
import { rowsQuery } from './results.ts';

/** Returns whether an item has results that are few enough to send in one response. */
export const fitsOneResponse = (item: ItemHeader | undefined): boolean =>
  item?.has_results === true && (item.rows ?? 0) <= ROWS_AT_ONCE;

/** Prefetches an item and, if they come in one response, its rows. */
export async function prefetchResults(client: QueryClient, itemId: string): Promise<void> {
  const item = itemQuery(itemId);
  await client.prefetchQuery(item);
  if (fitsOneResponse(client.getQueryData(item.queryKey))) await client.prefetchQuery(rowsQuery(itemId, false));
}
