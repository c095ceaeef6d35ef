import { REMOVED_NAME } from '../boards/profile.ts';
import { GAMES } from '../games/games.ts';
import { numbersOf, type Table } from '../scans/rows.ts';
import type { EventPlan } from './event.ts';

/**
 * Governors who asked not to be shown, in events. Their rows keep kingdom and figures and lose name and alliance. A
 * negative number replaces the id. It is the same in every snapshot, because snapshots are matched by ids.
 */

/**
 * Returns the number that replaces a removed governor's id, or the id of any other governor. `removed` is in ascending
 * order.
 */
const shownIds = (removed: readonly number[]): ((id: number) => number) => {
  const places = new Map(removed.map((id, place) => [id, -place - 1]));
  return (id) => places.get(id) ?? id;
};

/** Takes the removed governors out of a table. Mutates and returns it. */
export function withoutRemoved(table: Table, removed: readonly number[]): Table {
  if (removed.length === 0) return table;
  const { columns, roles } = GAMES[table.game];
  const [ids, names] = [numbersOf(table, roles.id), table.texts[roles.name]];
  const alliances = columns.filter(({ key }) => key.startsWith('alliance_')).map(({ key }) => key);
  const shown = shownIds(removed);
  for (let row = 0; row < table.count; row++) {
    const own = ids[row] as number;
    const stand = shown(own);
    if (stand === own) continue;
    ids[row] = stand;
    if (names) names[row] = REMOVED_NAME;
    for (const key of alliances) {
      const [texts, numbers] = [table.texts[key], table.numbers[key]];
      if (texts) texts[row] = null;
      if (numbers) numbers[row] = Number.NaN;
    }
  }
  return table;
}

/** Returns a plan that names removed governors as `withoutRemoved` does, so that their exemptions still count. */
export function planWithoutRemoved(plan: EventPlan, removed: readonly number[]): EventPlan {
  if (removed.length === 0) return plan;
  const shown = shownIds(removed);
  const { exempt, zeroed } = plan;
  return {
    ...plan,
    exempt: exempt.map(shown),
    ...(zeroed && {
      zeroed: Object.fromEntries(Object.entries(zeroed).map(([id, percent]) => [shown(Number(id)), percent])),
    }),
  };
}
