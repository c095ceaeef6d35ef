import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { globalStats } from '../../domain/boards/contract.ts';
import { publicData } from './client.ts';

/** Number of kingdoms, alliances and governors of each game; counted daily. */
export const statsQuery = queryOptions({
  queryKey: ['stats'],
  queryFn: (context) => publicData<z.infer<typeof globalStats>>('/v1/stats/global', context),
  staleTime: 10 * 60_000,
});
