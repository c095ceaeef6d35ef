import { comparable } from '../scans/totals.ts';
import { type BoardId, boardOf, type Metric } from './leaderboard.ts';
import { type BoardRow, keyOfRow, metricIn, type Ranking } from './rows.ts';

/** Gives rows their places, and their changes since the previous board. */

/**
 * The ranked figure. Kingdom rows add the number of governors, because scans may cover more of them on one day than on
 * another.
 */
type Measure = readonly [figure: number | null, governors?: number | undefined];

/** A row as stored for the next day's board: its key and measure. An earlier release stored the key alone. */
export type Ranked = readonly [key: string | number, ...measure: Partial<Measure>] | string | number;

/** The previous ranking: places by row key, and the measures in rank order. */
export interface Placement {
  ranks: ReadonlyMap<string | number, number>;
  measures: readonly (Measure | undefined)[];
}

/** Reads a stored list of a board's rows. */
export function placementOf(ranked: readonly Ranked[]): Placement {
  const measures = ranked.map((each): Measure | undefined => {
    if (typeof each !== 'object') return undefined;
    const [, figure = null, governors] = each;
    return [figure, governors];
  });
  const keys = ranked.map((each, index) => [typeof each === 'object' ? each[0] : each, index + 1] as const);
  return { ranks: new Map(keys), measures };
}

/** Returns a row as it is stored for the next day's board. */
export function rankedAt(board: BoardId, ranking: Ranking, index: number): Ranked {
  const row = ranking.at(index);
  return row ? [keyOfRow(row), ...measureOf(boardOf(board).metric, row)] : '';
}

function measureOf(metric: Metric, row: BoardRow): Measure {
  const figure = metricIn(row, metric);
  return 'player_count' in row ? [figure, row.player_count] : [figure];
}

/** Returns the gain of a figure; null if either is unknown or they cover different numbers of governors. */
function gainOf([now, governors]: Measure, before: Measure | undefined): number | null {
  const [was = null, governorsBefore] = before ?? [];
  if (now === null || was === null) return null;
  if (governors !== undefined && !comparable(governors, governorsBefore ?? 0)) return null;
  return now - was;
}

/** Returns rows `from` to `to` of a ranking, with their ranks, moves and gains since the previous board. */
export function placedRows(
  board: BoardId,
  ranking: Ranking,
  from: number,
  to: number,
  { ranks, measures }: Placement,
): BoardRow[] {
  const { metric } = boardOf(board);
  const rows: BoardRow[] = [];
  for (let index = from; index < Math.min(to, ranking.length); index++) {
    const row = ranking.at(index);
    if (!row) continue;
    const was = ranks.get(keyOfRow(row));
    row.rank = index + 1;
    row.moved = was === undefined ? null : was - row.rank;
    row.gained = was === undefined ? null : gainOf(measureOf(metric, row), measures[was - 1]);
    rows.push(row);
  }
  return rows;
}
