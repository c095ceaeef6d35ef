import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';

/**
 * Titles of the figures that a difference shows first, by column key, so the page does not load the columns of a whole
 * game.
 */
export function figureTitles(game: GameId): Record<string, string> {
  const { roles, score } = GAME_NAMES[game];
  return {
    dkp: t('DKP'),
    power: t('Power'),
    [roles.score]: words(score),
    [roles.deads]: t('Deads'),
    units_killed: t('Units killed'),
    ...Object.fromEntries(roles.tiers.map((key, tier) => [key, t('T{value} kills', { value: tier + 1 })])),
  };
}

/** Gain columns of the individual table, in the specification's order. */
export function gainedKeys(game: GameId): string[] {
  const { roles } = GAME_NAMES[game];
  const [, , , t4, t5] = roles.tiers;
  return game === 'rok' ? [roles.deads, roles.score, t4, t5] : [roles.deads, roles.score, 'units_killed', t4, t5];
}
