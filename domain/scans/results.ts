/**
 * Limits on the number of result rows, by use. A schedule's run above the first limit is `not_downloadable`: 'Too many
 * results, not downloadable.' (specification, section 2).
 */

/** File types of results. */
export const DOWNLOAD_TYPES = ['csv', 'xlsx', 'json', 'parquet'] as const;
export type DownloadType = (typeof DOWNLOAD_TYPES)[number];

/** Maximum rows of an Excel sheet below its header, so that every file can be opened. */
export const MAX_DOWNLOAD_ROWS = 1_048_575;

/** Rows are streamed in groups into all types. Parquet was measured only up to the rows shown on pages. */
export const MAX_ROWS_BY_TYPE: Readonly<Record<DownloadType, number>> = {
  csv: MAX_DOWNLOAD_ROWS,
  json: MAX_DOWNLOAD_ROWS,
  xlsx: MAX_DOWNLOAD_ROWS,
  parquet: 500_000,
};

/** Rows with all columns that an isolate can sort in memory: up to 10 bytes per cell, about fifty columns. */
export const MAX_SORTED_ROWS = 100_000;

/** Rows that can be shown and added up together. */
export const MAX_SHOWN_ROWS = 500_000;

/** Rows that can be sorted for paging; the columns of the results table alone take 50 MB (bench/README.md). */
export const MAX_ORDERED_ROWS = 300_000;

/** Rows that a phone's browser loads at once. Above this it requests pages. */
export const ROWS_AT_ONCE = 20_000;

/** Maximum rows per page. */
export const MAX_PAGE_ROWS = 1000;
