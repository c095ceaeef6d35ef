import { DAY_MS } from '../../../domain/days.ts';
import { mix, unit } from './chance.ts';
import { BEGINNING, daysAt, WAR_CYCLE, WAR_DAYS, WAR_START } from './person.ts';

/** Who fights whom and when: groups of kingdoms whose wars fall on the same days, each divided into camps. */

/** The first eight kingdoms of a game, the next eight, … */
export const KINGDOMS_PER_WAR = 8;

/** Camps of a game's wars, by their names there. */
const CAMPS: Readonly<Record<string, readonly string[]>> = {
  rok: ['Fire', 'Earth', 'Water', 'Wind'],
  cod: ['Daybreak', 'Greenwood'],
};

/** A war of some kingdoms: the last that had begun by a moment. */
export interface War {
  /** Tells it from all others of the game. */
  number: number;
  group: number;
  camps: { name: string; kingdoms: number[] }[];
  /** Epoch milliseconds. */
  start: number;
  end: number;
}

/**
 * Days by which the wars of a group are moved: spread over the cycle, so that somebody is always at war and somebody at
 * peace.
 */
export const phaseOf = (worldSeed: number, first: number, group: number, groups: number): number =>
  WAR_CYCLE * ((group / groups + unit(worldSeed, first)) % 1);

/** The camp of a kingdom by its position in the game, and how many camps there are. */
export function campOf(game: string, position: number, kingdoms: number): { camp: number; camps: number } {
  const camps = CAMPS[game]?.length ?? 1;
  const group = Math.floor(position / KINGDOMS_PER_WAR);
  const size = Math.min(KINGDOMS_PER_WAR, kingdoms - group * KINGDOMS_PER_WAR);
  return { camp: Math.floor(((position % KINGDOMS_PER_WAR) * camps) / size), camps };
}

/** What a camp's luck in its wars follows from. */
export const campSeed = (worldSeed: number, first: number, group: number, camp: number): number =>
  mix(worldSeed, first, group, camp, 77);

/** For each group of a game's kingdoms (ascending) the last war that had begun by `at` (epoch milliseconds). */
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
