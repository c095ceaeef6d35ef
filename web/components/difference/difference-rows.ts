import { DOUBTS } from '../../../domain/difference/doubts.ts';
import { isBelow, type Judged, type Reached, reachedBy, TARGETS } from '../../../domain/difference/goals.ts';
import type { Gains } from '../../../domain/difference/pairs.ts';
import { type Goal, type Scores, type Scoring, scoresOf } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { locale } from '../../../domain/language/current.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { placesOf } from '../../../domain/scans/text-order.ts';
import { idleWork } from '../../idle-work.ts';

import { RowIndex } from '../../table/row-index.ts';
import type { DifferenceSearch } from './difference-search.ts';

/**
 * Two compared scans as columns, as the server sends them: governors in both scans, then joined, then gone. `kingdom`,
 * `kingdom_now`, `tag` and `camp_of` are indexes into `kingdoms`, `tags` and `camps`; -1 means none.
 */
export interface DifferenceTable {
  kingdoms: readonly string[];
  /** For events only: the camps, and the camp index of each kingdom. */
  camps?: readonly string[];
  camp_of?: readonly number[];
  tags: readonly string[];
  common: number;
  joined: number;
  gone: number;
  id: readonly number[];
  name: readonly string[];
  tag: readonly number[];
  kingdom: readonly number[];
  kingdom_now: readonly number[];
  power: readonly (number | null)[];
  now: Readonly<Record<string, readonly (number | null)[]>>;
  gains: Readonly<Record<string, readonly (number | null)[]>>;
  doubts: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  renamed: Readonly<Record<string, string>>;
}

/** The table prepared for sorting, filtering and scoring. Built once per answer, not per key press. */
export interface DifferenceRows {
  table: DifferenceTable;
  count: number;
  ids: Float64Array;
  /** Power in the first scan. */
  powers: Float64Array;
  /** Raw gains with their doubts; NaN if unknown. */
  gains: ReadonlyMap<string, Gains>;
  now: ReadonlyMap<string, Float64Array>;
  /** Search and sort orders. */
  index: RowIndex;
  /** Alphabetical rank of each row's kingdom. */
  homes: Float64Array;
}

const columnOf = (values: readonly (number | null)[], length: number): Float64Array => {
  const column = new Float64Array(length).fill(Number.NaN);
  for (const [row, value] of values.entries()) if (value !== null) column[row] = value;
  return column;
};

/** Text that also finds a governor besides the name: tag, id, kingdom and previous name. */
const othersOf = (table: DifferenceTable, row: number): string =>
  [
    table.tags[table.tag[row] ?? -1] ?? '',
    table.id[row],
    table.kingdoms[table.kingdom[row] ?? -1] ?? '',
    table.renamed[row] ?? '',
  ].join(' ');

export function differenceRows(table: DifferenceTable): DifferenceRows {
  const count = table.id.length;
  const gains = Object.entries(table.gains).map(([key, values]): [string, Gains] => {
    const doubts = new Uint8Array(count);
    for (const [doubt, rows] of Object.entries(table.doubts[key] ?? {}))
      for (const row of rows) doubts[row] = DOUBTS.indexOf(doubt as (typeof DOUBTS)[number]) + 1;
    return [key, { raw: columnOf(values, count), doubts }];
  });
  const homes = idleWork(placesOf(table.kingdoms, locale())).get();
  return {
    table,
    count,
    ids: Float64Array.from(table.id),
    powers: columnOf(table.power, count),
    gains: new Map(gains),
    now: new Map(Object.entries(table.now).map(([key, values]) => [key, columnOf(values, count)])),
    index: new RowIndex(count, (row) => `${table.name[row]} ${othersOf(table, row)}`, {
      name: (row) => table.name[row] ?? '',
    }),
    homes: Float64Array.from(table.kingdom, (at) => homes[at] ?? -1),
  };
}

export interface ScoredRows extends Scores {
  /** Rank by guarded DKP, from 1; 0 if the DKP is unknown. */
  ranks: Uint32Array;
}

/** The goals of a table, and the governors without any. */
export interface GoalsOf {
  game: GameId;
  goals: readonly Goal[];
  exempt: readonly number[];
}

/** Returns the governors of a table as goals judge them. */
export function judgedBy(rows: DifferenceRows, scores: ScoredRows, { game, exempt }: GoalsOf): Judged {
  const free = new Set(exempt);
  return {
    game,
    powers: rows.powers,
    dkp: scores.dkp,
    gains: (key: string) => rows.gains.get(key) ?? null,
    isExempt: (row: number) => row >= rows.table.common || free.has(rows.ids[row] as number),
  };
}

/** Computes how much of their goals all rows reached; governors in `exempt` have no goals. */
export const reachedRows = (rows: DifferenceRows, scores: ScoredRows, of: GoalsOf): Reached =>
  reachedBy(of.goals, judgedBy(rows, scores, of));

