import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** How many kingdoms, alliances and governors there are of each game; counted once a day. */
export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => dataOf(api.stats.global.$get({}, { init: { signal } })),
  staleTime: 10 * 60_000,
});
