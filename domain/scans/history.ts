import { addDays, type Day, dayOf } from '../days.ts';
import { GAMES, type GameId } from '../games/games.ts';
import type { GovernorDay } from './profile.ts';
import type { RowVerdict } from './quality.ts';
import { emptyTable, type Row, type Table } from './rows.ts';

/** Number of days in a history (specification, section 9). */
export const HISTORY_DAYS = 90;

/** Returns the first day of a history that ends on the day of `now`. */
export const historyFrom = (now: number): Day => addDays(dayOf(now), 1 - HISTORY_DAYS);

/** Tells the customer why a history cannot be delivered. */
export const noHistory = (game: GameId, kingdomId: number): string =>
  `Nothing is stored of ${GAMES[game].kingdom.one} ${kingdomId} from the last ${HISTORY_DAYS} days, so the price is back in the balance that paid it. A history grows with every scan.`;

/** A governor's day, with their current name and tag. */
export interface HistoryDay extends GovernorDay {
  governor_id: number;
  name: string;
  alliance_tag: string;
}

/** Builds a table of the history layout from days, in order. */
export function historyTable(game: GameId, days: readonly HistoryDay[]): Table {
  const { id, name, tag, kingdom, power, score, deads, tiers } = GAMES[game].roles;
  const table = emptyTable(game, days.length, 'history');
  days.forEach((day, index) => {
    const row: Row = {
      day: day.day,
      rank: day.rank,
      [id]: day.governor_id,
      [name]: day.name,
      [tag]: day.alliance_tag,
      [kingdom]: day.kingdom_id,
      [power]: day.power,
      [score]: day.score,
      [deads]: day.deads,
      [tiers[3]]: day.t4,
      [tiers[4]]: day.t5,
    };
    for (const [key, cells] of Object.entries(table.texts)) cells[index] = (row[key] as string | undefined) ?? null;
    for (const [key, cells] of Object.entries(table.numbers))
      cells[index] = (row[key] as number | null | undefined) ?? Number.NaN;
  });
  return table;
}

/**
 * Returns the verdict on each day. `days` lists each governor's days in order, one governor after the other. Lifetime
 * counters never fall, so a lower figure than on an earlier day is a misread. The score is such a counter if it follows
 * from kills.
 */
export function verdictsOfDays(game: GameId, days: readonly HistoryDay[]): RowVerdict[] {
  const counters = GAMES[game].killPoints
    ? (['score', 'deads', 't4', 't5'] as const)
    : (['deads', 't4', 't5'] as const);
  let governor: number | undefined;
  let known: Partial<Record<(typeof counters)[number], number>> = {};
  return days.map((day) => {
    if (day.governor_id !== governor) {
      governor = day.governor_id;
      known = {};
    }
    const fallen = counters.filter((key) => (day[key] ?? Infinity) < (known[key] ?? 0));
    for (const key of counters) known[key] = day[key] ?? known[key] ?? 0;
    if (fallen.length > 0)
      return {
        quality: 'counter_fell',
        doubted: [...new Set(fallen.map((key) => (key === 't4' || key === 't5' ? 'tiers' : key)))],
      };
    const read = [day.score, day.deads, day.t4, day.t5].some((figure) => figure !== null);
    return { quality: read ? 'ok' : 'listed', doubted: [] };
  });
}
