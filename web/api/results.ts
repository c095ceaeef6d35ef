import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DownloadType } from '../../domain/scans/results.ts';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { apiBase, dataOf, languageHeader } from './client.ts';
import { api } from './typed.ts';

/** File types offered on pages. */
export const FILE_TYPES = ['csv', 'xlsx', 'json'] as const satisfies readonly DownloadType[];

/** Download URL of an item's results, or with `all` of all items of an order. */
export const downloadUrl = (id: string, type: DownloadType, all: boolean): string =>
  `${apiBase()}/v1/order/${encodeURIComponent(id)}/download?type=${type}${all ? '&all=true' : ''}`;

interface Rows {
  rows: Row[];
}

/** The response depends on the URL, so the row type is stated here. */
const fetchRows = <Answer extends Rows>(
  url: string,
  signal: AbortSignal,
): Promise<{ status: number; json(): Promise<{ success: 1; data: Answer }> }> =>
  fetch(url, { headers: { accept: 'application/json', ...languageHeader() }, credentials: 'include', signal });

interface RowsOf {
  /** All items of the order, whose number the id is. */
  all: boolean;
  /** Grows with each result and each repair. Part of the key, because only the rows of an edition never change. */
  edition: number;
}

/** Rows of an item's snapshot, or of all items of an order. Those of the edition before stay visible meanwhile. */
export const rowsQuery = (id: string, { all, edition }: RowsOf) =>
  queryOptions({
    queryKey: ['rows', id, { all, edition }],
    queryFn: async ({ signal }) => {
      const { rows } = await dataOf(fetchRows<Rows>(downloadUrl(id, 'json', all), signal));
      return rows;
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    // Thousands of rows are dropped soon after their page closes, and structural sharing is off.
    gcTime: 60_000,
    structuralSharing: false,
  });

export const ROWS_PER_PAGE = 100;

export interface PageOf extends Pick<RowsOf, 'edition'> {
  /** From 1. */
  page: number;
  /** Sort column on the server; null keeps the stored order. */
  sort: 'Power' | 'Killpoints' | null;
  ascending: boolean;
}

/** One page of results that are too large for a single response, and the total number of rows. */
export const pageQuery = (file: string, { page, sort, ascending, edition }: PageOf) =>
  queryOptions({
    queryKey: ['pages', file, { page, sort, ascending, edition }],
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

/** Totals of an order's results. */
export type Combined = Awaited<ReturnType<typeof fetchCombined>>;
/** Results of one item. */
export type Part = Combined['parts'][number];

/** Totals of an order's results, by kingdom and overall. */
export const combinedQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['combined', orderId],
    queryFn: ({ signal }) => fetchCombined(orderId, signal),
    staleTime: 10_000,
    // The server recomputes an unfinished order's totals from all its scans, so large orders poll less often.
    refetchInterval: ({ state: { data } }) => data?.live === true && (data.rows > ROWS_AT_ONCE ? 120_000 : 15_000),
  });

/** Returns the edition of an order's results. */
export const editionOf = ({ parts }: Pick<Combined, 'parts'>): number =>
  parts.reduce((sum, { version }) => sum + version, 0);
