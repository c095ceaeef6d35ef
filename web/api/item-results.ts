import type { QueryClient } from '@tanstack/react-query';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import { type ItemHeader, itemQuery } from './orders.ts';
import { rowsQuery } from './results.ts';

/** True where an item has results, and no more rows than a browser is sent at once. */
export const comeAtOnce = (item: ItemHeader | undefined): boolean =>
  item?.has_results === true && (item.rows ?? 0) <= ROWS_AT_ONCE;

/** Fetches an item and, where they come at once, its rows, so that neither waits for the screen to be drawn. */
export async function prefetchResults(client: QueryClient, itemId: string): Promise<void> {
  const item = itemQuery(itemId);
  await client.prefetchQuery(item);
  if (comeAtOnce(client.getQueryData(item.queryKey))) await client.prefetchQuery(rowsQuery(itemId, false));
}
