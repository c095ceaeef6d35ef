import type { BoardKind, Metric } from '../../../domain/boards/leaderboard.ts';
import { metricOf } from '../../../domain/boards/leaderboard.ts';
import { type GameId, isGameId } from '../../../domain/games/game-names.ts';

/** What the address says of a board: which one, and how it is looked at. Defaults are left out. */
export interface BoardSearch {
  game?: GameId;
  type?: string;
  /** From 1. */
  page?: number;
  size?: number;
  sort?: string;
  ascending?: true;
  q?: string;
}

export const PAGE_SIZES = [25, 50, 100] as const;

/** Rows of a page unless the address says otherwise: the specification's 25 for kingdoms. */
export const defaultSize = (kind: BoardKind): number => (kind === 'kingdom' ? 25 : 100);

/** Reads an address that anyone may have written: what makes no sense is left out. */
export function boardSearch(search: Record<string, unknown>): BoardSearch {
  const game = isGameId(String(search.game)) && search.game !== 'rok' ? (search.game as GameId) : undefined;
  const type =
    typeof search.type === 'string' && metricOf(game ?? 'rok', search.type) === 'score' ? search.type : undefined;
  const page = Number(search.page);
  const size = Number(search.size);
  return {
    game,
    type,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    size: PAGE_SIZES.some((known) => known === size) ? size : undefined,
    sort: typeof search.sort === 'string' ? search.sort : undefined,
    ascending: search.ascending === true || search.ascending === 'true' || undefined,
    q: search.q === undefined || search.q === '' ? undefined : String(search.q),
  };
}

export const metricFrom = ({ game = 'rok', type }: BoardSearch): Metric => metricOf(game, type ?? 'power') ?? 'power';
