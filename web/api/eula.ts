import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { licence } from '../../domain/accounts/answers.ts';
import { HOUR_MS } from '../../domain/days.ts';
import { publicData } from './client.ts';

export const eulaQuery = queryOptions({
  queryKey: ['eula'],
  queryFn: (context) => publicData<z.infer<typeof licence>>('/v1/eula', context),
  staleTime: HOUR_MS,
});
