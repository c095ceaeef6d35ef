/**
 * How many rows results may have for what is done with them. Past the first of these a run of a schedule is
 * `not_downloadable`: 'Too many results, not downloadable.' (specification, section 2).
 */

/** The files that results come as. */
export const DOWNLOAD_TYPES = ['csv', 'xlsx', 'json', 'parquet'] as const;
export type DownloadType = (typeof DOWNLOAD_TYPES)[number];

/** What a sheet holds below its header: every file opens where people open files. */
export const MAX_DOWNLOAD_ROWS = 1_048_575;

/** Rows stream group by group into all of these; Parquet was measured up to what is shown. */
export const MAX_ROWS: Readonly<Record<DownloadType, number>> = {
  csv: MAX_DOWNLOAD_ROWS,
  json: MAX_DOWNLOAD_ROWS,
  xlsx: MAX_DOWNLOAD_ROWS,
  parquet: 500_000,
};

/** Rows with all their columns that an isolate sorts in memory: up to 10 bytes a cell and some fifty columns. */
export const MAX_SORTED_ROWS = 100_000;

/** Rows that are shown together and added up. */
export const MAX_SHOWN_ROWS = 500_000;

/** Rows that are put in order for their pages: with the columns of the results table alone they take 50 MB (bench/README.md). */
export const MAX_ORDERED_ROWS = 300_000;

/** Rows that a browser on a phone is given at once; past this it asks for them page by page. */
export const ROWS_AT_ONCE = 20_000;

/** Rows of a page that may be asked for. */
export const MAX_PAGE_ROWS = 1000;
