import { GAMES } from '../../../domain/games/games.ts';
import { killPoints } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { mix, pick, unit } from './chance.ts';
import { type Alliance, governorName } from './names.ts';
import {
  changes,
  fought,
  luckOf,
  type Person,
  peakPower,
  playedUntil,
  powerAt,
  standing,
  TOP_POWER,
  worldWarOf,
} from './person.ts';

/** A person at one time and place, with everything that their profile depends on. */
export interface Presence {
  person: Person;
  kingdom: number;
  alliance: (Alliance & { id: number }) | null;
  day: number;
}

const RENAMED = 1;
const MAXED_BUILDINGS = 19_350_352;
const MAXED_TECHNOLOGY = 31_342_718;
const CIVILIZATIONS =
  'Rome;Germany;Britain;France;Spain;China;Japan;Korea;Arabia;Ottoman;Byzantium;Vikings;Egypt;Greece'.split(';');
const FACTIONS = ['League of Order', 'Springwardens', 'Wilderburg'];

/** Computes the figures common to both games; each game derives its columns from them. */
function figures({ person, day }: Presence) {
  const { seed } = person;
  const wars = fought(person, day);
  const size = standing(person.realm, person.index) / TOP_POWER;
  const fighter = 0.15 + 2.2 * unit(seed, 20) ** 2;
  const perWar = 13e6 * size ** 1.05 * fighter;
  const days = playedUntil(person, day) + 300;
  const peak = peakPower(person, day);
  const kills = (weight: number, part: number) => Math.floor(perWar * weight * (0.4 + unit(seed, part)) * wars);
  return {
    seed,
    wars,
    days,
    perWar,
    peak,
    power: powerAt(person, day),
    name: governorName(mix(seed, 21, changes(person, RENAMED, 0.12, 90, day)), person.realm.tongue),
    tiers: [kills(0.5, 22), kills(0.06, 23), kills(0.09, 24), kills(1.1, 25), kills(0.9, 26)] as const,
    /** A counter that grows by about `each` per day. */
    daily: (each: number, part: number) => Math.floor(each * (0.2 + 1.6 * unit(seed, part)) * days),
    hall: Math.min(25, Math.max(10, Math.floor(25 + 4.2 * Math.log10(peak / 12e6)))),
    building: Math.min(MAXED_BUILDINGS, Math.floor(peak * 0.24)),
    technology: Math.min(MAXED_TECHNOLOGY, Math.floor(peak * 0.28)),
    heroes: Math.min(11_500_000, Math.floor(peak * (0.05 + 0.04 * unit(seed, 27)))),
  };
}

/** Returns a Rise of Kingdoms row with the whole profile. */
export function rokRow(presence: Presence): Row {
  const { person, kingdom, alliance, day } = presence;
  const f = figures(presence);
  const { seed } = f;
  const war = worldWarOf(person.realm, day);
  const battles = Math.floor((f.days / 14) * unit(seed, 40));
  const matches = f.daily(0.4, 41);
  const acclaim = Math.floor(f.perWar * 0.08 * war.progress);
  const deads = Math.floor(f.perWar * 0.09 * (0.3 + unit(seed, 28)) * f.wars);
  return {
    governor_id: person.id,
    alliance_tag: alliance?.tag ?? null,
    home_kingdom: kingdom,
    name: f.name,
    power: f.power,
    killpoints: killPoints(f.tiers, GAMES.rok.killPoints ?? []),
    town_center: f.hall,
    deads,
    killcount_t1: f.tiers[0],
    killcount_t2: f.tiers[1],
    killcount_t3: f.tiers[2],
    killcount_t4: f.tiers[3],
    killcount_t5: f.tiers[4],
    highest_power: f.peak,
    alliance_name: alliance?.name ?? null,
    domain: 0,
    ranged_points: Math.floor(f.perWar * 0.3 * unit(seed, 29) * f.wars),
    acclaim,
    highest_acclaim: Math.floor(f.perWar * 0.08),
    troop_power: Math.max(0, f.power - f.building - f.technology - f.heroes),
    tech_power: f.technology,
    building_power: f.building,
    commander_power: f.heroes,
    rss_gathered: f.daily(1.6e7, 30),
    rss_given: f.daily(3e6, 31),
    helps_given: f.daily(40, 32),
    helps_received: f.daily(35, 33),
    civilization: pick(CIVILIZATIONS, seed, 34),
    missions_completed: f.daily(6, 35),
    achievement_points: f.daily(7, 36),
    autarch_count: Math.floor(30 * unit(seed, 37) ** 4),
    lost_kingdom_count: Math.floor(f.wars / 2),
    lost_kingdom_most_killed: Math.floor(f.perWar * 2.4),
    lost_kingdom_most_lost: Math.floor(f.perWar * 0.16),
    lost_kingdom_most_healed: Math.floor(f.perWar * 1.9),
    olympia_current_league: `${mix(seed, 38) % 6}-${mix(seed, 38, war.number) % 4}-0`,
    olympia_highest_league: `${mix(seed, 38) % 6}-3-0`,
    olympia_battle_count: matches,
    olympia_wins: Math.floor(matches * (0.3 + 0.4 * unit(seed, 39))),
    olympia_likes: f.daily(0.05, 42),
    ark_battles_count: battles,
    ark_wins: Math.floor(battles * (0.3 + 0.5 * unit(seed, 43))),
    ark_kills_per_battle: Math.floor(f.perWar * 0.06),
    ark_sevs_per_battle: Math.floor(f.perWar * 0.03),
    ark_healed_per_battle: Math.floor(f.perWar * 0.028),
    ark_osiris_count: Math.floor(battles / 6),
    ark_championship_count: Math.floor(3 * unit(seed, 44) ** 6),
    utc_offset: String((mix(seed, 45) % 19) - 8),
    deads_t4: Math.floor(deads * 0.6),
    deads_t5: Math.floor(deads * 0.25),
  };
}

