import { columnOf, GAMES, type GameId } from '../../../../domain/games/games.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import { exact } from '../../../format.ts';

interface Section {
  title: string;
  facts: [string, string][];
}

/** Profile keys by section, in the specification's order; each game has only some of them. */
const PARTS: readonly [string, readonly string[]][] = [
  [
    message('Details'),
    [
      ...['power', 'highest_power', 'killpoints', 'merits', 'deads', 'units_dead', 'town_center', 'civilization'],
      ...['faction', 'acclaim', 'highest_acclaim', 'autarch_count', 'utc_offset'],
    ],
  ],
  [
    message('Power by source'),
    [...['troop_power', 'legion_power', 'tech_power', 'building_power', 'commander_power', 'hero_power']],
  ],
  [
    message('Activity'),
    [
      ...['rss_gathered', 'rss_given', 'resources_given', 'resources_given_count', 'missions_completed'],
      ...['achievement_points', 'helps_given', 'helps_received', 'victories', 'defeats', 'city_sieges', 'scouted'],
      ...['units_killed', 'units_healed'],
    ],
  ],
  [
    message('Resources'),
    ['gold', 'wood', 'ore', 'mana', 'gems', 'gold_spent', 'wood_spent', 'stone_spent', 'mana_spent', 'gems_spent'],
  ],
  [
    message('Osiris'),
    [
      ...['ark_battles_count', 'ark_wins', 'ark_kills_per_battle', 'ark_sevs_per_battle', 'ark_healed_per_battle'],
      ...['ark_osiris_count', 'ark_championship_count'],
    ],
  ],
  [
    message('Olympia'),
    [...['olympia_current_league', 'olympia_highest_league', 'olympia_battle_count', 'olympia_wins', 'olympia_likes']],
  ],
  [
    message('Lost Kingdom'),
    ['lost_kingdom_count', 'lost_kingdom_most_killed', 'lost_kingdom_most_lost', 'lost_kingdom_most_healed'],
  ],
];

type Profile = Readonly<Record<string, string | number | null | undefined>>;

/**
 * Returns the non-empty sections of a profile. Unread figures show '?' if they are in the results table, and are
 * omitted otherwise. With `earlier` all unread figures are omitted, because an earlier profile is shown only for what
 * it contains.
 */
export function sectionsOf(game: GameId, profile: Profile, earlier = false): Section[] {
  const { lead } = GAMES[game];
  const parts = PARTS.map(([title, keys]) => ({
    title: words(title),
    facts: keys.flatMap((key): [string, string][] => {
      const column = columnOf(game, key);
      const value = profile[key];
      if (!column) return [];
      if (value === null || value === undefined || value === '')
        return lead.includes(key) && !earlier ? [[words(column.title), '?']] : [];
      return [[words(column.title), typeof value === 'number' ? exact(value) : value]];
    }),
  }));
  const [details, ...others] = parts;
  return [...(details ? [details] : []), killTiers(game, profile, earlier), ...others].filter(
    ({ facts }) => facts.length > 0,
  );
}

/** Kills by tier, with points if the game counts them. */
function killTiers(game: GameId, profile: Profile, earlier: boolean): Section {
  const facts = GAMES[game].roles.tiers.flatMap((key, index): [string, string][] => {
    const kills = profile[key];
    if (typeof kills !== 'number') return earlier ? [] : [[`T${index + 1}`, '?']];
    const points = profile[`killpoints_t${index + 1}`];
    const shown =
      typeof points === 'number'
        ? t('{kills} · {points} points', { kills: exact(kills), points: exact(points) })
        : exact(kills);
    return [[`T${index + 1}`, shown]];
  });
  return { title: t('Kills by tier'), facts };
}
