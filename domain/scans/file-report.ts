import * as z from 'zod';
import { GAME_IDS } from '../games/games.ts';

/** What was taken of a scan file and what was not: for whoever put it there, on a console and on pages. */

/** Problems that a report carries; more are only counted. */
export const MAX_REPORTED_PROBLEMS = 50;

export const fileProblem = z.object({
  line: z.number().int().nonnegative().nullable().describe('From 1; null where it is of the whole file.'),
  column: z.string().max(200).nullable(),
  reason: z.string().max(500),
  dropped: z.boolean().describe('The line was not taken at all.'),
});

export const fileReport = z.object({
  path: z.string().min(1).max(300),
  refused: z
    .string()
    .max(500)
    .nullable()
    .describe('Why nothing of the file was taken, as a sentence; null where something was.'),
  dialect: z.string().max(100).nullable(),
  game: z.enum(GAME_IDS).nullable(),
  kingdoms: z.array(z.number().int().positive()).max(200),
  captured_at: z
    .number()
    .int()
    .nullable()
    .describe('When the rows were read in the game, in epoch milliseconds; null if nobody said.'),
  rows: z.number().int().nonnegative(),
  dropped: z.number().int().nonnegative(),
  unknown_headers: z.array(z.string().max(200)).max(100),
  problems: z.array(fileProblem).max(MAX_REPORTED_PROBLEMS),
  problem_count: z.number().int().nonnegative(),
});

export type FileReport = z.infer<typeof fileReport>;

/** Files of a bot's folder that are told; a folder may have more. */
export const MAX_REPORTED_FILES = 200;

/** What a bot that reads a folder of files tells of all of them at once. */
export const folderReport = z.object({
  bot_id: z.string().regex(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits and . : - _'),
  files: z.array(fileReport).max(MAX_REPORTED_FILES, `must have ${MAX_REPORTED_FILES} entries at most`),
});

/** What admins see of a bot's folder. */
export const folderSeen = z.object({ files: z.array(fileReport), told_at: z.number().int().nullable() });
