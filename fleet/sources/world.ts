import { GAMES, type GameId } from '../../domain/games/games.ts';
import { SIMULATED } from '../../domain/orders/contract.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { type Source, titleOf } from './source.ts';
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
 * The simulated world: made-up kingdoms of both games whose governors grow, fight, rename themselves, change their
 * alliance and sometimes move. A pure function of the seed, the kingdom and the moment: any day can be asked for, in
 * any order, and says the same every time. Lifetime counters never fall and kill points follow from kills.
 *
 * Rise of Kingdoms has the kingdoms 1001–1040, Call of Dragons the servers 101–120. The kingdoms 1041–1044 have just
 * been opened: bots need a while to get there, once in each process. There are no others.
 */
export interface World extends Source {
  /** The kingdoms of a game, ascending. */
  kingdoms(game: GameId): number[];
  /** The `count` strongest governors of a kingdom at `at` (epoch milliseconds), by power; [] for one that is not. */
  rows(game: GameId, kingdom: number, at: number, count: number): Row[];
  /** Of each group of kingdoms that fight each other the last war that had begun by `at`. */
  wars(game: GameId, at: number): War[];
}

const PLACES: Record<GameId, { first: number; count: number; row(presence: Presence): Row }> = {
  rok: { first: 1001, count: 40, row: rokRow },
  cod: { first: 101, count: 20, row: codRow },
};

/** Kingdoms that have just been opened, after the others. */
const NEW_KINGDOMS = 4;
/** How long bots need to get into a new kingdom, in milliseconds. */
const GETTING_THERE = 2 * 60_000;

/** How many governors there are for each alliance of a kingdom. */
const PER_ALLIANCE = 160;
const REALLIED = 2;

interface Land {
  realm: Realm;
  alliances: (Alliance & { id: number })[];
  /** Those of its people who move from kingdom to kingdom, by index. */
  roamers: ReadonlySet<number>;
}

/** The simulated world of a seed. */
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
    // It says itself which kingdoms there are.
    canScan: async () => ({ rok: 'all', cod: 'all' }),
    async scan(game, kingdom_id, at) {
      if (game === 'rok' && opened.some(({ realm }) => realm.kingdom === kingdom_id)) {
        const arrival = arrivals.get(kingdom_id) ?? at + GETTING_THERE;
        arrivals.set(kingdom_id, arrival);
        if (at < arrival) return { preparing: Math.ceil((arrival - at) / 60_000) };
      }
      const all = rows(game, kingdom_id, at, Infinity);
      if (all.length > 0) return { captured_at: at, source: SIMULATED, rows: all };
      return { unknown: `${titleOf(game, kingdom_id)} is not in the simulated world, which has ${span(game)}.` };
    },
  };
}

const landsOf = (game: GameId, worldSeed: number): Land[] =>
  Array.from({ length: PLACES[game].count }, (_, position) => landOf(game, worldSeed, position));

/** Nobody has left a new kingdom yet, and nobody has come. */
const newLandsOf = (game: GameId, worldSeed: number): Land[] =>
  Array.from({ length: NEW_KINGDOMS }, (_, index) => ({
    ...landOf(game, worldSeed, PLACES[game].count + index, PLACES[game].count + NEW_KINGDOMS),
    roamers: new Set<number>(),
  }));

/** The land at a position of a game that has so many kingdoms. */
function landOf(game: GameId, worldSeed: number, position: number, count = PLACES[game].count): Land {
  const { first } = PLACES[game];
  const kingdom = first + position;
  const seed = mix(worldSeed, first, kingdom);
  const group = Math.floor(position / KINGDOMS_PER_WAR);
  // Kingdoms that have just been opened have wars of their own.
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

/** About one in sixty of the middle ranks roams. */
const roamersOf = (realm: Realm): Set<number> =>
  new Set(
    Array.from({ length: 600 }, (_, index) => index).filter(
      (index) => index >= 20 && mix(realm.seed, index, 2) % 60 === 0,
    ),
  );

/** Days that a roamer stays before he may move again. */
const STAY = 120;

/** The position of the kingdom where a roamer is. */
function whereabouts(person: Person, day: number, kingdoms: number): number {
  const stay = Math.floor((playedUntil(person, day) + STAY * unit(person.seed, 12)) / STAY);
  const home = stay === 0 || unit(person.seed, 13, stay) < 0.4;
  return home ? person.realm.position : mix(person.seed, 14, stay) % kingdoms;
}

/** The strongest people of a land, natives who are there and roamers who came, by power. */
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

/** How many places, from the strongest, can hold one of the `count` strongest: those further down are too weak. */
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

/** The alliance of a person in the land where he is; the weak often have none. */
function allianceOf(land: Land, person: Person, day: number): Land['alliances'][number] | null {
  const version = changes(person, REALLIED, 0.1, 75, day);
  const chance = unit(person.seed, 15, version, land.realm.kingdom);
  const depth = person.index / land.realm.size;
  if (chance < 0.03 + 0.4 * depth) return null;
  const many = land.alliances.length;
  const place = Math.floor(depth * many * (0.6 + 0.8 * unit(person.seed, 16, version)));
  // Past the last one: the weakest spread over all.
  return land.alliances[place < many ? place : mix(person.seed, 17, version) % many] ?? null;
}
