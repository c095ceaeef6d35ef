/**
 * The two games as data. Each column is declared once, here. Row schemas, Parquet columns, csv headers, xlsx formats,
 * table columns and the import of other tools' files are derived from it. Code that depends on the game reads a value
 * from this table instead of branching.
 */

import { CAMPS, type Camp } from './camps.ts';
import { GAME_NAMES, type GameId, type GameNames, MAX_KINGDOM } from './game-names.ts';

export { GAME_IDS, type GameId, isGameId, type Noun, type Roles } from './game-names.ts';

/** `integer` is exact up to 2^53, `decimal` is finite, and neither is negative. `text` is any Unicode. */
export type ColumnType = 'integer' | 'decimal' | 'text';

export interface Column {
  /** Name in the API, in csv headers and in Parquet: the specification's row key. */
  key: string;
  /** Heading that people read. */
  title: string;
  type: ColumnType;
  /** Read only when a governor's profile is opened (`full_profile`), not from the ranking list. */
  profile?: true;
  /** A counter that never falls in the game. A fall means that one of two readings is wrong. */
  lifetime?: true;
  /** A counter that restarts with each season. Within a season it never falls. */
  seasonal?: true;
  /** A number that identifies something, so it is never added or subtracted. */
  ident?: true;
  /** 1 for yes and 0 for no; files may contain `True` and `False`. */
  flag?: true;
  /**
   * Muster's own remark on the row. Bots do not hand it in, files are not searched for it, and its changes are not
   * reported.
   */
  ours?: true;
  /** The game's exports write 0 as `-` in this column. If the row's kills by tier are `-` too, it is unknown. */
  dashIsZero?: true;
  /** The highest plausible value; higher ones are refused. Numbers have one, texts do not. */
  most?: number;
  /** Headers in other tools' files, compared without case, spaces and punctuation. */
  aliases: readonly string[];
}

export interface Game extends GameNames {
  /** The game's release in epoch milliseconds; no scan is older. */
  released: number;
  /** In the order of files and tables. The `lead` columns come first and are in every file. */
  columns: readonly Column[];
  /** Keys of the order-results table, in the specification's order. */
  lead: readonly string[];
  /** The counter of all kills, including those by tier; null if the game has none. */
  allKills: string | null;
  /** Points per kill of T1 … T5; null if the score does not follow from kills. */
  killPoints: readonly [number, number, number, number, number] | null;
  /** The column of a governor's map, which changes at a season's start; null if the game has none. */
  map: string | null;
  camps: readonly Camp[];
}

const text = (key: string, title: string, ...aliases: string[]): Column => ({ key, title, type: 'text', aliases });
const listed = (key: string, title: string, ...aliases: string[]): Column => ({
  key,
  title,
  type: 'integer',
  aliases,
});
const ident = (key: string, title: string, ...aliases: string[]): Column => ({
  ...listed(key, title, ...aliases),
  ident: true,
});
const profile = (key: string, title: string, ...aliases: string[]): Column => ({
  ...listed(key, title, ...aliases),
  profile: true,
});
const counter = (key: string, title: string, ...aliases: string[]): Column => ({
  ...profile(key, title, ...aliases),
  lifetime: true,
});
/** Returns the kill column of each tier. `aliases` returns those of one tier. */
const tierKills = (aliases: (tier: number) => string[]): Column[] =>
  [1, 2, 3, 4, 5].map((tier) =>
    counter(`killcount_t${tier}`, `T${tier} Kills`, `T${tier} Kill`, `Kills T${tier}`, ...aliases(tier)),
  );
const perBattle = (key: string, title: string, ...aliases: string[]): Column => ({
  ...profile(key, title, ...aliases),
  type: 'decimal',
});
const profileText = (key: string, title: string, ...aliases: string[]): Column => ({
  ...text(key, title, ...aliases),
  profile: true,
});

/** The row's figures that sums exclude (domain/scans/quality.ts). */
const DOUBTED: Column = { key: 'doubted', title: 'In doubt', type: 'text', ours: true, aliases: [] };
/**
 * At least ten thousand times what real scans show. Sums of such figures stay exact, and a higher figure comes from a
 * bot that invents it or a file with shifted columns.
 */
const MOST_COUNT = 1e10;
const MOST_ID = 1e13;
const MOST_POWER = 1e13;
const MOST_KILLS = 1e15;
const MOST_RESOURCES = 4e15;

/** Adds the highest value to each numeric column; those not named in `most` are counts. */
const bounded = (columns: readonly Column[], most: readonly (readonly [number, readonly string[]])[]): Column[] =>
  columns.map((column) =>
    column.type === 'text'
      ? column
      : { ...column, most: most.find(([, keys]) => keys.includes(column.key))?.[0] ?? MOST_COUNT },
  );

