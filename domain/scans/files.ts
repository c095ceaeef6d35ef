/** File types for downloading a library scan. */
export const SCAN_FILE_TYPES = ['csv', 'xlsx', 'json', 'jsonl', 'parquet'] as const;
export type ScanFileType = (typeof SCAN_FILE_TYPES)[number];
export const SCAN_DIALECTS = ['muster', 'hero-scrolls', 'roktracker-v4', 'roktracker-v6'] as const;
export type ScanDialect = (typeof SCAN_DIALECTS)[number];
