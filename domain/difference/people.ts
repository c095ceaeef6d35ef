import { GAMES } from '../games/games.ts';
import { numbersOf, textsOf } from '../scans/rows.ts';
import type { Pairs } from './pairs.ts';

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