/** How badly the row was read (domain/scans/quality.ts); empty if there is no objection. */
const QUALITY: Column = { key: 'quality', title: 'Quality', type: 'text', ours: true, aliases: [] };

const rok: Game = {
  ...GAME_NAMES.rok,
  released: Date.UTC(2018, 8, 20),
  lead: [
    'governor_id',
    'alliance_tag',
    'home_kingdom',
    'name',
    'power',
    'killpoints',
    'town_center',
    'deads',
    ...GAME_NAMES.rok.roles.tiers,
    'highest_power',
  ],
  allKills: null,
  map: null,
  killPoints: [0.2, 2, 4, 10, 20],
  columns: bounded(
    [
      ident('governor_id', 'Governor ID', 'ID', 'Character ID', 'Player ID'),
      text('alliance_tag', 'Alliance Tag', 'Tag'),
      ident('home_kingdom', 'Kingdom ID', 'Kingdom'),
      text('name', 'Name', 'Governor Name', 'Username', 'Player Name', 'Player', 'Governor'),
      listed('power', 'Power'),
      counter('killpoints', 'Killpoints', 'Kill Points', 'Total Kill Points', 'Kill Score'),
      profile('town_center', 'City Hall', 'Town Hall', 'City Hall Level'),
      counter('deads', 'Deads', 'Deaths', 'Dead', 'Dead Troops', 'Total Deaths', 'Unit Lost', 'Units Lost'),
      ...tierKills((tier) => [`T${tier}`, `Tier ${tier} Kills`, `Tier ${tier} Kill`]),
      profile('highest_power', 'Highest Power', 'Power Peak', 'Peak Power', 'Max Power'),
      text('alliance_name', 'Alliance Name'),
      { ...profile('domain', 'Domain ID', 'Domain'), ident: true },
      counter('ranged_points', 'Ranged Points', 'Ranged'),
      profile('acclaim', 'Acclaim', 'Aclaim'),
      profile('highest_acclaim', 'Highest Acclaim', 'High Aclaim', 'High Acclaim'),
      profile('troop_power', 'Troop Power'),
      profile('tech_power', 'Tech Power'),
      profile('building_power', 'Building Power'),
      profile('commander_power', 'Commander Power'),
      counter('rss_gathered', 'Resources Gathered', 'Rss Gathered', 'Rss'),
      counter('rss_given', 'Resources Given', 'RSS Assistance', 'Rss Given', 'Assistance', 'Res Trade'),
      counter('helps_given', 'Helps Given', 'Helps', 'Alliance Helps', 'Alliance Help'),
      counter('helps_received', 'Helps Received'),
      profileText('civilization', 'Civilization'),
      counter('missions_completed', 'Missions Completed'),
      profile('achievement_points', 'Achievement Points'),
      profile('autarch_count', 'Autarch Count'),
      profile('lost_kingdom_count', 'Lost Kingdom Count'),
      profile('lost_kingdom_most_killed', 'LK Most Killed', 'KvK Kills High'),
      profile('lost_kingdom_most_lost', 'LK Most Lost', 'KvK Deads High'),
      profile('lost_kingdom_most_healed', 'LK Most Healed', 'KvK Severely Wounds High'),
      profileText('olympia_current_league', 'Current League'),
      profileText('olympia_highest_league', 'Highest League'),
      profile('olympia_battle_count', 'Olympia Battles'),
      profile('olympia_wins', 'Olympia Wins'),
      profile('olympia_likes', 'Olympia Likes'),
      profile('ark_battles_count', 'Ark Battles'),
      profile('ark_wins', 'Ark Wins'),
      perBattle('ark_kills_per_battle', 'Ark Kills per Battle', 'Ark Kills/Battle', 'Ark Kills'),
      perBattle('ark_sevs_per_battle', 'Ark Sevs per Battle', 'Ark Sevs/Battle', 'Ark Sevs'),
      perBattle('ark_healed_per_battle', 'Ark Healed per Battle', 'Ark Healed/Battle', 'Ark Healed'),
      profile('ark_osiris_count', 'Ark Osiris Count'),
      profile('ark_championship_count', 'Ark Championship Count'),
      profileText('utc_offset', 'UTC Offset'),
      counter('deads_t4', 'T4 Deads', 'T4 Deaths'),
      counter('deads_t5', 'T5 Deads', 'T5 Deaths'),
      DOUBTED,
      QUALITY,
    ],
    [
      [MOST_ID, ['governor_id']],
      [MAX_KINGDOM, ['home_kingdom']],
      [MOST_POWER, ['power', 'highest_power', 'troop_power', 'tech_power', 'building_power', 'commander_power']],
      [MOST_KILLS, ['killpoints', 'ranged_points', 'deads', ...GAME_NAMES.rok.roles.tiers]],
      [MOST_KILLS, ['acclaim', 'highest_acclaim', 'lost_kingdom_most_killed', 'lost_kingdom_most_lost']],
      [
        MOST_KILLS,
        ['lost_kingdom_most_healed', 'ark_kills_per_battle', 'ark_sevs_per_battle', 'ark_healed_per_battle'],
      ],
      [MOST_RESOURCES, ['rss_gathered', 'rss_given']],
    ],
  ),
  camps: CAMPS,
};

