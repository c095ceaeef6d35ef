import type { GameId } from '../games/games.ts';
import type { Numbers, Table } from '../scans/rows.ts';
import type { Doubts } from './doubts.ts';

/** The governor is not in the later side. */
export const GONE = -1;
/** The governor may be below the later side's edge, so nobody knows whether they are gone. */
export const UNSEEN = -2;

/** Two snapshots side by side, with the pairing that all other results use. */
export interface Pairs {
  game: GameId;
  from: Table;
  to: Table;
  /** For each row of `from`, the governor's row in `to`, or GONE, or UNSEEN. */
  partner: Int32Array;
}

/** What a figure gained, for each row of `from`. */
export interface Gains {
  /** Later value minus earlier; NaN if one is unknown or the governor is gone. */
  raw: Numbers;
  doubts: Doubts;
}
