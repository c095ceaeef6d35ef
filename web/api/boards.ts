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

/** Boards change once a day. */
const STALE = 10 * 60_000;

export interface BoardName {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  /** The latest board if omitted. */
  day?: Day | undefined;
}

const fetchBoard = (path: string, signal: AbortSignal) => publicData<BoardAnswer<BoardRow>>(path, signal);

const pathOf = ({ kind, game, metric, day }: BoardName, count: number): string =>
  rankingPath(kind, game, metric, count, day);

const keyOf = ({ kind, game, metric, day }: BoardName) => ['board', game, kind, metric, day ?? 'newest'] as const;

/** The first 100 rows of a board, for the first screen. */
export const boardStartQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'start'],
    queryFn: ({ signal }) => fetchBoard(pathOf(name, ROWS_PER_PAGE), signal),
    staleTime: STALE,
  });

/** All rows of a board. They are tens of thousands, so structural sharing is off. */
export const boardQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'all'],
    queryFn: ({ signal }) => fetchBoard(pathOf(name, -1), signal),
    staleTime: STALE,
    structuralSharing: false,
  });

/** Days with a board, newest first. */
export const boardDaysQuery = ({ kind, game }: Pick<BoardName, 'kind' | 'game'>) =>
  queryOptions({
    queryKey: ['board days', game, kind],
    queryFn: async ({ signal }) =>
      (await publicData<{ days: Day[] }>(`/v1/${kind}/rankings/${game}/days`, signal)).days,
    staleTime: STALE,
  });

/** History of the row at a place of a day's board. */
export const rowDaysQuery = ({ kind, game, metric }: BoardName, place: number, day: Day) =>
  queryOptions({
    queryKey: ['board row', game, kind, metric, day, place],
    queryFn: async ({ signal }) =>
      (await publicData<{ days: RowDay[] }>(rowDaysPath(kind, game, metric, place, day), signal)).days,
    staleTime: STALE,
  });
