import type { Metric } from '../../../domain/boards/leaderboard.ts';
import { type BoardRow, metricIn } from '../../../domain/boards/rows.ts';
import type { BoardSearch } from './-board-search.ts';

/** Filters and totals of a board's rows. Separate from the search parameters, which every page loads. */

type Filters = Pick<BoardSearch, 'kingdom' | 'alliance' | 'powerFrom' | 'powerTo'>;

/**
 * Returns the rows that pass every filter. An unknown power passes no range. Tags are case-sensitive, as in the games.
 */
export function filtered(
  rows: readonly BoardRow[],
  { kingdom, alliance, powerFrom, powerTo }: Filters,
): readonly BoardRow[] {
  const [from, to] = [powerFrom ?? -Infinity, powerTo ?? Infinity];
  const ranged = powerFrom !== undefined || powerTo !== undefined;
  return rows.filter((row) => {
    if (kingdom !== undefined && row.kingdom_id !== kingdom) return false;
    if (alliance !== undefined && !('alliance_tag' in row && row.alliance_tag === alliance)) return false;
    const power = metricIn(row, 'power');
    return !ranged || (power !== null && power >= from && power <= to);
  });
}

/** Sum of the known values, null if none is known, and the number of rows it includes. */
export interface Total {
  sum: number | null;
  known: number;
}

export function totalOf(rows: readonly BoardRow[], metric: Metric): Total {
  const total: Total = { sum: null, known: 0 };
  for (const row of rows) {
    const value = metricIn(row, metric);
    if (value === null) continue;
    total.sum = (total.sum ?? 0) + value;
    total.known += 1;
  }
  return total;
}
