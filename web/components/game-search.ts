import type { GameId } from '../../domain/games/game-names.ts';
import { CHART_DAYS } from '../../domain/kingdoms/chart-days.ts';
import { oneOf, otherGame, searchReader } from '../search-params.ts';

/** Parses the search parameters of a governor or kingdom page. */
export const pageSearch = searchReader({
  game: otherGame,
  days: (value) => oneOf(CHART_DAYS)(value === '7' || value === 7 ? undefined : value),
});

/** Parses the game of a public profile. */
export const profileSearch = searchReader({ game: otherGame });

export type PageSearch = ReturnType<typeof pageSearch>;

/** Search parameters that select a game; the default game is omitted. */
export const gameSearch = (game: GameId): PageSearch => (game === 'rok' ? {} : { game });
