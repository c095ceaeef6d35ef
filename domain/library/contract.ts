import * as z from 'zod';
import { exact } from '../figures.ts';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { GAME_IDS } from '../games/games.ts';
import { headersOption } from '../language/locale-option.ts';
import { anyMoment, MOMENT_FORMS } from '../moment-contract.ts';
import { orNothing } from '../or-nothing.ts';
import { SCAN_DIALECTS, SCAN_FILE_TYPES } from '../scans/files.ts';

const kingdom = z.coerce
  .number()
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(MAX_KINGDOM, `must be ${exact(MAX_KINGDOM)} at most`);

export const importQuery = z.object({
  name: z.string().trim().min(1, 'give the file its name').max(200, 'must have 200 characters at most'),
  kingdom: orNothing(kingdom).describe('The kingdom of rows that do not name one'),
  captured_at: orNothing(anyMoment).describe('When the scan was made; takes precedence over the file'),
});

export const MAX_MAPPED_HEADERS = 1000;

export const importChoice = z.object({
  mapping: z
    .record(z.string().max(210), z.string().max(60).nullable())
    .refine(
      (mapping) => Object.keys(mapping).length <= MAX_MAPPED_HEADERS,
      `must have ${exact(MAX_MAPPED_HEADERS)} entries at most`,
    )
    .optional()
    .describe("Headers and the columns to import them as: a column's key, 'alliance', 'moment', or null to skip them."),
  kingdom: kingdom.nullish(),
  captured_at: z
    .union([anyMoment, z.record(z.string().max(200), anyMoment)], MOMENT_FORMS)
    .nullish()
    .describe(
      'When the scan was made: one time, or a time by name for each of several stages side by side. Taken from the file if null.',
    ),
});
export type ImportChoice = z.infer<typeof importChoice>;

export const importId = z.object({ import_id: z.uuid('is not an import') });
export const scanId = z.object({
  scan_id: z
    .string()
    .min(1)
    .max(60)
    .meta({
      description: 'A scan: `scan_id` of GET /v1/scans.',
      // The literal paths next to it.
      pattern: '^(?!(import|search)$)',
      examples: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
    }),
});

const tag = z.string().trim().min(1).max(30, 'a tag must have 30 characters at most');
export const MAX_TAGS = 12;

export const scanLabels = z.object({
  name: z.string().trim().max(100, 'must have 100 characters at most').optional(),
  tags: z
    .array(tag)
    .max(MAX_TAGS, `must have ${MAX_TAGS} entries at most`)
    .transform((tags) => [...new Set(tags)])
    .optional(),
  note: z.string().max(2000, 'must have 2,000 characters at most').optional(),
});

export const scansQuery = z.object({
  game: orNothing(z.enum(GAME_IDS)),
  kingdom: orNothing(kingdom),
  tag: orNothing(tag),
  search: orNothing(z.string().trim().max(100)),
  origin: orNothing(z.enum(['bought', 'imported'], 'must be bought or imported')),
  before: orNothing(z.string().regex(/^\d{1,15}-.{1,60}$/, 'is not a place in the list')).describe(
    '`next` of the previous page',
  ),
});

export const scanDownload = z.object({
  type: z.enum(SCAN_FILE_TYPES, `must be one of ${SCAN_FILE_TYPES.join(', ')}`),
  dialect: z.enum(SCAN_DIALECTS).default('muster').describe('Whose columns the file has: ours, or those of a tool.'),
  headers: headersOption,
});

export const scanDelete = z.object({
  with: orNothing(z.literal('reports', "must be 'reports'")).describe(
    "'reports' also deletes the reports and fights made from it. Without it, a scan that has any is not deleted.",
  ),
});
