import * as z from 'zod';
import { GAME_IDS, GAMES } from '../games/games.ts';

/** What was taken of a scan file and what was not: for whoever put it there, on a console and on pages. */

/** Problems that a report carries; more are only counted. */
export const MAX_REPORTED_PROBLEMS = 50;

export const fileProblem = z.object({
  /** From 1; null where it is of the whole file. */
  line: z.number().int().nonnegative().nullable(),
  column: z.string().max(200).nullable(),
  reason: z.string().max(500),
  /** The line was not taken at all. */
  dropped: z.boolean(),
});

export const fileReport = z.object({
  path: z.string().min(1).max(300),
  /** Why nothing of the file was taken, as a sentence; null where something was. */
  refused: z.string().max(500).nullable(),
  dialect: z.string().max(100).nullable(),
  game: z.enum(GAME_IDS).nullable(),
  kingdoms: z.array(z.number().int().positive()).max(200),
  /** Epoch milliseconds. */
  captured_at: z.number().int().nullable(),
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
  files: z.array(fileReport).max(MAX_REPORTED_FILES, `must be ${MAX_REPORTED_FILES} at most`),
});

/** What admins see of a bot's folder. */
export const folderSeen = z.object({ files: z.array(fileReport), told_at: z.number().int().nullable() });

const listed = (items: readonly (string | number)[], most: number): string =>
  `${items.slice(0, most).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;

/** A report as lines of text: the file in one, then what was not understood. */
export function reportLines(report: FileReport): string[] {
  const { path, refused, dialect, game, kingdoms, captured_at, rows, dropped } = report;
  if (refused !== null) return [`${path}: not read. ${refused}`];
  const noun = game ? GAMES[game].kingdom : { one: 'kingdom', many: 'kingdoms' };
  const places =
    kingdoms.length === 0
      ? `no ${noun.one} named`
      : `${kingdoms.length === 1 ? noun.one : noun.many} ${listed(kingdoms, 8)}`;
  const moment = captured_at === null ? 'no moment' : `${new Date(captured_at).toISOString().slice(0, 16)}Z`;
  const headers = report.unknown_headers.length > 0 ? [`  unknown headers: ${listed(report.unknown_headers, 20)}`] : [];
  const problems = report.problems.map(
    ({ line, column, reason }) => `  ${line === null ? '' : `line ${line}: `}${column ? `${column}: ` : ''}${reason}`,
  );
  const more = report.problem_count - report.problems.length;
  return [
    `${path}: ${dialect}, ${places}, ${moment}, ${rows} rows taken, ${dropped} dropped`,
    ...headers,
    ...problems,
    ...(more > 0 ? [`  and ${more} more like these`] : []),
  ];
}
