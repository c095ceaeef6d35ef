import { type BoardKind, type Metric, metricOf, metricShown } from '../../../domain/boards/leaderboard.ts';
import { type Day, dayIn } from '../../../domain/days.ts';
import { type GameId, isGameId } from '../../../domain/games/game-names.ts';

/** Search parameters of a board; defaults are omitted. */
export interface BoardSearch {
  game?: GameId;
  type?: string;
  /** From 1. */
  page?: number;
  size?: number;
  sort?: string;
  ascending?: true;
  q?: string;
  /** Day of the board; defaults to the latest. */
  day?: Day;
  kingdom?: number;
  alliance?: string;
  powerFrom?: number;
  powerTo?: number;
  /** Key of the expanded row. */
  row?: string;
}

export const PAGE_SIZES = [25, 50, 100] as const;

/** Default page size: 25 for kingdoms (specification), otherwise 50. */
export const defaultSize = (kind: BoardKind): number => (kind === 'kingdom' ? 25 : 50);

/** Parses search parameters and ignores invalid ones. */
export function boardSearch(search: Record<string, unknown>): BoardSearch {
  const game = isGameId(String(search.game)) && search.game !== 'rok' ? (search.game as GameId) : undefined;
  const by = typeof search.type === 'string' ? metricOf(game ?? 'rok', search.type) : null;
  const type = by === null || by === 'power' ? undefined : String(search.type);
  const page = Number(search.page);
  const size = Number(search.size);
  return {
    game,
    type,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    size: PAGE_SIZES.some((known) => known === size) ? size : undefined,
    sort: typeof search.sort === 'string' ? search.sort : undefined,
    ascending: search.ascending === true || search.ascending === 'true' || undefined,
    q: text(search.q),
    day: dayIn(search.day),
    kingdom: amount(search.kingdom),
    alliance: text(search.alliance),
    powerFrom: amount(search.powerFrom),
    powerTo: amount(search.powerTo),
    row: text(search.row),
  };
}

/** The router parses a tag or key of digits as a number. */
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const metricFrom = (kind: BoardKind, { game = 'rok', type }: BoardSearch): Metric =>
  metricShown(kind, game, type);

type Filters = Pick<BoardSearch, 'kingdom' | 'alliance' | 'powerFrom' | 'powerTo'>;

/** Search parameters without filters. */
export const NO_FILTERS = { kingdom: undefined, alliance: undefined, powerFrom: undefined, powerTo: undefined };

export const isFiltering = ({ kingdom, alliance, powerFrom, powerTo }: Filters): boolean =>
  [kingdom, alliance, powerFrom, powerTo].some((each) => each !== undefined);
