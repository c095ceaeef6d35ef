import * as z from 'zod';
import { GAME_IDS } from '../games/games.ts';

/** Reports what was read from a scan file and what was not, for its owner on a console and on pages. */

/** Problems listed in a report; further ones are only counted. */
export const MAX_REPORTED_PROBLEMS = 50;

export const fileProblem = z.object({
  line: z.number().int().nonnegative().nullable().describe('Starts at 1; null if it concerns the whole file.'),
  column: z.string().max(200).nullable(),
  reason: z.string().max(500),
  dropped: z.boolean().describe('Whether the whole line was skipped.'),
});

export const fileReport = z.object({
  path: z.string().min(1).max(300),
  refused: z
    .string()
    .max(500)
    .nullable()
    .describe('Why the whole file was refused, as a sentence; null if it was not.'),
  dialect: z.string().max(100).nullable(),
  game: z.enum(GAME_IDS).nullable(),
  kingdoms: z.array(z.number().int().positive()).max(200),
  captured_at: z
    .number()
    .int()
    .nullable()
    .describe('When the rows were read in the game, in epoch milliseconds; null if unknown.'),
  rows: z.number().int().nonnegative(),
  dropped: z.number().int().nonnegative(),
  unknown_headers: z.array(z.string().max(200)).max(100),
  problems: z.array(fileProblem).max(MAX_REPORTED_PROBLEMS),
  problem_count: z.number().int().nonnegative(),
});

export type FileReport = z.infer<typeof fileReport>;

/** Files listed per bot folder; a folder may have more. */
export const MAX_REPORTED_FILES = 200;

/** A bot's report about all files of its folder. */
export const folderReport = z.object({
  bot_id: z.string().regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits and . : - _'),
  files: z.array(fileReport).max(MAX_REPORTED_FILES, `must have ${MAX_REPORTED_FILES} entries at most`),
});

/** The latest report of a bot. */
export const folderSeen = z.object({
  group_id: z.string().describe('Id of the group.'),
  files: z.array(fileReport),
  told_at: z.number().int().nullable(),
});
