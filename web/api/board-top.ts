import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import { type BoardKind, type Metric, rankingPath, SLICE_SIZES } from '../../domain/boards/leaderboard.ts';
import type { BoardAnswer, BoardRow } from '../../domain/boards/rows.ts';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { publicData } from './client.ts';

/** The part of the boards' calls that the home page needs too. */

/** Boards change once a day. */
export const STALE = 10 * 60_000;

export interface BoardName {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  /** The latest board if omitted. */
  day?: Day | undefined;
}

export const fetchBoard = (path: string, context: Pick<QueryFunctionContext, 'signal' | 'meta'>) =>
  publicData<BoardAnswer<BoardRow>>(path, context);

export const keyOf = ({ kind, game, metric, day }: BoardName) =>
  ['board', game, kind, metric, day ?? 'newest'] as const;

/** The first rows of a board, for short lists. */
export const boardTopQuery = (name: BoardName) =>
  queryOptions({
    queryKey: [...keyOf(name), 'top'],
    queryFn: (context) =>
      fetchBoard(rankingPath(name.kind, name.game, name.metric, { count: SLICE_SIZES[0] }), context),
    staleTime: STALE,
  });
