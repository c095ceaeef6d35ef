import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DownloadType } from '../../domain/scans/results.ts';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { API_BASE, dataOf } from './client.ts';
import { api } from './typed.ts';

/** Kinds of file that results are offered in on the screens. */
export const FILE_TYPES = ['csv', 'xlsx', 'json'] as const satisfies readonly DownloadType[];

/** Where a browser fetches results as a file: of an item, or with `all` of every item of an order. */
export const downloadUrl = (id: string, type: DownloadType, all: boolean): string =>
  `${API_BASE}/v1/order/${encodeURIComponent(id)}/download?type=${type}${all ? '&all=true' : ''}`;

interface Rows {
  rows: Row[];
}

/** A download's answer depends on what is asked for, so the rows' type is said here. */
const fetchRows = <Answer extends Rows>(
  url: string,
  signal: AbortSignal,
): Promise<{ status: number; json(): Promise<{ success: 1; data: Answer }> }> =>
  fetch(url, { headers: { accept: 'application/json' }, credentials: 'include', signal });

// A snapshot never changes; an order gets more of them while its items finish.
const staleTimeOf = (all: boolean): number => (all ? 10_000 : Number.POSITIVE_INFINITY);

/** The rows of an item's snapshot, or with `all` of every item of the order. */
export const rowsQuery = (id: string, all: boolean) =>
  queryOptions({
    queryKey: ['rows', id, { all }],
    queryFn: async ({ signal }) => {
      const { rows } = await dataOf(fetchRows<Rows>(downloadUrl(id, 'json', all), signal));
      return rows;
    },
    staleTime: staleTimeOf(all),
    // Thousands of rows are not kept long past their screen, nor compared one by one with the last answer.
    gcTime: 60_000,
    structuralSharing: false,
  });

/** Rows of a page. */
export const ROWS_PER_PAGE = 100;

export interface PageOf {
  /** From 1 on. */
  page: number;
  /** By what the server sorts; null: as the rows are stored. */
  sort: 'Power' | 'Killpoints' | null;
  ascending: boolean;
  /** How many rows there are: other rows, when an order gets more of them, have other pages. */
  rows: number;
}

/** A page of the rows of a json file that are too many to be fetched at once, and how many there are in all. */
export const pageQuery = (file: string, { page, sort, ascending, rows }: PageOf) =>
  queryOptions({
    queryKey: ['pages', file, { page, sort, ascending, rows }],
    queryFn: ({ signal }) => {
      const order = sort ? `&sort=${sort}&reversed=${ascending}` : '';
      const url = `${file}&count=${ROWS_PER_PAGE}&page=${page - 1}${order}`;
      return dataOf(fetchRows<Rows & { total: number }>(url, signal));
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

const fetchCombined = (id: string, signal?: AbortSignal) =>
  dataOf(api.order[':id'].combined.$get({ param: { id } }, { init: { signal } }));

/** What an order's results add up to. */
export type Combined = Awaited<ReturnType<typeof fetchCombined>>;
/** The results of one item among them. */
export type Part = Combined['parts'][number];

/** What the results of an order add up to, by kingdom and in all. */
export const combinedQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['combined', orderId],
    queryFn: ({ signal }) => fetchCombined(orderId, signal),
    staleTime: staleTimeOf(true),
    // Each answer of an unfinished order is made anew from all of its scans, so many of them are asked for less often.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.parts.length < data.item_count && (data.rows > ROWS_AT_ONCE ? 120_000 : 15_000),
  });
