import type { GameId } from '../games/game-names.ts';
import type { Numbers, Table } from '../scans/rows.ts';
import type { Doubts } from './doubts.ts';

/** Governors by their rows on both sides (-1 if absent): first those in both, then those who joined, then those gone. */
export interface Rows {
  from: Int32Array;
  to: Int32Array;
  common: number;
  joined: number;
  gone: number;
}

/** Two snapshots side by side, with the pairing that all other results use. Results have a row for each pair. */
export interface Pairs {
  game: GameId;
  from: Table;
  to: Table;
  rows: Rows;
}

/** Gains of a figure, for each governor in both snapshots. */
export interface Gains {
  /** Later value minus earlier; NaN if one is unknown. */
  raw: Numbers;
  doubts: Doubts;
}

/** Rows of each side by a group number: those of 0 or more take part. */
export interface Inside {
  start: Int32Array;
  end: Int32Array;
}
