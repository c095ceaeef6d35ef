import type { QueryClient } from '@tanstack/react-query';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import { type ItemHeader, itemQuery } from './orders.ts';
import { rowsQuery } from './results.ts';

/** Returns whether an item has results that are few enough to send in one response. */
export const fitsOneResponse = (item: ItemHeader | undefined): boolean =>
  item?.has_results === true && (item.rows ?? 0) <= ROWS_AT_ONCE;

/** Returns the version of an item's results; 0 if there are none. */
export const versionOf = (item: ItemHeader | undefined): number => item?.versions[0]?.version ?? 0;

/** Prefetches an item and, if they come in one response, its rows. */
export async function prefetchResults(client: QueryClient, itemId: string): Promise<void> {
  const query = itemQuery(itemId);
  await client.prefetchQuery(query);
  const item = client.getQueryData(query.queryKey);
  if (fitsOneResponse(item)) await client.prefetchQuery(rowsQuery(itemId, { all: false, edition: versionOf(item) }));
}