const cod: Game = {
  ...GAME_NAMES.cod,
  released: Date.UTC(2023, 2, 28),
  lead: [
    'lord_id',
    'alliance_tag',
    'home_server',
    'name',
    'power',
    'merits',
    'town_center',
    'units_dead',
    ...GAME_NAMES.cod.roles.tiers,
    'highest_power',
  ],
  allKills: 'units_killed',
  map: 'map_id',
  killPoints: null,
  columns: bounded(
    [
      ident('lord_id', 'Lord ID', 'Character ID'),
      text('alliance_tag', 'Alliance Tag'),
      ident('home_server', 'Server', 'Home Server', 'Division'),
      text('name', 'Name', 'Character Name'),
      listed('power', 'Power', 'Current Power'),
      // Merits restart with each season, so they are not a lifetime counter.
      { ...profile('merits', 'Merits', 'Total Merits'), seasonal: true, dashIsZero: true },
      profile('town_center', 'City Level', 'Town Center'),
      counter('units_dead', 'Units Dead', 'Deaths'),
      ...tierKills((tier) => [`T${tier} Kill Count`]),
      profile('highest_power', 'Highest Power', 'Historical Highest Power'),
      ident('alliance_id', 'Alliance ID'),
      ident('map_id', 'Map ID'),
      { ...ident('in_power_rankings', 'In Power Rankings'), flag: true },
      profileText('faction', 'Faction'),
      { ...counter('units_killed', 'Units Killed'), dashIsZero: true },
      counter('units_healed', 'Units Healed', 'Healing'),
      profile('legion_power', 'Legion Power'),
      profile('tech_power', 'Tech Power'),
      profile('building_power', 'Building Power'),
      profile('hero_power', 'Hero Power'),
      counter('victories', 'Victories'),
      counter('defeats', 'Defeats'),
      counter('city_sieges', 'City Sieges'),
      counter('scouted', 'Scouted'),
      counter('helps_given', 'Helps Given'),
      profile('gold', 'Gold'),
      profile('wood', 'Wood'),
      profile('ore', 'Ore'),
      profile('mana', 'Mana'),
      profile('gems', 'Gems'),
      counter('gold_spent', 'Gold Spent'),
      counter('wood_spent', 'Wood Spent'),
      counter('stone_spent', 'Ore Spent', 'Stone Spent'),
      counter('mana_spent', 'Mana Spent'),
      counter('gems_spent', 'Gems Spent'),
      counter('resources_given', 'Resources Given', 'Donations'),
      counter('resources_given_count', 'Resources Given Count'),
      { ...profile('merits_enemy', 'Enemy Merits'), seasonal: true },
      counter('deads_t4', 'T4 Dead'),
      counter('deads_t5', 'T5 Dead'),
      DOUBTED,
      QUALITY,
    ],
    [
      [MAX_KINGDOM, ['home_server']],
      [MOST_ID, ['lord_id', 'alliance_id']],
      [MOST_POWER, ['power', 'highest_power', 'legion_power', 'tech_power', 'building_power', 'hero_power']],
      [MOST_KILLS, ['merits', 'units_dead', 'units_killed', 'units_healed', ...GAME_NAMES.cod.roles.tiers]],
      [MOST_RESOURCES, ['gold', 'wood', 'ore', 'mana', 'gems', 'resources_given']],
      [MOST_RESOURCES, ['gold_spent', 'wood_spent', 'stone_spent', 'mana_spent', 'gems_spent']],
    ],
  ),
  camps: CAMPS,
};

export const GAMES: Readonly<Record<GameId, Game>> = { rok, cod };

const byKey = {
  rok: new Map(rok.columns.map((column) => [column.key, column])),
  cod: new Map(cod.columns.map((column) => [column.key, column])),
};

/** Returns a game's column by key, or undefined. */
export const columnOf = (game: GameId, key: string): Column | undefined => byKey[game].get(key);
