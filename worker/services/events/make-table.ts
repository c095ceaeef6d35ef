import type * as z from 'zod';
import { DOUBTS, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { goneRows, renamedRows } from '../../../domain/difference/people.ts';
import type { eventTable } from '../../../domain/events/answers.ts';
import { gainKeys, shownKeys } from '../../../domain/events/columns.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { orNull, type War } from './war.ts';
import type { Range } from './write-data.ts';

export type EventTable = z.infer<typeof eventTable>;

/** A row of the table: where it stands in each side, -1 where it does not. */
interface Place {
  from: number;
  to: number;
}

/** The governors of an event in the table's order: those in both, who joined, who is gone. */
function placesOf({ difference, start, end }: War): { common: Place[]; joined: Place[]; gone: Place[] } {
  const common: Place[] = [];
  difference.partner.forEach((to, from) => {
    if (to >= 0 && (start[from] as number) >= 0) common.push({ from, to });
  });
  const joined = [...difference.joined].filter((to) => (end[to] as number) >= 0).map((to) => ({ from: -1, to }));
  const gone = goneRows(difference)
    .filter((from) => (start[from] as number) >= 0)
    .map((from) => ({ from, to: -1 }));
  return { common, joined, gone };
}

/** The individual table as columns. */
export function makeTable(war: War, range: Range): EventTable {
  const { difference, plan, keys } = war;
  const { from, to } = difference;
  const { roles } = GAMES[plan.game];
  const { common, joined, gone } = placesOf(war);
  const places = [...common, ...joined, ...gone];
  const numberAt = (key: string, { from: before, to: after }: Place): number | null =>
    after >= 0 ? orNull(to.numbers[key]?.[after]) : orNull(from.numbers[key]?.[before]);
  const textAt = (key: string, { from: before, to: after }: Place): string | null =>
    (after >= 0 ? textsOf(to, key)[after] : textsOf(from, key)[before]) ?? null;
  const tags = new Map<string, number>();
  const tagAt = (tag: string | null): number => {
    if (tag === null) return -1;
    const known = tags.get(tag) ?? tags.size;
    tags.set(tag, known);
    return known;
  };
  const powers = numbersOf(from, roles.power);
  const table = {
    id: places.map((place) => numberAt(roles.id, place) as number),
    name: places.map((place) => textAt(roles.name, place) ?? ''),
    tag: places.map((place) => tagAt(textAt(roles.tag, place))),
    kingdom: places.map((place) => (place.from >= 0 ? war.start[place.from] : war.end[place.to]) as number),
    kingdom_now: places.map((place) => (place.to >= 0 ? (war.end[place.to] as number) : -1)),
    power: places.map((place) => (place.from >= 0 ? orNull(powers[place.from]) : numberAt(roles.power, place))),
    now: Object.fromEntries(shownKeys(plan.game).map((key) => [key, places.map((place) => numberAt(key, place))])),
  };
  return {
    range,
    kingdoms: [...keys],
    camp_of: [...war.campOf],
    camps: plan.camps.map(({ name }) => name),
    tags: [...tags.keys()],
    common: common.length,
    joined: joined.length,
    gone: gone.length,
    ...table,
    ...gainsOfTable(war, common),
    renamed: renamedOf(war, common),
  };
}

function gainsOfTable(war: War, common: readonly Place[]): Pick<EventTable, 'gains' | 'doubts'> {
  const gains: EventTable['gains'] = {};
  const doubts: EventTable['doubts'] = {};
  for (const key of gainKeys(war.plan.game, war.plan.weights)) {
    const gained = war.gains(key);
    if (!gained) continue;
    gains[key] = common.map(({ from }) => orNull(gained.raw[from]));
    const about: Record<string, number[]> = {};
    common.forEach(({ from }, row) => {
      const doubt = gained.doubts[from] as number;
      const reason = DOUBTS[doubt - 1];
      if (doubt === NO_DOUBT || reason === undefined) return;
      about[reason] ??= [];
      about[reason].push(row);
    });
    if (Object.keys(about).length > 0) doubts[key] = about;
  }
  return { gains, doubts };
}

function renamedOf({ difference }: War, common: readonly Place[]): Record<string, string> {
  const { from } = difference;
  const renamed = new Set(renamedRows(difference));
  const names = textsOf(from, GAMES[from.game].roles.name);
  return Object.fromEntries(
    common.flatMap(({ from: row }, index) => (renamed.has(row) ? [[String(index), names[row] ?? '']] : [])),
  );
}
