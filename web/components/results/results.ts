import { type Column, type ColumnType, GAME_IDS, GAMES, type Game } from '../../../domain/games/games.ts';
import { type Layout, layoutOf } from '../../../domain/scans/layouts.ts';
import { orderOf, ranksOf } from '../../../domain/scans/order.ts';
import { doubtedIn, type Figure, QUALITIES, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { inOrder } from '../../collate.ts';
import { capital } from '../../format.ts';
import { type IdleWork, idleWork } from '../../idle-work.ts';
import { knownPlacesOf, madeInSteps } from '../../table/in-steps.ts';

/** A column that results can be looked at by, whatever each game calls it. */
export interface ResultColumn {
  /** In addresses: the part that the column plays in every game, otherwise its key. */
  id: string;
  title: string;
  /** The title in full where it is short. */
  about: string;
  type: ColumnType;
}

/** What a role of a column is called above it. */
const TITLES: Readonly<Record<string, (game: Game) => [title: string, about?: string]>> = {
  id: () => ['ID'],
  tag: () => ['Alliance'],
  kingdom: ({ kingdom }) => [`${capital(kingdom.one)} ID`],
  score: ({ score }) => [score],
  hall: ({ hall }) => [hall.short, hall.title],
  deads: () => ['Deads'],
};
const ROLES = ['id', 'tag', 'kingdom', 'name', 'power', 'score', 'hall', 'deads'] as const;
const TIERS = ['t1', 't2', 't3', 't4', 't5'] as const;

/**
 * The specification's columns (section 2, Order results), the kingdom's where there are several, and of histories what
 * their rows are told apart by.
 */
export const DEFAULT_COLUMNS: readonly string[] = ['day', 'rank', ...ROLES, ...TIERS];

/** The place by power, which no scan has to say: what a table of one moment begins with. */
const RANK: ResultColumn = { id: 'rank', title: '#', about: 'Rank by power', type: 'integer' };

/** What a verdict on a row calls the figures of these columns; other columns go by their keys. */
const FIGURES: Readonly<Record<string, Figure>> = {
  power: 'power',
  score: 'score',
  deads: 'deads',
  hall: 'hall',
  [GAMES.cod.allKills ?? '']: 'tiers',
  ...Object.fromEntries(TIERS.map((tier) => [tier, 'tiers'])),
};

/** True where what stands in that column of the row does not count. */
export const isDoubted = (row: Row, id: string): boolean => doubtsOf(row).includes(FIGURES[id] ?? id);

/** The figures of a row that do not count. */
export const doubtsOf = (row: Row): readonly string[] => doubtedIn(row.doubted as string | null | undefined);

const keysById = (game: Game): Map<string, string> =>
  new Map([
    ...ROLES.map((role) => [role, game.roles[role]] as const),
    ...TIERS.map((tier, index) => [tier, game.roles.tiers[index] ?? tier] as const),
  ]);
const KEYS = { rok: keysById(GAMES.rok), cod: keysById(GAMES.cod) };
const IDS = {
  rok: new Map([...KEYS.rok].map(([id, key]) => [key, id])),
  cod: new Map([...KEYS.cod].map(([id, key]) => [key, id])),
};

function resultColumn(game: Game, column: Column): ResultColumn {
  const id = IDS[game.id].get(column.key) ?? column.key;
  const tier = (TIERS as readonly string[]).includes(id);
  const [title, about = title] = TITLES[id]?.(game) ?? (tier ? [id.toUpperCase(), column.title] : [column.title]);
  return { id, title, about, type: column.type };
}

/** The game that a row is of. Rows of both have the columns of both, empty where they are the other's. */
export const gameOf = (row: Row): Game => GAMES[GAME_IDS.find((id) => row[GAMES[id].roles.id] != null) ?? 'rok'];

/** What a row's columns are: those of a moment, or of a day among several. */
const layoutFor = (row: Row, game: Game): Layout =>
  layoutOf({ game: game.id, kind: row.day == null ? 'scan' : 'history' });

/** What stands in a row, null where it is unknown: it shows as '?'. */
export function cellIn(row: Row, id: string): string | number | null {
  const game = gameOf(row);
  const value = row[KEYS[game.id].get(id) ?? id];
  return value === undefined || value === '' ? null : value;
}

/** What only a profile tells, of the columns that every row comes with. */
const READ = ['score', 'deads', 'hall', ...TIERS, 'highest_power'] as const;

/** How well a row was read: the server's mark on it, or what it is without one. */
export const qualityOf = (row: Row): Quality =>
  QUALITIES.find((quality) => quality === row.quality) ??
  (READ.some((id) => cellIn(row, id) !== null) ? 'ok' : 'listed');

/** What the search finds a row by. */
const searchedIn = (row: Row): string =>
  `${cellIn(row, 'name') ?? ''}\n${cellIn(row, 'tag') ?? ''}\n${cellIn(row, 'id') ?? ''}`.toLowerCase();

/**
 * Rows of the wire, and beside them column by column what filters, sums and orders go through: typed arrays, made when
 * they are first asked for, so that thousands of rows pass between two frames.
 */
export class Results {
  readonly game: Game;
  readonly columns: readonly ResultColumn[];
  readonly qualities: readonly Quality[];
  /** The figures of each row that do not count. */
  readonly doubts: readonly (readonly string[])[];
  /** What the search looks through. */
  readonly searched: IdleWork<readonly string[]>;
  /** What the page will be asked for and takes long to make: it is made while nobody waits. */
  readonly ahead: readonly IdleWork<unknown>[];
  readonly #numbers = new Map<string, Float64Array>();
  readonly #texts = new Map<string, readonly string[]>();
  readonly #words = new Map<string, IdleWork<Float64Array>>();
  readonly #orders = new Map<string, Uint32Array>();
  #rankOf: ReadonlyMap<Row, number> | undefined;

  readonly rows: readonly Row[];

  constructor(game: Game, rows: readonly Row[]) {
    this.game = game;
    this.rows = rows;
    const layout = layoutFor(rows[0] ?? {}, game);
    const columns = layout.columns.filter(({ ours }) => !ours).map((column) => resultColumn(game, column));
    this.columns = layout.day === null ? [RANK, ...columns] : columns;
    this.qualities = rows.map(qualityOf);
    this.doubts = rows.map(doubtsOf);
    this.searched = idleWork(madeInSteps(rows.length, (row) => searchedIn(rows[row] as Row)));
    this.ahead = [this.searched, this.#places('name'), this.#places('tag')];
  }

  /** The figures of a column in the order of the rows; NaN where one is unknown. */
  numbers(id: string): Float64Array {
    return kept(this.#numbers, id, () =>
      id === RANK.id && this.columns.includes(RANK)
        ? this.#ranks()
        : Float64Array.from(this.rows, (row) => Number(cellIn(row, id) ?? Number.NaN)),
    );
  }

  /** What stands in a column of one of the rows; null where it is unknown. */
  cell(row: Row, id: string): string | number | null {
    if (id !== RANK.id || !this.columns.includes(RANK)) return cellIn(row, id);
    this.#rankOf ??= new Map(this.rows.map((each, index) => [each, this.numbers(RANK.id)[index] as number]));
    const rank = this.#rankOf.get(row);
    return rank === undefined || Number.isNaN(rank) ? null : rank;
  }

  /** Places by power among all rows. A power in doubt ranks nobody. */
  #ranks(): Float64Array {
    const powers = this.numbers('power').map((power, row) =>
      this.doubts[row]?.includes('power') ? Number.NaN : power,
    );
    return Float64Array.from(ranksOf(powers), (rank) => rank || Number.NaN);
  }

  /** The words of a column in the order of the rows, empty where there are none. */
  texts(id: string): readonly string[] {
    return kept(this.#texts, id, () => this.rows.map((row) => String(cellIn(row, id) ?? '')));
  }

  /**
   * All rows in the order of a column, made once: a search or a filter only picks from it. What is unknown comes last
   * either way, equal ones keep their order.
   */
  order(id: string, ascending: boolean): Uint32Array {
    return kept(this.#orders, `${id} ${ascending}`, () =>
      orderOf(
        this.columns.some((column) => column.id === id && column.type === 'text')
          ? this.#places(id).get()
          : this.numbers(id),
        ascending,
      ),
    );
  }

  /** The place of each row's word in a column among all of them. */
  #places(id: string): IdleWork<Float64Array> {
    return kept(this.#words, id, () => idleWork(this.#wordsInOrder(id)));
  }

  *#wordsInOrder(id: string) {
    return yield* knownPlacesOf(this.texts(id));
  }

  /** True where some row has a value in the column. */
  has(id: string): boolean {
    return this.rows.some((row) => this.cell(row, id) !== null);
  }
}

function kept<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make();
  cache.set(key, made);
  return made;
}

