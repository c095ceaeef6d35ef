import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type { sharedResults } from '../../domain/orders/answers.ts';
import { type DownloadType, MAX_ORDERED_ROWS, ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { apiBase, dataOf, languageHeader, publicData } from './client.ts';
import { api } from './typed.ts';

/** Read-only links to results: of an item, or of all items of an order by its number. */

const fetchShares = (id: string, signal?: AbortSignal) =>
  dataOf(api.order[':id'].shares.$get({ param: { id } }, { init: { signal } }));
export type Share = Awaited<ReturnType<typeof fetchShares>>['shares'][number];

export const sharesQuery = (id: string) =>
  queryOptions({ queryKey: ['shares', id], queryFn: ({ signal }) => fetchShares(id, signal) });

const fetchAccountShares = (signal?: AbortSignal) => dataOf(api.account.shares.$get({}, { init: { signal } }));
export type AccountShare = Awaited<ReturnType<typeof fetchAccountShares>>['shares'][number];

/** All active links of the user. */
export const accountSharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => fetchAccountShares(signal),
  staleTime: 0,
});

export const makeShare = (id: string, days: number) =>
  dataOf(api.order[':id'].shares.$post({ param: { id }, json: { days } }));

export const closeShare = (id: string, share_id: string) =>
  dataOf(api.order[':id'].shares[':share_id'].$delete({ param: { id, share_id } }));

/** Content of a share link. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: (context) => publicData<z.infer<typeof sharedResults>>(`/v1/shared/${encodeURIComponent(token)}`, context),
    retry: false,
  });

/** URL of shared results as a file. `base` is the API's origin. */
export const sharedFile = (base: string, token: string, type: DownloadType): string =>
  `${base}/v1/shared/${encodeURIComponent(token)}/download?type=${type}`;

/** Rows that the HTML of shared results shows. */
const FIRST_ROWS = 24;

/** The first rows of shared results, in the page's default order. */
export const sharedFirstQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'first'],
    queryFn: async (context) => {
      const { rows, combined, kind } = await context.client.ensureQueryData(sharedQuery(token));
      // Pages that are too large to load at once show the stored order (results/paged-results.tsx).
      const sorted = rows <= ROWS_AT_ONCE || (combined && kind === 'scan' && rows <= MAX_ORDERED_ROWS);
      const path = `${sharedFile('', token, 'json')}&count=${FIRST_ROWS}&page=0${sorted ? '&sort=Power' : ''}`;
      return (await publicData<{ rows: Row[] }>(path, context)).rows;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

const fetchSharedRows = (
  token: string,
  signal: AbortSignal,
): Promise<{ status: number; json(): Promise<{ success: 1; data: { rows: Row[] } }> }> =>
  fetch(sharedFile(apiBase(), token, 'json'), { headers: { accept: 'application/json', ...languageHeader() }, signal });

export const sharedRowsQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token, 'rows'],
    queryFn: async ({ signal }) => (await dataOf(fetchSharedRows(token, signal))).rows,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
    retry: false,
  });
