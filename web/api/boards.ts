import { queryOptions } from '@tanstack/react-query';
import {
  type BoardKind,
  type Metric,
  ROWS_PER_PAGE,
  rankingPath,
  rowDaysPath,
} from '../../domain/boards/leaderboard.ts';
import type { BoardAnswer, BoardRow, RowDay } from '../../domain/boards/rows.ts';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { publicData } from './client.ts';

/** A board changes once a day; what was fetched is good for the visit. */
const STALE = 10 * 60_000;

export interface BoardName {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  /** Without one the newest that is shown. */
  day?: Day | undefined;
}

const fetchBoard = (path: string, signal: AbortSignal) => publicData<BoardAnswer<BoardRow>>(path, signal);

const pathOf = ({ kind, game, metric, day }: BoardName, count: number): string =>
  rankingPath(kind, game, metric, count, day);

const keyOf = ({ kind, game, metric, day }: BoardName) => ['board', game, kind, metric, day ?? 'newest'] as const;

/** The first 100 rows of a board, which are on the screen first. */
export const boardStartQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'start'],
    queryFn: ({ signal }) => fetchBoard(pathOf(name, ROWS_PER_PAGE), signal),
    staleTime: STALE,
  });

/** Every row of a board: tens of thousands, so not compared with the last answer, and kept as long as Back may lead to it. */
export const boardQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'all'],
    queryFn: ({ signal }) => fetchBoard(pathOf(name, -1), signal),
    staleTime: STALE,
    structuralSharing: false,
  });

/** The days whose boards are kept, newest first. */
export const boardDaysQuery = ({ kind, game }: Pick<BoardName, 'kind' | 'game'>) =>
  queryOptions({
    queryKey: ['board days', game, kind],
    queryFn: async ({ signal }) =>
      (await publicData<{ days: Day[] }>(`/v1/${kind}/rankings/${game}/days`, signal)).days,
    staleTime: STALE,
  });

/** The row at a place of the board of a day, over the days kept before it. */
export const rowDaysQuery = ({ kind, game, metric }: BoardName, place: number, day: Day) =>
  queryOptions({
    queryKey: ['board row', game, kind, metric, day, place],
    queryFn: async ({ signal }) =>
      (await publicData<{ days: RowDay[] }>(rowDaysPath(kind, game, metric, place, day), signal)).days,
    staleTime: STALE,
  });