// --- Which rows, in which order: numbers of rows ---------------------------------------------------------------------

export interface Filters {
  /** Tags; the empty one stands for those without an alliance. */
  alliances?: string[] | undefined;
  hallFrom?: number | undefined;
  hallTo?: number | undefined;
  powerFrom?: number | undefined;
  powerTo?: number | undefined;
  /** Only rows of bad quality. */
  flawed?: true | undefined;
}

/** True where some filter leaves rows out. */
export const isFiltering = (filters: Filters): boolean =>
  [filters.hallFrom, filters.hallTo, filters.powerFrom, filters.powerTo, filters.flawed].some(
    (each) => each !== undefined,
  ) || (filters.alliances?.length ?? 0) > 0;

const isFlawed = (quality: Quality | undefined): boolean => quality !== 'ok' && quality !== 'listed';

/** The rows that pass every filter. An unknown hall passes no range of halls. */
export function passing(results: Results, filters: Filters): Uint32Array {
  const all = Uint32Array.from(results.rows.keys());
  if (!isFiltering(filters)) return all;
  const wanted = new Set(filters.alliances);
  const tests: ((row: number) => boolean)[] = [];
  if (wanted.size > 0) {
    const tags = results.texts('tag');
    tests.push((row) => wanted.has(tags[row] ?? ''));
  }
  const ranges = [
    ['hall', filters.hallFrom, filters.hallTo],
    ['power', filters.powerFrom, filters.powerTo],
  ] as const;
  for (const [id, from = -Infinity, to = Infinity] of ranges) {
    if (from === -Infinity && to === Infinity) continue;
    const numbers = results.numbers(id);
    tests.push((row) => (numbers[row] as number) >= from && (numbers[row] as number) <= to);
  }
  if (filters.flawed) tests.push((row) => isFlawed(results.qualities[row]));
  return all.filter((row) => tests.every((test) => test(row)));
}

