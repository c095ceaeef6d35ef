import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchOutlooks = (product: string, kingdoms: string, signal: AbortSignal) =>
  dataOf(
    api.products[':product_id'].kingdoms.$get(
      { param: { product_id: product }, query: { kingdoms } },
      { init: { signal } },
    ),
  );

/** What is known about a kingdom before it is ordered. */
export type Outlook = Awaited<ReturnType<typeof fetchOutlooks>>[number];

/** Expectations for kingdoms (comma-separated numbers) of a product. */
export const outlooksQuery = (product: string, kingdoms: string) =>
  queryOptions({
    queryKey: ['outlooks', product, kingdoms],
    queryFn: ({ signal }) => fetchOutlooks(product, kingdoms, signal),
    staleTime: 60_000,
  });
