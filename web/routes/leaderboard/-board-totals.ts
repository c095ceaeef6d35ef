import type { Metric } from '../../../domain/boards/leaderboard.ts';
import { addRow, type BoardRow, metricIn, type Total } from '../../../domain/boards/rows.ts';
import type { BoardSearch } from './-board-search.ts';

/** Filters and totals of a board's rows. Separate from the search parameters, which every page loads. */

type Filters = Pick<BoardSearch, 'kingdom' | 'alliance' | 'powerFrom' | 'powerTo'>;

/**
 * Returns whether a row passes every filter. An unknown power passes no range. Tags are case-sensitive, as in the games.
 */
export function passes(row: BoardRow, { kingdom, alliance, powerFrom, powerTo }: Filters): boolean {
  if (kingdom !== undefined && row.kingdom_id !== kingdom) return false;
  if (alliance !== undefined && !('alliance_tag' in row && row.alliance_tag === alliance)) return false;
  if (powerFrom === undefined && powerTo === undefined) return true;
  const power = metricIn(row, 'power');
  return power !== null && power >= (powerFrom ?? -Infinity) && power <= (powerTo ?? Infinity);
}

export function totalOf(rows: readonly BoardRow[], metric: Metric): Total {
  const total: Total = { sum: null, known: 0 };
  for (const row of rows) addRow(total, row, metric);
  return total;
}
