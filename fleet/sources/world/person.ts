import { DAY_MS } from '../../../domain/days.ts';
import { mix, unit } from './chance.ts';

/** One inhabitant of the simulated world, with the few figures from which all others follow. */

/** The day on which the world begins; nothing changes before it. */
export const BEGINNING = Date.UTC(2023, 0, 1);

/** Days since the beginning, including fractions. */
export const daysAt = (at: number): number => Math.max(0, (at - BEGINNING) / DAY_MS);

/** The constant properties of a kingdom. */
export interface Realm {
  seed: number;
  kingdom: number;
  /** Position among the game's kingdoms, from 0. */
  position: number;
  size: number;
  /** Relative power of its governors, 0.6 to 1.3. */
  strength: number;
  /** Selects the script that half of its people use, 0 up to 1. */
  tongue: number;
  /** Offset of its wars in days; equal for kingdoms that fight each other. */
  warPhase: number;
  /** Its side in these wars, 0 up to 1. Sides fight their battles one after the other. */
  turn: number;
  /** Seed of its side's luck. */
  campSeed: number;
}

export interface Person {
  realm: Realm;
  /** Place in the realm's natural order of strength, from 0. */
  index: number;
  /** Seed of all of this person's random values. */
  seed: number;
  id: number;
}

const PEOPLE_PER_REALM = 10_000;
/** A prime. Multiplying by a smaller number modulo this scatters ids without collisions. */
const IDS = 189_999_989;

export function personOf(realm: Realm, index: number): Person {
  const number = realm.position * PEOPLE_PER_REALM + index + 1;
  return { realm, index, seed: mix(realm.seed, index, 1), id: 10_000_000 + ((number * 7_368_787) % IDS) };
}

/** Power of the strongest governor in a realm of strength 1. */
export const TOP_POWER = 190e6;

/** Returns the typical power at place `index` of a realm: a power law with an exponential tail. */
export const standing = (realm: Realm, index: number): number =>
  realm.strength * TOP_POWER * ((index + 6) / 6) ** -0.42 * Math.exp(-index / 1200);

/** Limits of a person's power, relative to the typical power of their place. */
export const LEAST = 0.64;
export const MOST = 1.34;

/** Returns the day up to which a person plays. One in eight stops some day. */
export const playedUntil = (person: Person, day: number): number =>
  unit(person.seed, 2) < 0.125 ? Math.min(day, 1500 * unit(person.seed, 3)) : day;

/** Returns the highest power so far. It always grows, fast at first, and faster for some. */
export function peakPower(person: Person, day: number): number {
  const speed = 0.2 + 2.8 * unit(person.seed, 4) ** 2;
  const grown = 1 - Math.exp((-speed * playedUntil(person, day)) / 800);
  const place = 0.9 + 0.2 * unit(person.seed, 5);
  return Math.floor(standing(person.realm, person.index) * place * (0.8 + 0.4 * grown));
}

/** Returns the current power. Troops lost in a running war are not yet trained again. */
export function powerAt(person: Person, day: number): number {
  const war = worldWarOf(person.realm, playedUntil(person, day));
  const lost = 0.1 * unit(person.seed, 6, war.number) * Math.sin(Math.PI * war.progress);
  return Math.floor(peakPower(person, day) * (1 - lost));
}

/** Days between wars, the day of the cycle on which fighting starts, and its duration. */
export const WAR_CYCLE = 70;
export const WAR_START = 25;
export const WAR_DAYS = 35;

/** Returns the current war's number and its progress from 0 to 1. Battles alternate with quiet days. */
export function worldWarOf(realm: Realm, day: number): { number: number; progress: number } {
  const time = day + realm.warPhase;
  const number = Math.floor(time / WAR_CYCLE);
  const share = Math.min(1, Math.max(0, (time - number * WAR_CYCLE - WAR_START) / WAR_DAYS));
  const turn = 2 * Math.PI * realm.turn;
  // The slope stays above a tenth, so that counters derived from it never fall.
  const battles = 0.9 * (Math.sin(10 * Math.PI * share + turn) - Math.sin(turn));
  return { number, progress: share + battles / (10 * Math.PI) };
}

/** Returns how well a war went for a side, 0 to 1. */
export const luckOf = ({ campSeed }: Realm, war: number): number => unit(campSeed, 78, war);

/**
 * Returns how much a person has fought, in wars. A war counts between 0.1 and 1.9, depending on the person and the
 * side's luck. Never falls.
 */
export function fought(person: Person, day: number): number {
  const { number, progress } = worldWarOf(person.realm, playedUntil(person, day));
  const upTo = (war: number) => war + 0.6 * unit(person.seed, 7, war) + 0.3 * luckOf(person.realm, war);
  const before = upTo(number);
  const after = upTo(number + 1);
  const now = progress <= 0 ? before : progress >= 1 ? after : Math.min(after, before + (after - before) * progress);
  // Experience from before the beginning.
  return now + 4 + 6 * unit(person.seed, 8);
}

/** Returns how often a property of a person has changed by that day. Only a share of people ever changes it. */
export function changes(person: Person, what: number, share: number, days: number, day: number): number {
  if (unit(person.seed, 9, what) >= share) return 0;
  const phase = unit(person.seed, 10, what) * days;
  return Math.floor((playedUntil(person, day) + phase) / (days * (0.6 + 0.8 * unit(person.seed, 11, what))));
}
