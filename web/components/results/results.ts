import { type Column, type ColumnType, GAME_IDS, GAMES, type Game } from '../../../domain/games/games.ts';
import { type Layout, layoutOf } from '../../../domain/scans/layouts.ts';
import { orderOf, ranksOf } from '../../../domain/scans/order.ts';
import { doubtedIn, type Figure, QUALITIES, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { inOrder } from '../../collate.ts';
import { capital } from '../../format.ts';
import { type IdleWork, idleWork } from '../../idle-work.ts';
import { knownPlacesOf, madeInSteps } from '../../table/in-steps.ts';

/** A column of results, independent of the game. */
export interface ResultColumn {
  /** Id in URLs: the column's role in every game, otherwise its key. */
  id: string;
  title: string;
  /** Full title, if the title is short. */
  about: string;
  type: ColumnType;
}

/** Titles by column role. */
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
 * The specification's columns (section 2, Order results), plus the kingdom for combined results and the day for
 * histories.
 */
export const DEFAULT_COLUMNS: readonly string[] = ['day', 'rank', ...ROLES, ...TIERS];

/** Rank by power, computed for tables of a single time. */
const RANK: ResultColumn = { id: 'rank', title: 'Rank', about: 'Rank by power', type: 'integer' };

/** Maps columns to the figure names used in quality verdicts; other columns use their keys. */
const FIGURES: Readonly<Record<string, Figure>> = {
  power: 'power',
  score: 'score',
  deads: 'deads',
  hall: 'hall',
  [GAMES.cod.allKills ?? '']: 'tiers',
  ...Object.fromEntries(TIERS.map((tier) => [tier, 'tiers'])),
};

/** Returns whether a row's figure in a column is unverified. */
export const isUnverified = (row: Row, id: string): boolean => doubtsOf(row).includes(FIGURES[id] ?? id);

/** Returns a row's unverified figures. */
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

/** Returns a row's game. Rows of both games have both sets of columns, with the other game's empty. */
export const gameOf = (row: Row): Game => GAMES[GAME_IDS.find((id) => row[GAMES[id].roles.id] != null) ?? 'rok'];

/** Returns a row's layout: a single scan, or a history with days. */
const layoutFor = (row: Row, game: Game): Layout =>
  layoutOf({ game: game.id, kind: row.day == null ? 'scan' : 'history' });

/** Returns a cell's value; null if unknown, which shows as '?'. */
export function cellIn(row: Row, id: string): string | number | null {
  const game = gameOf(row);
  const value = row[KEYS[game.id].get(id) ?? id];
  return value === undefined || value === '' ? null : value;
}

/** Columns that only a governor's profile provides. */
const READ = ['score', 'deads', 'hall', ...TIERS, 'highest_power'] as const;

/** Returns the server's quality mark, or derives one from the values. */
export const qualityOf = (row: Row): Quality =>
  QUALITIES.find((quality) => quality === row.quality) ??
  (READ.some((id) => cellIn(row, id) !== null) ? 'ok' : 'listed');

/** Lowercase text that the search matches. */
const searchedIn = (row: Row): string =>
  `${cellIn(row, 'name') ?? ''}\n${cellIn(row, 'tag') ?? ''}\n${cellIn(row, 'id') ?? ''}`.toLowerCase();

/**
 * Rows as received, plus lazily built typed arrays per column for filters, totals and sorting. This keeps work on
 * thousands of rows within a frame.
 */
export class Results {
  readonly game: Game;
  readonly columns: readonly ResultColumn[];
  readonly qualities: readonly Quality[];
  /** Unverified figures of each row. */
  readonly doubts: readonly (readonly string[])[];
  /** Search text of each row. */
  readonly searched: IdleWork<readonly string[]>;
  /** Slow work that is computed ahead, while the page is idle. */
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
    this.columns = layout.day === null ? [...columns, RANK] : columns;
    this.qualities = rows.map(qualityOf);
    this.doubts = rows.map(doubtsOf);
    this.searched = idleWork(madeInSteps(rows.length, (row) => searchedIn(rows[row] as Row)));
    this.ahead = [this.searched, this.#places('name'), this.#places('tag')];
  }

  /** Values of a column in row order; NaN if unknown. */
  numbers(id: string): Float64Array {
    return kept(this.#numbers, id, () =>
      id === RANK.id && this.columns.includes(RANK)
        ? this.#ranks()
        : Float64Array.from(this.rows, (row) => Number(cellIn(row, id) ?? Number.NaN)),
    );
  }

  /** Returns a cell's value; null if unknown. */
  cell(row: Row, id: string): string | number | null {
    if (id !== RANK.id || !this.columns.includes(RANK)) return cellIn(row, id);
    this.#rankOf ??= new Map(this.rows.map((each, index) => [each, this.numbers(RANK.id)[index] as number]));
    const rank = this.#rankOf.get(row);
    return rank === undefined || Number.isNaN(rank) ? null : rank;
  }

  /** Ranks by power among all rows. Rows with unverified power have no rank. */
  #ranks(): Float64Array {
    const powers = this.numbers('power').map((power, row) =>
      this.doubts[row]?.includes('power') ? Number.NaN : power,
    );
    return Float64Array.from(ranksOf(powers), (rank) => rank || Number.NaN);
  }

  /** Texts of a column in row order; empty if missing. */
  texts(id: string): readonly string[] {
    return kept(this.#texts, id, () => this.rows.map((row) => String(cellIn(row, id) ?? '')));
  }

  /**
   * Returns all rows sorted by a column, cached so that search and filters only select from it. Unknown values come
   * last either way; the sort is stable.
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

  /** Alphabetical rank of each row's text in a column. */
  #places(id: string): IdleWork<Float64Array> {
    return kept(this.#words, id, () => idleWork(this.#wordsInOrder(id)));
  }

  *#wordsInOrder(id: string) {
    return yield* knownPlacesOf(this.texts(id));
  }

  /** Returns whether any row has a value in the column. */
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

// --- Filtering and sorting row indexes ---------------------------------------------------------------------------------

export interface Filters {
  /** Alliance tags; the empty tag means no alliance. */
  alliances?: string[] | undefined;
  hallFrom?: number | undefined;
  hallTo?: number | undefined;
  powerFrom?: number | undefined;
  powerTo?: number | undefined;
  /** Only rows of bad quality. */
  flawed?: true | undefined;
}

/** Returns whether any filter is set. */
export const isFiltering = (filters: Filters): boolean =>
  [filters.hallFrom, filters.hallTo, filters.powerFrom, filters.powerTo, filters.flawed].some(
    (each) => each !== undefined,
  ) || (filters.alliances?.length ?? 0) > 0;

const isFlawed = (quality: Quality | undefined): boolean => quality !== 'ok' && quality !== 'listed';

/** Returns the rows that pass every filter. An unknown hall level passes no range. */
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

/** Returns the rows that totals cover: only the last day's, if rows span several days. */
export function lastOf(results: Results, rows: Uint32Array): Uint32Array {
  const days = results.texts('day');
  let last = '';
  for (const row of rows) {
    const day = days[row] ?? '';
    if (day > last) last = day;
  }
  return last === '' ? rows : rows.filter((row) => days[row] === last);
}

/** Returns the rows whose name, tag or id contains the query; all rows if it is empty. */
export function matching(results: Results, rows: Uint32Array, query: string): Uint32Array {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return rows;
  const texts = results.searched.get();
  return rows.filter((row) => texts[row]?.includes(wanted));
}

/** Sorts rows by a column. Unknown values come last either way; the sort is stable. */
export function ordered(results: Results, rows: Uint32Array, id: string, ascending: boolean): Uint32Array {
  const all = results.order(id, ascending);
  if (rows.length === all.length) return all;
  const wanted = new Uint8Array(all.length);
  for (const row of rows) wanted[row] = 1;
  return all.filter((row) => wanted[row] === 1);
}

/** Returns the alliances of all rows with their row counts, largest first. The empty tag means no alliance. */
export function alliancesOf(results: Results): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of results.texts('tag')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => Number(a.tag === '') - Number(b.tag === '') || b.count - a.count || inOrder(a.tag, b.tag));
}

/** Returns the hall levels that occur, highest first. */
export const hallsOf = (results: Results): number[] =>
  [...new Set(results.numbers('hall'))].filter((hall) => !Number.isNaN(hall)).sort((a, b) => b - a);

/** Counts rows of each bad quality, in the order of the qualities. */
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
