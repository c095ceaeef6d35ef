import type { GameId } from '../games/game-names.ts';
import { message, words } from '../language/text.ts';

/** Why an event has no newer scan. The API answers these in English, and pages translate them. */

export const LATE = {
  byHand: message('Its scans are loaded by hand, and no newer one was loaded.'),
  underWay: message('A scan is under way and has not ended yet.'),
  notBegun: message('The next scan has not begun yet.'),
} as const;

/** Why the newest scan brought nothing, by game. */
export const FAILED: Readonly<Record<GameId, string>> = {
  rok: message('None of its kingdoms could be scanned.'),
  cod: message('None of its servers could be scanned.'),
};

/** Returns one of these in the current language. */
export const lateWords = (msg: string): string => words(msg);
