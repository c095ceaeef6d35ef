import { message } from '../language/text.ts';

/**
 * What each game calls things. The words are separate from the columns (games.ts) because every page needs them, and a
 * first visit needs nothing else.
 */

export const GAME_IDS = ['rok', 'cod'] as const;
export type GameId = (typeof GAME_IDS)[number];

/** Maps roles that both games have to their column keys. */
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
  hall: { title: string; short: string /** The highest level of a city. */; highest: number };
  /** Board columns that this game's scans do not have. */
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
  score: message('Killpoints'),
  hall: { title: message('City Hall'), short: message('CH'), highest: 25 },
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
  score: message('Merits'),
  hall: { title: message('City Level'), short: message('City'), highest: 25 },
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

/** Returns whether a text is a game's id. */
export const isGameId = (value: string): value is GameId => (GAME_IDS as readonly string[]).includes(value);

/** Returns the path of a page or call of a game. Paths without a game are of Rise of Kingdoms. */
export const inGame = (path: string, game: GameId): string => (game === 'rok' ? path : `${path}?game=${game}`);

/** The highest kingdom number, as people write it. */
export const MAX_KINGDOM = 99_999;
