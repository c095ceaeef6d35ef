import { addDays, type Day, dayOf } from '../days.ts';
import { GAMES, type GameId } from '../games/games.ts';
import type { GovernorDay } from './profile.ts';
import type { Verdict } from './quality.ts';
import { emptyTable, type Row, type Table } from './rows.ts';

/** How far back a history goes (specification, section 9). */
export const HISTORY_DAYS = 90;

/** The first day of a history that ends with the day of that moment. */
export const historyFrom = (now: number): Day => addDays(dayOf(now), 1 - HISTORY_DAYS);

/** Why an item of history cannot be had, for the customer. */
export const noHistory = (game: GameId, kingdomId: number): string =>
  `Nothing is stored of ${GAMES[game].kingdom.one} ${kingdomId} from the last ${HISTORY_DAYS} days, so the price is back in your balance. A history grows with every scan.`;

/** A day of a governor, with who he is by now. */
export interface HistoryDay extends GovernorDay {
  governor_id: number;
  name: string;
  alliance_tag: string;
}

/** Days as rows of the history's layout, in their order. */
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
 * The verdict on each day, of governors one after the other with their days in order: what a figure alone cannot show,
 * the days before it can. Lifetime counters never fall; the score is one where it follows from kills.
 */
export function verdictsOfDays(game: GameId, days: readonly HistoryDay[]): Verdict[] {
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
