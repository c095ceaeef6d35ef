import type { GameId } from '../games/games.ts';
import type { Numbers, Table } from '../scans/rows.ts';
import type { Doubts } from './doubts.ts';

/** A governor who is not in the later side. */
export const GONE = -1;
/** A governor whom the later side does not reach down to: nobody knows whether they are gone. */
export const UNSEEN = -2;

/** Two snapshots side by side, as far as everything that is told of them rests on it. */
export interface Pairs {
  game: GameId;
  from: Table;
  to: Table;
  /** For each row of `from` the governor's row in `to`, or GONE, or UNSEEN. */
  partner: Int32Array;
}

/** What a figure gained, for each row of `from`. */
export interface Gains {
  /** Later less earlier as they were read; NaN where one of the two is unknown or the governor is gone. */
  raw: Numbers;
  doubts: Doubts;
}
