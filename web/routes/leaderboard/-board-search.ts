import {
  type BoardKind,
  type BoardOrder,
  type Metric,
  metricOf,
  metricShown,
  ROWS_PER_PAGE,
} from '../../../domain/boards/leaderboard.ts';
import { dayIn } from '../../../domain/days.ts';
import type { BoardName } from '../../api/board-top.ts';
import { oneOf, otherGame, searchReader, TABLE, text, wholeFrom } from '../../search-params.ts';

export const PAGE_SIZES = [25, 50, 100] as const;

/** Default page size: 25 for kingdoms (specification), otherwise 50. */
export const defaultSize = (kind: BoardKind): number => (kind === 'kingdom' ? 25 : 50);

const read = searchReader({
  ...TABLE,
  game: otherGame,
  type: text,
  size: oneOf<number>(PAGE_SIZES),
  /** Day of the board; defaults to the latest. */
  day: dayIn,
  kingdom: wholeFrom(0),
  alliance: text,
  powerFrom: wholeFrom(0),
  powerTo: wholeFrom(0),
  /** Key of the expanded row. */
  row: text,
});

export type BoardSearch = ReturnType<typeof read>;

/** Parses the search parameters of a board. Its type must exist in its game; power is omitted. */
export function boardSearch(search: Record<string, unknown>): BoardSearch {
  const { type, ...others } = read(search);
  const metric = type === undefined ? null : metricOf(others.game ?? 'rok', type);
  return { ...others, type: metric === null || metric === 'power' ? undefined : type };
}

export const metricFrom = (kind: BoardKind, { game = 'rok', type }: BoardSearch): Metric =>
  metricShown(kind, game, type);

type Filters = Pick<BoardSearch, 'kingdom' | 'alliance' | 'powerFrom' | 'powerTo'>;

/** Returns whether a page needs all rows of a board. */
export const needsAll = (search: BoardSearch): boolean => search.q !== undefined || isFiltering(search);

/** Returns which hundred rows of the board a page is part of, from 0. */
const partOf = (kind: BoardKind, search: BoardSearch): number =>
  needsAll(search) ? 0 : Math.floor((((search.page ?? 1) - 1) * (search.size ?? defaultSize(kind))) / ROWS_PER_PAGE);

/** Search parameters without filters. */
export const NO_FILTERS = { kingdom: undefined, alliance: undefined, powerFrom: undefined, powerTo: undefined };

export const isFiltering = ({ kingdom, alliance, powerFrom, powerTo }: Filters): boolean =>
  [kingdom, alliance, powerFrom, powerTo].some((each) => each !== undefined);

export interface BoardNeeds extends BoardName {
  part: number;
  /** By rank if omitted. */
  order: BoardOrder | undefined;
  /** The other rows too. */
  all: boolean;
}

/** Returns the board and the rows of it that an address shows. */
export const boardNeeds = (kind: BoardKind, search: BoardSearch): BoardNeeds => ({
  kind,
  game: search.game ?? 'rok',
  metric: metricFrom(kind, search),
  day: search.day,
  part: partOf(kind, search),
  // All rows are sorted in the browser.
  order:
    search.sort === undefined || needsAll(search)
      ? undefined
      : { field: search.sort, ascending: search.ascending === true },
  all: needsAll(search),
});
