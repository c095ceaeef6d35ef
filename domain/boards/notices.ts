import { capital } from '../figures.ts';
import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import { type BoardKind, DELAY_DAYS } from './leaderboard.ts';

/** What boards say of themselves, the same on the page and in the head that the Worker writes. */

export const boardTitle = (game: GameId, kind: BoardKind): string =>
  `${capital(GAME_NAMES[game][kind].one)} leaderboard`;

/** The specification's notices: kingdoms are shown of the moment that follows, the others late. */
export const GATHERED = 'Data gathered as of';
export const DELAYED = `Data is delayed by ${DELAY_DAYS} days`;
/** The same, where the day follows. */
export const DELAYED_TO = `${DELAYED}: this is`;
