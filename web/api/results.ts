import { queryOptions } from '@tanstack/react-query';
import type { DownloadType } from '../../domain/contract.ts';
import type { Row } from '../../domain/rows.ts';
import { API_BASE, dataOf } from './client.ts';

/** Kinds of file that results are offered in on the screens. */
export const FILE_TYPES = ['csv', 'xlsx', 'json'] as const satisfies readonly DownloadType[];

/** Where a browser fetches results as a file: of an item, or with `all` of every item of an order. */
export const downloadUrl = (id: string, type: DownloadType, all: boolean): string =>
  `${API_BASE}/v1/order/${encodeURIComponent(id)}/download?type=${type}${all ? '&all=true' : ''}`;

/** A download's answer depends on what is asked for, so the rows' type is said here. */
const fetchRows = (
  id: string,
  all: boolean,
  signal: AbortSignal,
): Promise<{ status: number; json(): Promise<{ success: 1; data: { rows: Row[] } }> }> =>
  fetch(downloadUrl(id, 'json', all), {
    headers: { accept: 'application/json' },
    credentials: 'include',
    signal,
  });

/** The rows of an item's snapshot, or with `all` of every item of the order. */
export const rowsQuery = (id: string, all: boolean) =>
  queryOptions({
    queryKey: ['rows', id, { all }],
    queryFn: async ({ signal }) => {
      const { rows } = await dataOf(fetchRows(id, all, signal));
      return rows;
    },
    // A snapshot never changes; an order gets more of them while its items finish.
    staleTime: all ? 10_000 : Number.POSITIVE_INFINITY,
    // Thousands of rows are not kept long past their screen, nor compared one by one with the last answer.
    gcTime: 60_000,
    structuralSharing: false,
  });