/** Scores and ranks all rows by the given weights. */
export function scoredRows(rows: DifferenceRows, game: GameId, scoring: Scoring): ScoredRows {
  const { count, ids, powers, table } = rows;
  const scorable = {
    game,
    count,
    idAt: (row: number) => ids[row] as number,
    powerAt: (row: number) => powers[row] as number,
  };
  const scores = scoresOf(scorable, scoring, (key) => rows.gains.get(key) ?? null);
  for (const column of [scores.dkp, scores.raw]) column.fill(Number.NaN, table.common);
  return { ...scores, ranks: ranksOf(scores.dkp) };
}

/** Returns whether every weighted gain is exactly 0, before the deduction for power. */
export function isIdle(rows: DifferenceRows, keys: readonly string[], row: number): boolean {
  return keys.length > 0 && keys.every((key) => rows.gains.get(key)?.raw[row] === 0);
}

export type DifferenceFilter = Pick<DifferenceSearch, 'camp' | 'home' | 'alliance' | 'power' | 'who'>;

/** Returns whether the `who` filter keeps a row. Governors who left are shown only on request. */
function isAmong(
  rows: DifferenceRows,
  scores: ScoredRows,
  keys: readonly string[],
  who: DifferenceFilter['who'],
  row: number,
  reached: Reached,
) {
  const { common, joined } = rows.table;
  switch (who) {
    case 'joined':
      return row >= common && row < common + joined;
    case 'gone':
      return row >= common + joined;
    case 'idle':
      return isIdle(rows, keys, row);
    case 'doubted':
      return scores.doubts[row] !== 0;
    case 'below':
      return isBelow(reached, row);
    default:
      return row < common + joined;
  }
}

/** Returns the rows that pass the filter, in table order. The search is separate. */
export function filteredRows(
  rows: DifferenceRows,
  scores: ScoredRows,
  weighed: readonly string[],
  filter: DifferenceFilter,
  reached: Reached = new Map(),
): Uint32Array {
  const { table } = rows;
  const kingdom = filter.home === undefined ? null : table.kingdoms.indexOf(filter.home);
  const camp = filter.camp === undefined ? null : (table.camps?.indexOf(filter.camp) ?? -1);
  const alliance = filter.alliance === undefined ? null : table.tags.indexOf(filter.alliance);
  const found = new Uint32Array(rows.count);
  let count = 0;
  for (let row = 0; row < rows.count; row++) {
    const home = table.kingdom[row] ?? -1;
    if (!isAmong(rows, scores, weighed, filter.who, row, reached)) continue;
    if (kingdom !== null && home !== kingdom) continue;
    if (camp !== null && (table.camp_of?.[home] ?? -1) !== camp) continue;
    if (alliance !== null && table.tag[row] !== alliance) continue;
    if (filter.power !== undefined && !((rows.powers[row] as number) >= filter.power)) continue;
    found[count++] = row;
  }
  return found.subarray(0, count);
}

/**
 * Returns what a column sorts by: 'name', 'kingdom', 'dkp', 'rank', 'power', 'now:<key>', 'goal:<target>' or the
 * verified gain of a key. Null if there is no such column.
 */
export function valuesBy(
  rows: DifferenceRows,
  scores: ScoredRows,
  column: string,
  reached: Reached = new Map(),
): Float64Array | null {
  const { index } = rows;
  if (column === 'name') return index.values(column, () => null);
  if (column === 'kingdom') return rows.homes;
  if (column === 'dkp') return scores.dkp;
  if (column === 'rank') return Float64Array.from(scores.ranks, (rank) => rank || Number.NaN);
  if (column === 'power') return rows.powers;
  if (column.startsWith('now:')) return rows.now.get(column.slice(4)) ?? null;
  const target = TARGETS.find((each) => column === `goal:${each}`);
  if (target) return reached.get(target) ?? null;
  const gains = rows.gains.get(column);
  return gains?.raw.map((gain, row) => (gains.doubts[row] === 0 ? gain : Number.NaN)) ?? null;
}

/** Totals of a group of rows. */
export interface GroupSum {
  common: number;
  joined: number;
  gone: number;
  /** Total without excluded scores; null if no score is known. */
  dkp: number | null;
  raw: number | null;
  left_out: number;
}

export const NOBODY: GroupSum = { common: 0, joined: 0, gone: 0, dkp: null, raw: null, left_out: 0 };

/**
 * Adds up scores per kingdom of the table. A governor counts for the kingdom of the first scan.
 */
export function sumsByKingdom(rows: DifferenceRows, scores: ScoredRows): (GroupSum & { name: string })[] {
  const { table } = rows;
  const sums = table.kingdoms.map((name) => ({ name, ...NOBODY }));
  for (let row = 0; row < rows.count; row++) {
    const sum = sums[table.kingdom[row] ?? -1];
    if (!sum) continue;
    if (row >= table.common + table.joined) sum.gone++;
    else if (row >= table.common) sum.joined++;
    else {
      sum.common++;
      add(sum, scores, row);
    }
  }
  return sums;
}

function add(sum: GroupSum, { dkp, raw, doubts }: ScoredRows, row: number): void {
  if (doubts[row] !== 0 && !Number.isNaN(raw[row])) sum.left_out++;
  if (!Number.isNaN(dkp[row])) sum.dkp = (sum.dkp ?? 0) + (dkp[row] as number);
  if (!Number.isNaN(raw[row])) sum.raw = (sum.raw ?? 0) + (raw[row] as number);
}
