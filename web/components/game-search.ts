import { type GameId, isGameId } from '../../domain/games/game-names.ts';
import { CHART_DAYS, type ChartDays } from '../../domain/kingdoms/chart-days.ts';

/** What the address of a governor's or a kingdom's page says beside the id. */
export interface PageSearch {
  game?: GameId;
  days?: ChartDays;
}

/** Reads an address that anyone may have written: what makes no sense is left out. */
export const pageSearch = (search: Record<string, unknown>): PageSearch => ({
  game: isGameId(String(search.game)) && search.game !== 'rok' ? (search.game as GameId) : undefined,
  days: CHART_DAYS.find((days) => days === String(search.days) && days !== '7'),
});

/** The part of an address that names the game; the first one needs no name. */
export const gameSearch = (game: GameId): PageSearch => (game === 'rok' ? {} : { game });
