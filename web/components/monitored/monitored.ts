import { GAMES } from '../../../domain/games/games.ts';
import type { Monitored } from '../../api/monitored.ts';

/** Returns 'Kingdom 1001' or 'Server 104'. */
export function nameOf({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string {
  const { one } = GAMES[game].kingdom;
  return `${one.charAt(0).toUpperCase()}${one.slice(1)} ${kingdom_id}`;
}

/** Returns a key that is unique across both games, unlike the number alone. */
export const keyOf = ({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string => `${game} ${kingdom_id}`;
