import type { Metric } from '../../../domain/boards/leaderboard.ts';
import { addRow, type BoardRow, metricIn, type Total } from '../../../domain/boards/rows.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { counted, exact } from '../../format.ts';
import type { BoardSearch } from './-board-search.ts';

/** Filters, totals and notes on sums of a board's rows. Separate from the search parameters, which every page loads. */

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

/** A sum over people: its key in the rows' `counted` and `left_out`, and the game that says what they are. */
export interface Sum {
  key: string;
  game: GameId;
}

/** Returns a note such as '148 of 152 members, …'; null if the sum includes everybody. Older boards do not tell. */
export function sumText(row: BoardRow, sum: Sum | null): string | null {
  if ('governor_id' in row || sum === null) return null;
  const [key, { one, many }] = [sum.key, GAME_NAMES[sum.game].governor];
  const people = 'member_count' in row ? row.member_count : row.player_count;
  const all = 'member_count' in row ? counted(people, 'member') : counted(people, one, many);
  const [of, left] = [row.counted?.[key], row.left_out?.[key]];
  const without = left && { rows: counted(left.rows, 'misread row'), raw: exact(left.raw) };
  if (row.counted === undefined)
    return without
      ? t('an unknown number of {all}, excluding {rows}, raw total {raw}.', { all, ...without })
      : t('an unknown number of {all}.', { all });
  if (of !== undefined && of < people)
    return without
      ? t('{of} of {all}, excluding {rows}, raw total {raw}.', { of: exact(of), all, ...without })
      : t('{of} of {all}.', { of: exact(of), all });
  return without ? t('excluding {rows}, raw total {raw}.', without) : null;
}
