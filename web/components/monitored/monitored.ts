import { kingdomTitle } from '../../../domain/games/titles.ts';
import type { Monitored } from '../../api/monitored.ts';

/** Returns 'Kingdom 1001' or 'Server 104'. */
export const nameOf = ({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string =>
  kingdomTitle(game, kingdom_id);

/** Returns a key that is unique across both games, unlike the number alone. */
export const keyOf = ({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string => `${game} ${kingdom_id}`;
