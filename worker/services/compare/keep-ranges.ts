import type * as z from 'zod';
import type { fightPayload, ReportPayload } from '../../../domain/compare/contract.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { addFight, MAX_FIGHTS } from '../../models/compare/fights.ts';
import { addReport, changeReport, MAX_REPORTS } from '../../models/compare/reports.ts';
import { gameOfRanges } from './load-ranges.ts';

/** Returns the game of a report's scans, which must be its owner's. Refuses weights of figures that the game lacks. */
async function gameOf(db: Db, userId: string, { ranges, settings }: ReportPayload): Promise<GameId> {
  const game = await gameOfRanges(db, userId, ranges);
  const odd = Object.keys(settings.weights).find(
    (key) => !GAMES[game].columns.some((column) => column.key === key && !column.ident && column.type !== 'text'),
  );
  if (odd !== undefined)
    throw new Refusal(
      'invalid',
      sentence('is not a figure of {game}.', { game: GAMES[game].name }, `settings.weights.${odd}`),
    );
  return game;
}

/** Saves a comparison as a report and returns its id. */
export async function keepReport(db: Db, userId: string, payload: ReportPayload): Promise<string> {
  const id = await addReport(db, userId, await gameOf(db, userId, payload), payload);
  if (!id)
    throw new Refusal(
      'too_large',
      sentence('An account keeps {count} reports at most: delete some first.', { count: MAX_REPORTS }),
    );
  return id;
}

/** Replaces a report's comparison. @throws Refusal not_found if the report is not the user's. */
export async function replaceReport(db: Db, userId: string, id: string, payload: ReportPayload): Promise<void> {
  if (!(await changeReport(db, userId, id, await gameOf(db, userId, payload), payload))) throw notFound('report');
}

/** Saves a time range of a user's scans as a named fight and returns its id. */
export async function keepFight(
  db: Db,
  userId: string,
  { name, from, to }: z.output<typeof fightPayload>,
): Promise<string> {
  const game = await gameOfRanges(db, userId, [{ from, to }]);
  const id = await addFight(db, userId, { game, name, from, to });
  if (!id)
    throw new Refusal(
      'too_large',
      sentence('An account keeps {count} fights at most: delete some first.', { count: MAX_FIGHTS }),
    );
  return id;
}
