import { GAMES } from '../games/games.ts';
import { type Numbers, numbersOf, orderBy, type Table } from './rows.ts';

/** Sums of a column over the top governors by power. A missing figure adds nothing. */
export interface TopSums {
  total: number;
  top100: number;
  top300: number;
  top350: number;
  top600: number;
}

function sumsOf(values: Numbers, order: Uint32Array): TopSums {
  const sums: TopSums = { total: 0, top100: 0, top300: 0, top350: 0, top600: 0 };
  for (let rank = 0; rank < order.length; rank++) {
    const value = values[order[rank] as number] as number;
    if (Number.isNaN(value)) continue;
    sums.total += value;
    if (rank < 100) sums.top100 += value;
    if (rank < 300) sums.top300 += value;
    if (rank < 350) sums.top350 += value;
    if (rank < 600) sums.top600 += value;
  }
  return sums;
}

/** What a kingdom's snapshot adds up to. */
export interface Totals {
  power: TopSums;
  score: TopSums;
  deads: TopSums;
  player_count: number;
  /** Governors with the highest hall that the game has. */
  hall25_count: number;
  domain_count: number;
  rss_given: number | null;
  rss_gathered: number | null;
  lost_kingdom_most_killed_average: number | null;
  lost_kingdom_most_lost_average: number | null;
}

/** The values that were read. */
function known(values: Numbers | undefined): Numbers {
  const read = new Float64Array(values?.length ?? 0);
  let count = 0;
  // A loop, not filter(): most of these columns are empty in most scans.
  for (let row = 0; row < read.length; row++) {
    const value = values?.[row] as number;
    if (!Number.isNaN(value)) read[count++] = value;
  }
  return read.subarray(0, count);
}
const sum = (values: Numbers): number | null => (values.length ? values.reduce((a, b) => a + b, 0) : null);
const average = (values: Numbers): number | null =>
  values.length ? Math.round((sum(values) as number) / values.length) : null;

/** Adds up a snapshot: the results page's stats panel, the xlsx summary and the kingdom's day all read this. */
export function totalsOf(table: Table): Totals {
  const { roles, hall } = GAMES[table.game];
  const order = orderBy(table, roles.power);
  const sums = (key: string) => sumsOf(numbersOf(table, key), order);
  const { numbers } = table;
  return {
    power: sums(roles.power),
    score: sums(roles.score),
    deads: sums(roles.deads),
    player_count: table.count,
    hall25_count: numbersOf(table, roles.hall).filter((level) => level >= hall.highest).length,
    domain_count: new Set(known(numbers.domain).filter((domain) => domain > 0)).size,
    rss_given: sum(known(numbers.rss_given ?? numbers.resources_given)),
    rss_gathered: sum(known(numbers.rss_gathered)),
    lost_kingdom_most_killed_average: average(known(numbers.lost_kingdom_most_killed)),
    lost_kingdom_most_lost_average: average(known(numbers.lost_kingdom_most_lost)),
  };
}

const TOPS = [600, 350, 300, 100] as const;

/** Which sum of several scans covers the same governors, and how many those are. */
export interface CommonDepth {
  sum: keyof TopSums;
  ranks: number;
}

/**
 * What scans of these numbers of governors can be compared by: all of them where they are equally deep, else the most
 * top governors that every one of them has; null where even the hundred strongest are not in all.
 */
export function commonDepth(counts: readonly number[]): CommonDepth | null {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return { sum: 'total', ranks: least };
  const top = TOPS.find((ranks) => ranks <= least);
  return top === undefined ? null : { sum: `top${top}`, ranks: top };
}