/** The rows that sums are of: those of the last day where rows are of several. */
export function lastOf(results: Results, rows: Uint32Array): Uint32Array {
  const days = results.texts('day');
  let last = '';
  for (const row of rows) {
    const day = days[row] ?? '';
    if (day > last) last = day;
  }
  return last === '' ? rows : rows.filter((row) => days[row] === last);
}

/** The rows whose name, tag or id holds what is looked for; all of them for nothing. */
export function matching(results: Results, rows: Uint32Array, query: string): Uint32Array {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return rows;
  const texts = results.searched.get();
  return rows.filter((row) => texts[row]?.includes(wanted));
}

/** The rows in the order of a column; what is unknown comes last either way, equal ones keep their order. */
export function ordered(results: Results, rows: Uint32Array, id: string, ascending: boolean): Uint32Array {
  const all = results.order(id, ascending);
  if (rows.length === all.length) return all;
  const wanted = new Uint8Array(all.length);
  for (const row of rows) wanted[row] = 1;
  return all.filter((row) => wanted[row] === 1);
}

/** The alliances of all rows and how many have each, the largest first; the empty tag is no alliance. */
export function alliancesOf(results: Results): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of results.texts('tag')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => Number(a.tag === '') - Number(b.tag === '') || b.count - a.count || inOrder(a.tag, b.tag));
}

/** The levels of city that some row has, highest first. */
export const hallsOf = (results: Results): number[] =>
  [...new Set(results.numbers('hall'))].filter((hall) => !Number.isNaN(hall)).sort((a, b) => b - a);

/** How many of the rows are of each bad quality, in the order of the qualities. */
export function flawsOf(results: Results, rows: Uint32Array): { quality: Quality; count: number }[] {
  const counts = new Map<Quality, number>();
  for (const row of rows) {
    const quality = results.qualities[row] as Quality;
    counts.set(quality, (counts.get(quality) ?? 0) + 1);
  }
  return QUALITIES.filter(isFlawed).flatMap((quality) => {
    const count = counts.get(quality);
    return count ? { quality, count } : [];
  });
}
