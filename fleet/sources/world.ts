import { SIMULATED } from '../../domain/fleet/contract.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { kingdomTitle, type Source } from './source.ts';
import { mix, unit } from './world/chance.ts';
import { type Alliance, allianceNames } from './world/names.ts';
import {
  changes,
  daysAt,
  LEAST,
  MOST,
  type Person,
  personOf,
  playedUntil,
  powerAt,
  type Realm,
  standing,
} from './world/person.ts';
import { codRow, type Presence, rokRow } from './world/rows.ts';
import { campOf, campSeed, KINGDOMS_PER_WAR, phaseOf, type War, warsOf } from './world/wars.ts';

/**
 * A simulated world: made-up kingdoms of both games whose governors grow, fight, change their name or alliance, and
 * sometimes move. It is a pure function of seed, kingdom and time, so any day can be requested in any order and always
 * gives the same result. Lifetime counters never fall, and kill points follow from kills.
 *
 * Rise of Kingdoms has kingdoms 1001–1040, Call of Dragons servers 101–120. Kingdoms 1041–1044 are new: bots need some
 * time to get there, once per process. There are no others.
 */
export interface World extends Source {
  /** Returns a game's kingdoms, ascending. */
  kingdoms(game: GameId): number[];
  /**
   * Returns a kingdom's `count` strongest governors at `at` (epoch milliseconds), by power; [] if there is no such
   * kingdom.
   */
  rows(game: GameId, kingdom: number, at: number, count: number): Row[];
  /** Returns the latest war that had started by `at`, for each group of kingdoms at war. */
  wars(game: GameId, at: number): War[];
}

const PLACES: Record<GameId, { first: number; count: number; row(presence: Presence): Row }> = {
  rok: { first: 1001, count: 40, row: rokRow },
  cod: { first: 101, count: 20, row: codRow },
};

/** Number of newly opened kingdoms, numbered after the others. */
const NEW_KINGDOMS = 4;
/** How long bots need to get into a new kingdom, in ms. */
const GETTING_THERE = 2 * 60_000;

/** Governors per alliance of a kingdom. */
const PER_ALLIANCE = 160;
const REALLIED = 2;

interface Land {
  realm: Realm;
  alliances: (Alliance & { id: number })[];
  /** Indexes of governors who move between kingdoms. */
  roamers: ReadonlySet<number>;
}

/** Creates the simulated world of a seed. */
export function simulatedWorld(seed = 1): World {
  const lands: Record<GameId, Land[]> = { rok: landsOf('rok', seed), cod: landsOf('cod', seed) };
  const opened = newLandsOf('rok', seed);
  const arrivals = new Map<number, number>();
  const kingdoms = (game: GameId) => lands[game].map(({ realm }) => realm.kingdom);

  function rows(game: GameId, kingdom: number, at: number, count: number): Row[] {
    const position = kingdom - PLACES[game].first;
    const land = lands[game][position] ?? (game === 'rok' ? opened[position - lands.rok.length] : undefined);
    if (!land || count <= 0) return [];
    const day = daysAt(at);
    return strongest(lands[game], land, day, count).map((person) =>
      PLACES[game].row({ person, kingdom, day, alliance: allianceOf(land, person, day) }),
    );
  }

  const span = (game: GameId) =>
    `${GAMES[game].short} ${GAMES[game].kingdom.many} ${kingdoms(game).at(0)}–${kingdoms(game).at(-1)}`;

  return {
    name: SIMULATED,
    describe: () => `the simulated world: ${span('rok')} and ${span('cod')}`,
    kingdoms,
    rows,
    wars: (game, at) => warsOf(game, seed, kingdoms(game), at),
    // `scan` itself reports unknown kingdoms.
    canScan: async () => ({ rok: 'all', cod: 'all' }),
    async scan(game, kingdom_id, at) {
      if (game === 'rok' && opened.some(({ realm }) => realm.kingdom === kingdom_id)) {
        const arrival = arrivals.get(kingdom_id) ?? at + GETTING_THERE;
        arrivals.set(kingdom_id, arrival);
        if (at < arrival) return { preparing: Math.ceil((arrival - at) / 60_000) };
      }
      const all = rows(game, kingdom_id, at, Infinity);
      if (all.length > 0) return { captured_at: at, source: SIMULATED, rows: all };
      return { unknown: `${kingdomTitle(game, kingdom_id)} is not in the simulated world, which has ${span(game)}.` };
    },
  };
}

