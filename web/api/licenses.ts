import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { LicensesAnswer } from '../../domain/accounts/answers.ts';
import type { licence } from '../../domain/accounts/licence-contract.ts';
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

export type ShownLicence = z.infer<typeof licence>;
export const LICENCE_KEY = ['eula'];

/** A version of the licence, by default the one that holds now. */
export const eulaQuery = (version?: number) =>
  queryOptions({
    queryKey: [...LICENCE_KEY, version ?? null],
    queryFn: (context) =>
      publicData<ShownLicence>(version === undefined ? '/v1/eula' : `/v1/eula?version=${version}`, context),
    staleTime: HOUR_MS,
  });
