import { queryOptions } from '@tanstack/react-query';
import type { LicensesAnswer } from '../../domain/accounts/answers.ts';
import { apiBase, dataOf, languageHeader } from './client.ts';

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
