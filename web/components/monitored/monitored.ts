import { GAMES } from '../../../domain/games/games.ts';
import type { Monitored } from '../../api/monitored.ts';

/** 'Kingdom 1001' or 'Server 104'. */
export function nameOf({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string {
  const { one } = GAMES[game].kingdom;
  return `${one.charAt(0).toUpperCase()}${one.slice(1)} ${kingdom_id}`;
}

/** Unlike a number alone, unique among the kingdoms of both games. */
export const keyOf = ({ game, kingdom_id }: Pick<Monitored, 'game' | 'kingdom_id'>): string => `${game} ${kingdom_id}`;
