/**
 * The two games as data. Each column is declared once, here. Row schemas, Parquet columns, csv headers, xlsx formats,
 * table columns and the import of other tools' files are derived from it. Code that depends on the game reads a value
 * from this table instead of branching.
 */

import { message } from '../language/text.ts';
import { CAMPS, type Camp } from './camps.ts';
import { GAME_NAMES, type GameId, type GameNames, MAX_KINGDOM } from './game-names.ts';

export { GAME_IDS, type GameId, isGameId, type Noun, type Roles } from './game-names.ts';

/** `integer` is exact up to 2^53, `decimal` is finite, and neither is negative. `text` is any Unicode. */
export type ColumnType = 'integer' | 'decimal' | 'text';

export interface Column {
  /** Name in the API, in csv headers and in Parquet: the specification's row key. */
  key: string;
  /** Heading that people read: a marked message, in English in files. */
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
const TIER_KILLS = [
  message('T1 Kills'),
  message('T2 Kills'),
  message('T3 Kills'),
  message('T4 Kills'),
  message('T5 Kills'),
];
/** Returns the kill column of each tier. `aliases` returns those of one tier. */
const tierKills = (aliases: (tier: number) => string[]): Column[] =>
  TIER_KILLS.map((title, index) => {
    const tier = index + 1;
    return counter(`killcount_t${tier}`, title, `T${tier} Kill`, `Kills T${tier}`, ...aliases(tier));
  });
const perBattle = (key: string, title: string, ...aliases: string[]): Column => ({
  ...profile(key, title, ...aliases),
  type: 'decimal',
});
const profileText = (key: string, title: string, ...aliases: string[]): Column => ({
  ...text(key, title, ...aliases),
  profile: true,
});

/** The row's figures that sums exclude (domain/scans/quality.ts). */
const DOUBTED: Column = { key: 'doubted', title: message('In doubt'), type: 'text', ours: true, aliases: [] };
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
const QUALITY: Column = { key: 'quality', title: message('Quality'), type: 'text', ours: true, aliases: [] };

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
      ident('governor_id', message('Governor ID'), 'ID', 'Character ID', 'Player ID'),
      text('alliance_tag', message('Alliance Tag'), 'Tag'),
      ident('home_kingdom', message('Kingdom ID'), 'Kingdom'),
      text('name', message('Name'), 'Governor Name', 'Username', 'Player Name', 'Player', 'Governor'),
      listed('power', message('Power')),
      counter('killpoints', message('Killpoints'), 'Kill Points', 'Total Kill Points', 'Kill Score'),
      profile('town_center', message('City Hall'), 'Town Hall', 'City Hall Level'),
      counter('deads', message('Deads'), 'Deaths', 'Dead', 'Dead Troops', 'Total Deaths', 'Unit Lost', 'Units Lost'),
      ...tierKills((tier) => [`T${tier}`, `Tier ${tier} Kills`, `Tier ${tier} Kill`]),
      profile('highest_power', message('Highest Power'), 'Power Peak', 'Peak Power', 'Max Power'),
      text('alliance_name', message('Alliance Name')),
      { ...profile('domain', message('Domain ID'), 'Domain'), ident: true },
      counter('ranged_points', message('Ranged Points'), 'Ranged'),
      profile('acclaim', message('Acclaim'), 'Aclaim'),
      profile('highest_acclaim', message('Highest Acclaim'), 'High Aclaim', 'High Acclaim'),
      profile('troop_power', message('Troop Power')),
      profile('tech_power', message('Tech Power')),
      profile('building_power', message('Building Power')),
      profile('commander_power', message('Commander Power')),
      counter('rss_gathered', message('Resources Gathered'), 'Rss Gathered', 'Rss'),
      counter('rss_given', message('Resources Given'), 'RSS Assistance', 'Rss Given', 'Assistance', 'Res Trade'),
      counter('helps_given', message('Helps Given'), 'Helps', 'Alliance Helps', 'Alliance Help'),
      counter('helps_received', message('Helps Received')),
      profileText('civilization', message('Civilization')),
      counter('missions_completed', message('Missions Completed')),
      profile('achievement_points', message('Achievement Points')),
      profile('autarch_count', message('Autarch Count')),
      profile('lost_kingdom_count', message('Lost Kingdom Count')),
      profile('lost_kingdom_most_killed', message('LK Most Killed'), 'KvK Kills High'),
      profile('lost_kingdom_most_lost', message('LK Most Lost'), 'KvK Deads High'),
      profile('lost_kingdom_most_healed', message('LK Most Healed'), 'KvK Severely Wounds High'),
      profileText('olympia_current_league', message('Current League')),
      profileText('olympia_highest_league', message('Highest League')),
      profile('olympia_battle_count', message('Olympia Battles')),
      profile('olympia_wins', message('Olympia Wins')),
      profile('olympia_likes', message('Olympia Likes')),
      profile('ark_battles_count', message('Ark Battles')),
      profile('ark_wins', message('Ark Wins')),
      perBattle('ark_kills_per_battle', message('Ark Kills per Battle'), 'Ark Kills/Battle', 'Ark Kills'),
      perBattle('ark_sevs_per_battle', message('Ark Sevs per Battle'), 'Ark Sevs/Battle', 'Ark Sevs'),
      perBattle('ark_healed_per_battle', message('Ark Healed per Battle'), 'Ark Healed/Battle', 'Ark Healed'),
      profile('ark_osiris_count', message('Ark Osiris Count')),
      profile('ark_championship_count', message('Ark Championship Count')),
      profileText('utc_offset', message('UTC Offset')),
      counter('deads_t4', message('T4 Deads'), 'T4 Deaths', 'T4 Dead'),
      counter('deads_t5', message('T5 Deads'), 'T5 Deaths', 'T5 Dead'),
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
      ident('lord_id', message('Lord ID'), 'Character ID'),
      text('alliance_tag', message('Alliance Tag')),
      ident('home_server', message('Server'), 'Home Server', 'Division'),
      text('name', message('Name'), 'Character Name'),
      listed('power', message('Power'), 'Current Power'),
      // Merits restart with each season, so they are not a lifetime counter.
      { ...profile('merits', message('Merits'), 'Total Merits'), seasonal: true, dashIsZero: true },
      profile('town_center', message('City Level'), 'Town Center'),
      counter('units_dead', message('Units Dead'), 'Deaths'),
      ...tierKills((tier) => [`T${tier} Kill Count`]),
      profile('highest_power', message('Highest Power'), 'Historical Highest Power'),
      ident('alliance_id', message('Alliance ID')),
      ident('map_id', message('Map ID')),
      { ...ident('in_power_rankings', message('In Power Rankings')), flag: true },
      profileText('faction', message('Faction')),
      { ...counter('units_killed', message('Units Killed')), dashIsZero: true },
      counter('units_healed', message('Units Healed'), 'Healing'),
      profile('legion_power', message('Legion Power')),
      profile('tech_power', message('Tech Power')),
      profile('building_power', message('Building Power')),
      profile('hero_power', message('Hero Power')),
      counter('victories', message('Victories')),
      counter('defeats', message('Defeats')),
      counter('city_sieges', message('City Sieges')),
      counter('scouted', message('Scouted')),
      counter('helps_given', message('Helps Given')),
      profile('gold', message('Gold')),
      profile('wood', message('Wood')),
      profile('ore', message('Ore')),
      profile('mana', message('Mana')),
      profile('gems', message('Gems')),
      counter('gold_spent', message('Gold Spent')),
      counter('wood_spent', message('Wood Spent')),
      counter('stone_spent', message('Ore Spent'), 'Stone Spent'),
      counter('mana_spent', message('Mana Spent')),
      counter('gems_spent', message('Gems Spent')),
      counter('resources_given', message('Resources Given'), 'Donations'),
      counter('resources_given_count', message('Resources Given Count')),
      { ...profile('merits_enemy', message('Enemy Merits')), seasonal: true },
      counter('deads_t4', message('T4 Dead')),
      counter('deads_t5', message('T5 Dead')),
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
