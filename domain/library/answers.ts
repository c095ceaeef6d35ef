import * as z from 'zod';
import { count, ts } from '../difference/answers.ts';
import { GAME_IDS } from '../games/games.ts';

/** Answers of own scans and the library. Times are in epoch milliseconds. Null means unknown, never 0. */

/** Number of rows by quality; qualities without rows are omitted. */
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
  dropped: z.boolean().describe('Whether the whole line was skipped.'),
});

export const previewScan = z.object({
  kingdom_id: count.nullable().describe('Null if it must be given before saving.'),
  captured_at: ts.nullable(),
  stage: z.string().nullable(),
  rows: count,
  quality,
  scan_id: z
    .string()
    .nullable()
    .describe('The library scan with the same content from the same file; null if there is none.'),
});

const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const importPreview = z.object({
  import_id: z.string(),
  name: z.string(),
  dialect: z.string(),
  game: z.enum(GAME_IDS),
  range: z
    .object({ from: ts.nullable(), to: ts.nullable() })
    .nullable()
    .describe(
      'The days that the figures are summed over. Such sums are never compared with single readings. Null for a single reading.',
    ),
  utf8: z.boolean().describe('False if names may be damaged because the file uses a code page instead of UTF-8.'),
  scans: z.array(previewScan),
  mapping: z.record(z.string(), z.string().nullable()).describe('Headers and the columns that they are imported as.'),
  headers: z.array(headerMapping),
  unknown_headers: z.array(z.string()),
  remembered: z.boolean().describe('Whether the mapping was saved earlier for the same headers.'),
  lines: z.object({ read: count, kept: count, dropped: count }),
  problems: z.array(readProblem),
  problem_count: count,
  quality,
  first_rows: z.array(row),
  asks: z
    .object({
      kingdom: z.boolean().describe('Whether the kingdom must be given.'),
      captured_at: z.boolean().describe('Whether the time must be given.'),
      stages: z.array(z.string()).describe('Stages whose times must be given.'),
    })
    .describe('What must be given before saving.'),
  saved: z.array(z.string()).describe('Library scans imported from this very file.'),
  expires_at: ts,
});

export const importSaved = z.object({ scan_ids: z.array(z.string()) });

export const libraryScan = z.object({
  scan_id: z.string(),
  origin: z.enum(['bought', 'imported']),
  game: z.enum(GAME_IDS),
  kingdom_id: count,
  captured_at: ts,
  range_from: ts.nullable().describe('The first day of a scan that sums over days; null for a single reading.'),
  rows: count,
  quality,
  source: z.string().describe("The file's name, or the bots' description."),
  dialect: z.string().nullable(),
  stage: z.string().nullable(),
  name: z.string(),
  tags: z.array(z.string()),
  note: z.string(),
  order_id: z.number().nullable(),
  saved_at: ts,
  expires_at: ts.nullable().describe('When it is deleted automatically; null for bought scans.'),
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
  kingdoms: z
    .array(z.object({ game: z.enum(GAME_IDS), kingdom_id: count, scans: count }))
    .describe('All kingdoms of the library, regardless of the page.'),
  tags: z.array(z.string()),
  limits: libraryLimits,
});

export const scanDetails = z.object({
  scan: libraryScan,
  hangs: z
    .object({
      reports: z.array(z.object({ report_id: z.string(), name: z.string() })),
      fights: z.array(z.object({ fight_id: z.string(), name: z.string() })),
    })
    .describe('What is deleted with it.'),
});
