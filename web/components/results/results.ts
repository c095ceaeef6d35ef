import { type Column, type ColumnType, GAME_IDS, GAMES, type Game } from '../../../domain/games/games.ts';
import { locale } from '../../../domain/language/current.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { type Layout, layoutOf } from '../../../domain/scans/layouts.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { doubtedIn, type Figure, QUALITIES, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { inOrder } from '../../../domain/scans/text-order.ts';
import { RowIndex } from '../../table/row-index.ts';

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
  id: () => [t('ID')],
  tag: () => [t('Alliance')],
  kingdom: ({ id }) => [t('{game, select, cod {Server ID} other {Kingdom ID}}', { game: id })],
  score: ({ score }) => [words(score)],
  hall: ({ hall }) => [words(hall.short), words(hall.title)],
  deads: () => [t('Deads')],
};
const ROLES = ['id', 'tag', 'kingdom', 'name', 'power', 'score', 'hall', 'deads'] as const;
const TIERS = ['t1', 't2', 't3', 't4', 't5'] as const;

/**
 * The specification's columns (section 2, Order results), plus the kingdom for combined results and the day for
 * histories.
 */
export const DEFAULT_COLUMNS: readonly string[] = ['day', 'rank', ...ROLES, ...TIERS];

/** Rank by power, computed for tables of a single time. */
const RANK: ResultColumn = { id: 'rank', title: message('Rank'), about: message('Rank by power'), type: 'integer' };

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
const doubtsOf = (row: Row): readonly string[] => doubtedIn(row.doubted as string | null | undefined);

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
  const [title, about = title] =
    TITLES[id]?.(game) ?? (tier ? [id.toUpperCase(), words(column.title)] : [words(column.title)]);
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

/** Text that the search matches. */
const searchedIn = (row: Row): string =>
  `${cellIn(row, 'name') ?? ''} ${cellIn(row, 'tag') ?? ''} ${cellIn(row, 'id') ?? ''}`;

/** Rows as received, with an index for filters, totals and sorting. */
export class Results {
  readonly game: Game;
  readonly columns: readonly ResultColumn[];
  readonly qualities: readonly Quality[];
  /** Unverified figures of each row. */
  readonly doubts: readonly (readonly string[])[];
  /** Search and sort orders. */
  readonly index: RowIndex;
  readonly #texts = new Map<string, readonly string[]>();
  #rankOf: ReadonlyMap<Row, number> | undefined;
  #rank: Float64Array | undefined;

  readonly rows: readonly Row[];

  constructor(game: Game, rows: readonly Row[]) {
    this.game = game;
    this.rows = rows;
    const layout = layoutFor(rows[0] ?? {}, game);
    const columns = layout.columns.filter(({ ours }) => !ours).map((column) => resultColumn(game, column));
    this.columns = layout.day === null ? [...columns, RANK] : columns;
    this.qualities = rows.map(qualityOf);
    this.doubts = rows.map(doubtsOf);
    const words = this.columns.filter(({ type }) => type === 'text');
    this.index = new RowIndex(
      rows.length,
      (row) => searchedIn(rows[row] as Row),
      Object.fromEntries(words.map(({ id }) => [id, (row: number) => this.texts(id)[row] ?? ''])),
      ['name', 'tag'],
    );
  }

  /** What a column sorts by: its values in row order, or its texts' alphabetical ranks; NaN if unknown. */
  values(id: string): Float64Array {
    if (id === RANK.id && this.columns.includes(RANK)) return this.#ranks();
    return this.index.values(id, (row) => Number(cellIn(this.rows[row] as Row, id) ?? Number.NaN));
  }

  /** Returns a cell's value; null if unknown. */
  cell(row: Row, id: string): string | number | null {
    if (id !== RANK.id || !this.columns.includes(RANK)) return cellIn(row, id);
    this.#rankOf ??= new Map(this.rows.map((each, index) => [each, this.#ranks()[index] as number]));
    const rank = this.#rankOf.get(row);
    return rank === undefined || Number.isNaN(rank) ? null : rank;
  }

  /** Ranks by power among all rows. Rows with unverified power have no rank. */
  #ranks(): Float64Array {
    if (this.#rank) return this.#rank;
    const powers = this.values('power').map((power, row) => (this.doubts[row]?.includes('power') ? Number.NaN : power));
    this.#rank = Float64Array.from(ranksOf(powers), (rank) => rank || Number.NaN);
    return this.#rank;
  }

  /** Texts of a column in row order; empty if missing. */
  texts(id: string): readonly string[] {
    const known = this.#texts.get(id) ?? this.rows.map((row) => String(cellIn(row, id) ?? ''));
    this.#texts.set(id, known);
    return known;
  }

  /** Returns whether any row has a value in the column. */
  has(id: string): boolean {
    return this.rows.some((row) => this.cell(row, id) !== null);
  }
}

// --- Filtering and sorting row indexes ---

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
  const { all } = results.index;
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
    const numbers = results.values(id);
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

/** Returns the alliances of all rows with their row counts, largest first. The empty tag means no alliance. */
export function alliancesOf(results: Results): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of results.texts('tag')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort(
      (a, b) => Number(a.tag === '') - Number(b.tag === '') || b.count - a.count || inOrder(a.tag, b.tag, locale()),
    );
}

/** Returns the hall levels that occur, highest first. */
export const hallsOf = (results: Results): number[] =>
  [...new Set(results.values('hall'))].filter((hall) => !Number.isNaN(hall)).sort((a, b) => b - a);

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
