import { type GameId, isGameId } from '../../domain/games/game-names.ts';
import { CHART_DAYS, type ChartDays } from '../../domain/kingdoms/chart-days.ts';

/** Search parameters of a governor or kingdom page. */
export interface PageSearch {
  game?: GameId;
  days?: ChartDays;
}

/** Parses search parameters and ignores invalid ones. */
export const pageSearch = (search: Record<string, unknown>): PageSearch => ({
  game: isGameId(String(search.game)) && search.game !== 'rok' ? (search.game as GameId) : undefined,
  days: CHART_DAYS.find((days) => days === String(search.days) && days !== '7'),
});

/** Search parameters that select a game; the default game is omitted. */
export const gameSearch = (game: GameId): PageSearch => (game === 'rok' ? {} : { game });
