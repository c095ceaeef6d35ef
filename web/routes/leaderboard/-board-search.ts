import {
  type BoardKind,
  type Metric,
  metricOf,
  metricShown,
  ROWS_PER_PAGE,
} from '../../../domain/boards/leaderboard.ts';
import { dayIn } from '../../../domain/days.ts';
import type { BoardRows } from '../../api/boards.ts';
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

/** Search parameters without filters. */
export const NO_FILTERS = { kingdom: undefined, alliance: undefined, powerFrom: undefined, powerTo: undefined };

export const isFiltering = ({ kingdom, alliance, powerFrom, powerTo }: Filters): boolean =>
  [kingdom, alliance, powerFrom, powerTo].some((each) => each !== undefined);

export interface BoardNeeds extends BoardRows {
  /** The other rows too. */
  all: boolean;
}

/**
 * Returns the board and the rows of it that an address shows: by rank the hundred that its page is part of, in another
 * order only its page.
 */
export function boardNeeds(kind: BoardKind, search: BoardSearch): BoardNeeds {
  const { page = 1, size = defaultSize(kind), sort, ascending = false, game = 'rok', day } = search;
  const all = needsAll(search);
  // All rows are sorted in the browser.
  const order = sort === undefined || all ? undefined : { field: sort, ascending };
  const count = order ? size : ROWS_PER_PAGE;
  const part = all ? 0 : Math.floor(((page - 1) * size) / count);
  return { kind, game, metric: metricFrom(kind, search), day, part, count, order, all };
}
