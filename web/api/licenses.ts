import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { LicensesAnswer, licence } from '../../domain/accounts/answers.ts';
import { HOUR_MS } from '../../domain/days.ts';
import { apiBase, dataOf, languageHeader, publicData } from './client.ts';

type Answer = Promise<{ status: number; json(): Promise<{ success: 1; data: LicensesAnswer }> }>;

/** What the account may view and use. */
export const licensesQuery = queryOptions({
  queryKey: ['licenses'],
  queryFn: ({ signal }) => {
    const answer: Answer = fetch(`${apiBase()}/v1/licenses`, {
      credentials: 'include',
      headers: languageHeader(),
      signal,
    });
    return dataOf(answer);
  },
});

export const eulaQuery = queryOptions({
  queryKey: ['eula'],
  queryFn: (context) => publicData<z.infer<typeof licence>>('/v1/eula', context),
  staleTime: HOUR_MS,
});
