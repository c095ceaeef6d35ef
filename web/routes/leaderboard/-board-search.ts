import { type BoardKind, type Metric, metricOf, metricShown } from '../../../domain/boards/leaderboard.ts';
import { type Day, dayIn } from '../../../domain/days.ts';
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
  /** The day whose board it is; without one the newest that is shown. */
  day?: Day;
  kingdom?: number;
  alliance?: string;
  powerFrom?: number;
  powerTo?: number;
  /** The key of the row that is open. */
  row?: string;
}

export const PAGE_SIZES = [25, 50, 100] as const;

/** Rows of a page unless the address says otherwise: the specification's 25 for kingdoms, and its 50 for long tables. */
export const defaultSize = (kind: BoardKind): number => (kind === 'kingdom' ? 25 : 50);

/** Reads an address that anyone may have written: what makes no sense is left out. */
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

/** A tag or a key of digits comes as a number. */
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const metricFrom = (kind: BoardKind, { game = 'rok', type }: BoardSearch): Metric =>
  metricShown(kind, game, type);

type Filters = Pick<BoardSearch, 'kingdom' | 'alliance' | 'powerFrom' | 'powerTo'>;

/** What the address says when no filter is at work. */
export const NO_FILTERS = { kingdom: undefined, alliance: undefined, powerFrom: undefined, powerTo: undefined };

export const isFiltering = ({ kingdom, alliance, powerFrom, powerTo }: Filters): boolean =>
  [kingdom, alliance, powerFrom, powerTo].some((each) => each !== undefined);
