import * as z from 'zod';
import { GAME_IDS } from '../games/games.ts';

/** Answers of own scans and the library. Moments are epoch milliseconds; null is unknown, never 0. */

const ts = z.number().int();
const count = z.number().int();

/** Rows of each quality; one without rows is left out. */
const quality = z.record(z.string(), count);

export const headerMapping = z.object({
  header: z.string(),
  column: z.string().nullable(),
  stage: z.string().nullable(),
  why: z.enum(['known', 'chosen', 'needless', 'unknown', 'double']),
});

export const readProblem = z.object({
  line: count.nullable(),
  sheet: z.string().nullable(),
  column: z.string().nullable(),
  reason: z.string(),
  /** The line was not taken at all. */
  dropped: z.boolean(),
});

export const previewScan = z.object({
  /** Null: has to be named before it can be saved. */
  kingdom_id: count.nullable(),
  captured_at: ts.nullable(),
  stage: z.string().nullable(),
  rows: count,
  quality,
  /** The scan of the library that holds the same, from the same file. */
  scan_id: z.string().nullable(),
});

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const importPreview = z.object({
  import_id: z.string(),
  name: z.string(),
  dialect: z.string(),
  game: z.enum(GAME_IDS),
  /** Where the figures are sums over days: never compared with readings of a moment. */
  range: z.object({ from: ts.nullable(), to: ts.nullable() }).nullable(),
  /** False where names may be damaged, because the file was written in a code page. */
  utf8: z.boolean(),
  scans: z.array(previewScan),
  /** Headers and where their cells go. */
  mapping: z.record(z.string(), z.string().nullable()),
  headers: z.array(headerMapping),
  unknown_headers: z.array(z.string()),
  /** The mapping is the one that was saved with these headers before. */
  remembered: z.boolean(),
  lines: z.object({ read: count, kept: count, dropped: count }),
  problems: z.array(readProblem),
  problem_count: count,
  quality,
  first_rows: z.array(row),
  /** What has to be named before it can be saved. */
  asks: z.object({ kingdom: z.boolean(), captured_at: z.boolean(), stages: z.array(z.string()) }),
  /** Scans of the library that came from this very file. */
  saved: z.array(z.string()),
  expires_at: ts,
});

export const importSaved = z.object({ scan_ids: z.array(z.string()) });

export const libraryScan = z.object({
  scan_id: z.string(),
  origin: z.enum(['bought', 'imported']),
  game: z.enum(GAME_IDS),
  kingdom_id: count,
  captured_at: ts,
  /** The first day of a scan that is a sum over days; null for readings of a moment. */
  range_from: ts.nullable(),
  rows: count,
  quality,
  /** The file's name, or what the bots said. */
  source: z.string(),
  dialect: z.string().nullable(),
  stage: z.string().nullable(),
  name: z.string(),
  tags: z.array(z.string()),
  note: z.string(),
  order_id: z.number().nullable(),
  saved_at: ts,
  /** When it goes by itself; null for bought ones. */
  expires_at: ts.nullable(),
});
export type LibraryScan = z.infer<typeof libraryScan>;

export const libraryLimits = z.object({
  files_per_day: count,
  files_today: count,
  rows: count,
  rows_kept: count,
  days: count,
  file_bytes: count,
  file_rows: count,
});

export const library = z.object({
  scans: z.array(libraryScan),
  next: z.string().nullable(),
  /** Every kingdom of the library, whatever the page shows. */
  kingdoms: z.array(z.object({ game: z.enum(GAME_IDS), kingdom_id: count, scans: count })),
  tags: z.array(z.string()),
  limits: libraryLimits,
});

export const scanDetails = z.object({
  scan: libraryScan,
  /** What goes with it where it is deleted. */
  hangs: z.object({
    reports: z.array(z.object({ report_id: z.string(), name: z.string() })),
    fights: z.array(z.object({ fight_id: z.string(), name: z.string() })),
  }),
});
