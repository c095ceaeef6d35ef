import { queryOptions } from '@tanstack/react-query';
import { type BoardOrder, orderIn, ROWS_PER_PAGE, rankingPath, rowDaysPath } from '../../domain/boards/leaderboard.ts';
import type { BoardAnswer, BoardRow, RowDay } from '../../domain/boards/rows.ts';
import type { Day } from '../../domain/days.ts';
import { locale } from '../../domain/language/current.ts';
import { type BoardName, fetchBoard, keyOf, STALE } from './board-top.ts';
import { ApiError, publicData } from './client.ts';

/** Some rows of a board: the `part`th `count` ones, from 0, by rank if `order` is omitted. */
export interface BoardRows extends BoardName {
  part?: number;
  count?: number;
  order?: BoardOrder | undefined;
}

/** Returns an order whose names are in the order of the page's language. */
const ownOrder = (order: BoardOrder | undefined): BoardOrder | undefined => order && orderIn(order, locale());

/** Returns the API path of some rows. */
export const rowsPath = ({ kind, game, metric, day, part = 0, count = ROWS_PER_PAGE, order }: BoardRows): string =>
  rankingPath(kind, game, metric, { count, page: part, day, order: ownOrder(order) });

/** Rows of a board, and how many are before them. */
export interface BoardPart extends BoardAnswer<BoardRow> {
  before: number;
}

/** Some rows of a board. The last ones, if the board has fewer parts. By rank, if it has no such order. */
export const boardPartQuery = (rows: BoardRows) => {
  const { part = 0, count = ROWS_PER_PAGE } = rows;
  const order = ownOrder(rows.order);
  return queryOptions({
    queryKey: [...keyOf(rows), part, count, ...(order ? Object.values(order) : [])],
    queryFn: async (context): Promise<BoardPart> => {
      const fetchPart = async (page: number, by?: BoardOrder): Promise<BoardPart> => ({
        ...(await fetchBoard(rowsPath({ ...rows, part: page, order: by }), context)),
        before: page * count,
      });
      const nearestPart = async (page: number, by?: BoardOrder): Promise<BoardPart> => {
        try {
          return await fetchPart(page, by);
        } catch (error) {
          if ((page === 0 && !by) || !(error instanceof ApiError && error.status === 400)) throw error;
          const first = await fetchPart(0);
          const last = Math.max(0, Math.ceil(first.info.total / count) - 1);
          if (page > last) return nearestPart(last, by);
          return page === 0 ? first : fetchPart(page);
        }
      };
      return nearestPart(part, order);
    },
    staleTime: STALE,
  });
};

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
