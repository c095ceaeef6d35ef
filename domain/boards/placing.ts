import { comparable } from '../scans/totals.ts';
import { type BoardId, boardOf, type Metric } from './leaderboard.ts';
import { type BoardRow, keyOfRow, metricIn, type Ranking } from './rows.ts';

/** How rows get their places, and what they changed since the board before. */

/**
 * What a row is ranked by, and of how many governors that is where scans of a kingdom may have read more of them on one
 * day than on another.
 */
type Measure = readonly [figure: number | null, governors?: number | undefined];

/** A row as the next day looks it up: its key and its measure. An earlier release kept the key alone. */
export type Ranked = readonly [key: string | number, ...measure: Partial<Measure>] | string | number;

/** A ranking as the next day tells its changes by: places by the rows' keys, and in their order what they were ranked by. */
export interface Standing {
  ranks: ReadonlyMap<string | number, number>;
  measures: readonly (Measure | undefined)[];
}

/** What stands behind a stored list of a board's rows, in their order. */
export function standingOf(ranked: readonly Ranked[]): Standing {
  const measures = ranked.map((each): Measure | undefined => {
    if (typeof each !== 'object') return undefined;
    const [, figure = null, governors] = each;
    return [figure, governors];
  });
  const keys = ranked.map((each, index) => [typeof each === 'object' ? each[0] : each, index + 1] as const);
  return { ranks: new Map(keys), measures };
}

/** A row of a ranking as it is stored for the next day. */
export function rankedAt(board: BoardId, ranking: Ranking, index: number): Ranked {
  const row = ranking.at(index);
  return row ? [keyOfRow(row), ...measureOf(boardOf(board).metric, row)] : '';
}

/** What the rows of a board are ranked by. */
function measureOf(metric: Metric, row: BoardRow): Measure {
  const figure = metricIn(row, metric);
  return 'player_count' in row ? [figure, row.player_count] : [figure];
}

/** What a figure gained; null where one of the two is unknown, or they are not of about as many governors. */
function gainOf([now, governors]: Measure, before: Measure | undefined): number | null {
  const [was = null, governorsBefore] = before ?? [];
  if (now === null || was === null) return null;
  if (governors !== undefined && !comparable(governors, governorsBefore ?? 0)) return null;
  return now - was;
}

/** Some rows of a ranking, each with its rank and what it moved and gained since the board before. */
export function placedRows(
  board: BoardId,
  ranking: Ranking,
  from: number,
  to: number,
  { ranks, measures }: Standing,
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
