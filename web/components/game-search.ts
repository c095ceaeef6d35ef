import { type GameId, isGameId } from '../../domain/games/game-names.ts';

/** Days that a chart may show; more than the first for who bought the history. */
export const CHART_DAYS = ['7', '30', '90'] as const;
export type ChartDays = (typeof CHART_DAYS)[number];

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
