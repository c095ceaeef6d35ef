import { GAMES } from '../games/games.ts';
import type { FileReport } from './file-report.ts';

const listed = (items: readonly (string | number)[], most: number): string =>
  `${items.slice(0, most).join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;

/** Formats a report as lines of text: the file first, then its problems. */
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
