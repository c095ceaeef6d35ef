import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { globalStats } from '../../domain/boards/contract.ts';
import { publicData } from './client.ts';

/** How many kingdoms, alliances and governors there are of each game; counted once a day. */
export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: ({ signal }) => publicData<z.infer<typeof globalStats>>('/v1/stats/global', signal),
  staleTime: 10 * 60_000,
});