/** Returns a Call of Dragons row with the whole profile. */
export function codRow(presence: Presence): Row {
  const { person, kingdom, alliance, day } = presence;
  const f = figures(presence);
  const { seed } = f;
  const war = worldWarOf(person.realm, day);
  // Merits restart with every war, even for those who no longer play.
  const own = worldWarOf(person.realm, playedUntil(person, day));
  const earned = own.number === war.number ? own.progress : 0;
  const killed = f.tiers.reduce((sum, kills) => sum + kills, 0);
  const spent = (each: number, part: number) => f.daily(each * (f.peak / 50e6), part);
  const stock = (most: number, part: number) => Math.floor(most * unit(seed, part, Math.floor(day)) ** 2);
  const fighting = war.progress > 0 && war.progress < 1;
  const won = (0.3 + unit(seed, 46, war.number)) * (0.7 + 0.6 * luckOf(person.realm, war.number));
  const merits = Math.floor(f.perWar * 2.2 * won * earned);
  const deads = Math.floor(f.perWar * 0.07 * (0.3 + unit(seed, 28)) * f.wars);
  return {
    lord_id: person.id,
    alliance_tag: alliance?.tag ?? null,
    home_server: kingdom,
    name: f.name,
    power: f.power,
    merits,
    town_center: f.hall,
    units_dead: deads,
    killcount_t1: f.tiers[0],
    killcount_t2: f.tiers[1],
    killcount_t3: f.tiers[2],
    killcount_t4: f.tiers[3],
    killcount_t5: f.tiers[4],
    highest_power: f.peak,
    alliance_id: alliance?.id ?? null,
    map_id: fighting ? 27_000 + (war.number % 90) : kingdom,
    in_power_rankings: 1,
    faction: pick(FACTIONS, seed, 34),
    units_killed: Math.floor(killed * 1.01),
    units_healed: Math.floor(f.perWar * 0.9 * (0.3 + unit(seed, 47)) * f.wars),
    legion_power: Math.max(0, f.power - f.building - f.technology - f.heroes),
    tech_power: f.technology,
    building_power: f.building,
    hero_power: f.heroes,
    victories: f.daily(90, 48),
    defeats: f.daily(70, 49),
    city_sieges: f.daily(0.4, 50),
    scouted: f.daily(0.3, 51),
    helps_given: f.daily(40, 32),
    gold: stock(1.5e9, 52),
    wood: stock(1.2e9, 53),
    ore: stock(9e8, 54),
    mana: stock(2.5e9, 55),
    gems: stock(60_000, 56),
    gold_spent: spent(2.4e7, 57),
    wood_spent: spent(2.2e7, 58),
    stone_spent: spent(1.6e7, 59),
    mana_spent: spent(1.4e7, 60),
    gems_spent: f.daily(900, 61),
    resources_given: f.daily(2e6, 31),
    resources_given_count: f.daily(0.5, 62),
    merits_enemy: Math.floor(merits * 0.8),
    deads_t4: Math.floor(deads * 0.6),
    deads_t5: Math.floor(deads * 0.25),
  };
}
