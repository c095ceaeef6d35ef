import { queryOptions } from '@tanstack/react-query';
import {
  type BoardAnswer,
  type BoardKind,
  type BoardRow,
  type Metric,
  ROWS_PER_PAGE,
  rankingPath,
} from '../../domain/boards/leaderboard.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { API_BASE, dataOf } from './client.ts';

/** A board changes once a day; what was fetched is good for the visit. */
const STALE = 10 * 60_000;

export interface BoardName {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
}

/**
 * Fetched without the typed client's cookies and headers: so the page's head can ask for it first (`preload` in
 * worker/routes/pages.ts), and every visitor gets the same answer from the edge.
 */
const fetchBoard = (
  path: string,
  signal: AbortSignal,
): Promise<{ status: number; json(): Promise<{ success: 1; data: BoardAnswer<BoardRow> }> }> =>
  fetch(`${API_BASE}${path}`, { signal });

const pathOf = ({ kind, game, metric }: BoardName, count: number): string => rankingPath(kind, game, metric, count);

/** The first 100 rows of a board, which are on the screen first. */
export const boardStartQuery = (name: BoardName) =>
  queryOptions({
    queryKey: ['board', name.game, name.kind, name.metric, 'start'],
    queryFn: ({ signal }) => dataOf(fetchBoard(pathOf(name, ROWS_PER_PAGE), signal)),
    staleTime: STALE,
  });

/** Every row of a board: tens of thousands, so not kept long past their screen nor compared with the last answer. */
export const boardQuery = (name: BoardName) =>
  queryOptions({
    queryKey: ['board', name.game, name.kind, name.metric, 'all'],
    queryFn: ({ signal }) => dataOf(fetchBoard(pathOf(name, -1), signal)),
    staleTime: STALE,
    gcTime: 60_000,
    structuralSharing: false,
  });
