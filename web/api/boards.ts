import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import {
  type BoardKind,
  type Metric,
  ROWS_PER_PAGE,
  rankingPath,
  rowDaysPath,
  SLICE_SIZES,
} from '../../domain/boards/leaderboard.ts';
import type { BoardAnswer, BoardRow, RowDay } from '../../domain/boards/rows.ts';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { ApiError, publicData } from './client.ts';

/** Boards change once a day. */
const STALE = 10 * 60_000;

export interface BoardName {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  /** The latest board if omitted. */
  day?: Day | undefined;
}

const fetchBoard = (path: string, context: Pick<QueryFunctionContext, 'signal' | 'meta'>) =>
  publicData<BoardAnswer<BoardRow>>(path, context);

const keyOf = ({ kind, game, metric, day }: BoardName) => ['board', game, kind, metric, day ?? 'newest'] as const;

/** A hundred rows of a board, and how many are before them. */
export interface BoardPart extends BoardAnswer<BoardRow> {
  before: number;
}

/** A hundred rows of a board by rank; `part` counts from 0. The last ones, if the board has fewer parts. */
export const boardPartQuery = (name: BoardName, part = 0) =>
  queryOptions({
    queryKey: [...keyOf(name), part],
    queryFn: async (context): Promise<BoardPart> => {
      const fetchPart = async (page: number) => {
        const path = rankingPath(name.kind, name.game, name.metric, { count: ROWS_PER_PAGE, page, day: name.day });
        return { ...(await fetchBoard(path, context)), before: page * ROWS_PER_PAGE };
      };
      try {
        return await fetchPart(part);
      } catch (error) {
        if (part === 0 || !(error instanceof ApiError && error.status === 400)) throw error;
        const first = await fetchPart(0);
        const last = Math.ceil(first.info.total / ROWS_PER_PAGE) - 1;
        return last > 0 ? fetchPart(last) : first;
      }
    },
    staleTime: STALE,
  });

/** The first rows of a board, for short lists. */
export const boardTopQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'top'],
    queryFn: (context) =>
      fetchBoard(rankingPath(name.kind, name.game, name.metric, { count: SLICE_SIZES[0] }), context),
    staleTime: STALE,
  });

/** All rows of a board. They are tens of thousands, so structural sharing is off. */
export const boardQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'all'],
    queryFn: (context) =>
      fetchBoard(rankingPath(name.kind, name.game, name.metric, { count: -1, day: name.day }), context),
    staleTime: STALE,
    structuralSharing: false,
  });

/** Days with a board, newest first. */
export const boardDaysQuery = ({ kind, game }: Pick<BoardName, 'kind' | 'game'>) =>
  queryOptions({
    queryKey: ['board days', game, kind],
    queryFn: async (context) => (await publicData<{ days: Day[] }>(`/v1/${kind}/rankings/${game}/days`, context)).days,
    staleTime: STALE,
  });

/** History of the row at a place of a day's board. */
export const rowDaysQuery = ({ kind, game, metric }: BoardName, place: number, day: Day) =>
  queryOptions({
    queryKey: ['board row', game, kind, metric, day, place],
    queryFn: async (context) =>
      (await publicData<{ days: RowDay[] }>(rowDaysPath(kind, game, metric, place, day), context)).days,
    staleTime: STALE,
  });
