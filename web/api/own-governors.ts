import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { ownGovernors } from '../../domain/events/contract.ts';
import { API_BASE, dataOf } from './client.ts';

export type OwnGovernors = z.infer<typeof ownGovernors>;

type Answer = Promise<{ status: number; json(): Promise<{ success: 1; data: OwnGovernors }> }>;

const call = (init: RequestInit): Answer =>
  fetch(`${API_BASE}/v1/account/governors`, { credentials: 'include', ...init });

/** The governors that the user calls his own, by game. */
export const ownGovernorsQuery = queryOptions({
  queryKey: ['own-governors'],
  queryFn: ({ signal }) => dataOf(call({ signal })),
  staleTime: 5 * 60_000,
});

/** Says which governors are the user's own, all of them. */
export const saveOwnGovernors = (own: OwnGovernors): Promise<OwnGovernors> =>
  dataOf(call({ method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(own) }));
