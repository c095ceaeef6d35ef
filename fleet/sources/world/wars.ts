import { DAY_MS } from '../../../domain/days.ts';
import { mix, unit } from './chance.ts';
import { BEGINNING, daysAt, WAR_CYCLE, WAR_DAYS, WAR_START } from './person.ts';

/** Wars of the simulated world: groups of kingdoms that fight on the same days, divided into camps. */

/** The first eight kingdoms of a game fight each other, then the next eight, and so on. */
export const KINGDOMS_PER_WAR = 8;

/** Names of the camps, by game. */
const CAMPS: Readonly<Record<string, readonly string[]>> = {
  rok: ['Fire', 'Earth', 'Water', 'Wind'],
  cod: ['Daybreak', 'Greenwood'],
};

/** The latest war of a group of kingdoms that had started by some time. */
export interface War {
  /** Identifies the war within its group. */
  number: number;
  group: number;
  camps: { name: string; kingdoms: number[] }[];
  /** Epoch milliseconds. */
  start: number;
  end: number;
}

/**
 * Returns the offset of a group's wars in days. Offsets are spread over the cycle, so that some kingdoms are always at
 * war and some at peace.
 */
export const phaseOf = (worldSeed: number, first: number, group: number, groups: number): number =>
  WAR_CYCLE * ((group / groups + unit(worldSeed, first)) % 1);

/** Returns a kingdom's camp by its position in the game, and the number of camps. */
export function campOf(game: string, position: number, kingdoms: number): { camp: number; camps: number } {
  const camps = CAMPS[game]?.length ?? 1;
  const group = Math.floor(position / KINGDOMS_PER_WAR);
  const size = Math.min(KINGDOMS_PER_WAR, kingdoms - group * KINGDOMS_PER_WAR);
  return { camp: Math.floor(((position % KINGDOMS_PER_WAR) * camps) / size), camps };
}

/** Returns the seed of a camp's luck in its wars. */
export const campSeed = (worldSeed: number, first: number, group: number, camp: number): number =>
  mix(worldSeed, first, group, camp, 77);

/**
 * Returns, for each group of a game's kingdoms (ascending), the latest war that had started by `at` (epoch
 * milliseconds).
 */
export function warsOf(game: string, worldSeed: number, kingdoms: readonly number[], at: number): War[] {
  const first = kingdoms[0] ?? 0;
  const groups = Math.ceil(kingdoms.length / KINGDOMS_PER_WAR);
  return Array.from({ length: groups }, (_, group) => {
    const phase = phaseOf(worldSeed, first, group, groups);
    const number = Math.floor((daysAt(at) + phase - WAR_START) / WAR_CYCLE);
    const start = BEGINNING + Math.round((number * WAR_CYCLE - phase + WAR_START) * DAY_MS);
    const camps = (CAMPS[game] ?? []).map((name): War['camps'][number] => ({ name, kingdoms: [] }));
    for (const [position, kingdom] of kingdoms.entries())
      if (Math.floor(position / KINGDOMS_PER_WAR) === group)
        camps[campOf(game, position, kingdoms.length).camp]?.kingdoms.push(kingdom);
    return { number, group, camps, start, end: start + WAR_DAYS * DAY_MS };
  });
}