const landsOf = (game: GameId, worldSeed: number): Land[] =>
  Array.from({ length: PLACES[game].count }, (_, position) => landOf(game, worldSeed, position));

/** New kingdoms, which nobody has left or joined yet. */
const newLandsOf = (game: GameId, worldSeed: number): Land[] =>
  Array.from({ length: NEW_KINGDOMS }, (_, index) => ({
    ...landOf(game, worldSeed, PLACES[game].count + index, PLACES[game].count + NEW_KINGDOMS),
    roamers: new Set<number>(),
  }));

/** Builds the kingdom at a position, in a game with `count` kingdoms. */
function landOf(game: GameId, worldSeed: number, position: number, count = PLACES[game].count): Land {
  const { first } = PLACES[game];
  const kingdom = first + position;
  const seed = mix(worldSeed, first, kingdom);
  const group = Math.floor(position / KINGDOMS_PER_WAR);
  // New kingdoms have wars of their own.
  const groups = Math.ceil(PLACES[game].count / KINGDOMS_PER_WAR);
  const { camp, camps } = campOf(game, position, count);
  const realm: Realm = {
    seed,
    kingdom,
    position,
    size: 2000 + (mix(seed, 1) % 4000),
    strength: 0.6 + 0.7 * unit(seed, 2),
    tongue: unit(seed, 3),
    warPhase: phaseOf(worldSeed, first, group, groups),
    turn: camp / camps,
    campSeed: campSeed(worldSeed, first, group, camp),
  };
  const alliances = allianceNames(seed, Math.ceil(realm.size / PER_ALLIANCE)).map((alliance, number) => ({
    ...alliance,
    id: kingdom * 100 + number,
  }));
  return { realm, alliances, roamers: roamersOf(realm) };
}

/** About one in sixty of the middle ranks moves between kingdoms. */
const roamersOf = (realm: Realm): Set<number> =>
  new Set(
    Array.from({ length: 600 }, (_, index) => index).filter(
      (index) => index >= 20 && mix(realm.seed, index, 2) % 60 === 0,
    ),
  );

/** Days before a roamer may move again. */
const STAY = 120;

/** Returns the position of the kingdom where a roamer is. */
function whereabouts(person: Person, day: number, kingdoms: number): number {
  const stay = Math.floor((playedUntil(person, day) + STAY * unit(person.seed, 12)) / STAY);
  const home = stay === 0 || unit(person.seed, 13, stay) < 0.4;
  return home ? person.realm.position : mix(person.seed, 14, stay) % kingdoms;
}

/** Returns the strongest governors in a kingdom by power: natives who are present and roamers who came. */
function strongest(lands: readonly Land[], land: Land, day: number, count: number): Person[] {
  const { realm, roamers } = land;
  const people: Person[] = [];
  const natives = reach(realm, count + roamers.size);
  for (let index = 0; index < natives; index++) if (!roamers.has(index)) people.push(personOf(realm, index));
  for (const { realm: origin, roamers: restless } of lands)
    for (const index of restless) {
      const person = personOf(origin, index);
      if (whereabouts(person, day, lands.length) === realm.position) people.push(person);
    }
  return people
    .map((person) => ({ person, power: powerAt(person, day) }))
    .sort((a, b) => b.power - a.power || a.person.id - b.person.id)
    .slice(0, count)
    .map(({ person }) => person);
}

/** Returns how many places, from the strongest, can contain the `count` strongest. Those further down are too weak. */
function reach(realm: Realm, count: number): number {
  if (count >= realm.size) return realm.size;
  const least = standing(realm, count - 1) * LEAST;
  let low = count;
  let high = realm.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (standing(realm, middle) * MOST < least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns a governor's alliance in their current kingdom. Weak governors often have none. */
function allianceOf(land: Land, person: Person, day: number): Land['alliances'][number] | null {
  const version = changes(person, REALLIED, 0.1, 75, day);
  const chance = unit(person.seed, 15, version, land.realm.kingdom);
  const depth = person.index / land.realm.size;
  if (chance < 0.03 + 0.4 * depth) return null;
  const many = land.alliances.length;
  const place = Math.floor(depth * many * (0.6 + 0.8 * unit(person.seed, 16, version)));
  // The weakest spread over all alliances.
  return land.alliances[place < many ? place : mix(person.seed, 17, version) % many] ?? null;
}
