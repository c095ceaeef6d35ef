import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { LicensesAnswer } from '../../domain/accounts/answers.ts';
import type { licence } from '../../domain/accounts/licence-contract.ts';
import { HOUR_MS } from '../../domain/days.ts';
import { publicData, send } from './client.ts';

/** What the account may view and use. */
export const licensesQuery = queryOptions({
  queryKey: ['licenses'],
  queryFn: ({ signal }) => send<LicensesAnswer>('/v1/licenses', { signal }),
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
