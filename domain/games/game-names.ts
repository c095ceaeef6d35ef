/**
 * What the two games call things. Apart from their columns (games.ts), because every page needs the words and a
 * visitor's first one nothing else.
 */

export const GAME_IDS = ['rok', 'cod'] as const;
export type GameId = (typeof GAME_IDS)[number];

/** Which column plays which part: what both games have, under the names that each gives it. */
export interface Roles {
  id: string;
  name: string;
  kingdom: string;
  tag: string;
  power: string;
  highestPower: string;
  score: string;
  deads: string;
  hall: string;
  /** Kills by troop tier, T1 first. */
  tiers: readonly [string, string, string, string, string];
}

export interface Noun {
  one: string;
  many: string;
}

export interface GameNames {
  id: GameId;
  name: string;
  short: string;
  governor: Noun;
  kingdom: Noun;
  alliance: Noun;
  /** What the game calls the figure that ranks fighters. */
  score: string;
  hall: { title: string; short: string /** No city is above it. */; highest: number };
  /** Columns of the boards for which this game's scans have nothing. */
  unscanned: readonly string[];
  roles: Roles;
}

const TIERS = ['killcount_t1', 'killcount_t2', 'killcount_t3', 'killcount_t4', 'killcount_t5'] as const;

const rok: GameNames = {
  id: 'rok',
  name: 'Rise of Kingdoms',
  short: 'RoK',
  governor: { one: 'governor', many: 'governors' },
  kingdom: { one: 'kingdom', many: 'kingdoms' },
  alliance: { one: 'alliance', many: 'alliances' },
  score: 'Killpoints',
  hall: { title: 'City Hall', short: 'CH', highest: 25 },
  unscanned: [],
  roles: {
    id: 'governor_id',
    name: 'name',
    kingdom: 'home_kingdom',
    tag: 'alliance_tag',
    power: 'power',
    highestPower: 'highest_power',
    score: 'killpoints',
    deads: 'deads',
    hall: 'town_center',
    tiers: TIERS,
  },
};

const cod: GameNames = {
  id: 'cod',
  name: 'Call of Dragons',
  short: 'CoD',
  governor: { one: 'lord', many: 'lords' },
  kingdom: { one: 'server', many: 'servers' },
  alliance: { one: 'alliance', many: 'alliances' },
  score: 'Merits',
  hall: { title: 'City Level', short: 'City', highest: 25 },
  unscanned: [
    'alliance_name',
    'total_rss_gathered',
    'lost_kingdom_most_killed_average',
    'lost_kingdom_most_lost_average',
  ],
  roles: {
    id: 'lord_id',
    name: 'name',
    kingdom: 'home_server',
    tag: 'alliance_tag',
    power: 'power',
    highestPower: 'highest_power',
    score: 'merits',
    deads: 'units_dead',
    hall: 'town_center',
    tiers: TIERS,
  },
};

export const GAME_NAMES: Readonly<Record<GameId, GameNames>> = { rok, cod };

/** True for `rok` and `cod`. */
export const isGameId = (value: string): value is GameId => (GAME_IDS as readonly string[]).includes(value);

/** A kingdom's number, as people write it: 1 to 99,999. */
export const MAX_KINGDOM = 99_999;
