import type { GameId } from '../games/games.ts';
import { t } from '../language/text.ts';
import type { Clash } from './row-moments.ts';

/** Why a line of a scan file is left out, or read otherwise than it says, in the current language. */

export const noId = (game: GameId): string =>
  t('{game, select, cod {No lord id; the line is left out.} other {No governor id; the line is left out.}}', { game });

export const noPower = (game: GameId, id: number): string =>
  t(
    '{game, select, cod {No power of lord {id}; the line is left out.} other {No power of governor {id}; the line is left out.}}',
    { game, id },
  );

export const noKingdom = (game: GameId): string =>
  t(
    '{game, select, cod {No server is named; the line is left out.} other {No kingdom is named; the line is left out.}}',
    { game },
  );

export const otherKingdom = (game: GameId, own: number, given: number): string =>
  t(
    '{game, select, cod {The row is of server {own}, the file says {given}; the row counts.} other {The row is of kingdom {own}, the file says {given}; the row counts.}}',
    { game, own, given },
  );

/** `line` is the line that counts. */
export const repeated = (id: number, line: number, hasOtherFigures: boolean): string =>
  hasOtherFigures
    ? t('{id} appears twice with different figures: line {line} counts, this one is left out.', { id, line })
    : t('{id} appears twice: line {line} counts, this one is left out.', { id, line });

/** Returns why a file with such a clash is refused; null if only the line is left out. */
export function clashed({ line: first, why }: Clash, line: number, game: GameId, id: number): string | null {
  if (why === 'same') return null;
  const values = { game, first, line, id };
  return why === 'unclear'
    ? t(
        '{game, select, cod {Lines {first} and {line} are about the same lord ({id}), and not every line has a clear day. Write days as 2026-01-31.} other {Lines {first} and {line} are about the same governor ({id}), and not every line has a clear day. Write days as 2026-01-31.}}',
        values,
      )
    : t(
        '{game, select, cod {Line {line} has another time than line {first} of the same lord ({id}): put each time into a file of its own.} other {Line {line} has another time than line {first} of the same governor ({id}): put each time into a file of its own.}}',
        values,
      );
}
