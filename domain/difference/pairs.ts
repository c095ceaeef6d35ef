import type { GameId } from '../games/game-names.ts';
import { GAMES } from '../games/games.ts';
import { type Numbers, numbersOf, type Table, textsOf } from '../scans/rows.ts';
import type { Doubts } from './doubts.ts';

/** Governors by their rows on both sides (-1 if absent), in this order: in both, joined, gone. */
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

/** Returns the pairs whose governors changed kingdom. */
export function movedRows({ game, from, to, rows }: Pairs): number[] {
  const { kingdom } = GAMES[game].roles;
  const [before, after] = [numbersOf(from, kingdom), numbersOf(to, kingdom)];
  return pairsWhere(rows.common, (pair) => {
    const [then, now] = [before[rows.from[pair] as number], after[rows.to[pair] as number]] as [number, number];
    return then !== now && !Number.isNaN(then) && !Number.isNaN(now);
  });
}

/** Returns whether two names differ. A missing name proves nothing. */
export const isRenamed = (before: string | null | undefined, after: string | null | undefined): before is string =>
  Boolean(before && after && before !== after);

/** Returns the pairs whose governors changed name. */
export function renamedRows({ game, from, to, rows }: Pairs): number[] {
  const { name } = GAMES[game].roles;
  const [before, after] = [textsOf(from, name), textsOf(to, name)];
  return pairsWhere(rows.common, (pair) =>
    isRenamed(before[rows.from[pair] as number], after[rows.to[pair] as number]),
  );
}

function pairsWhere(common: number, holds: (pair: number) => boolean): number[] {
  const pairs: number[] = [];
  for (let pair = 0; pair < common; pair++) if (holds(pair)) pairs.push(pair);
  return pairs;
}
