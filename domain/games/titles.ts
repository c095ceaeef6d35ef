import { t } from '../language/text.ts';
import type { GameId } from './game-names.ts';

/** Titles of kingdoms and governors, in the current language. */

/** Returns 'Kingdom 1042' or 'Server 1042'. */
export const kingdomTitle = (game: GameId, id: number | string): string =>
  t('{game, select, cod {Server {id}} other {Kingdom {id}}}', { game, id: String(id) });

/** Returns 'Governor 12400123' or 'Lord 12400123'. */
export const governorTitle = (game: GameId, id: number | string): string =>
  t('{game, select, cod {Lord {id}} other {Governor {id}}}', { game, id: String(id) });
