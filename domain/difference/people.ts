import { GAMES } from '../games/games.ts';
import { numbersOf, textsOf } from '../scans/rows.ts';
import type { Difference } from './difference.ts';
import { GONE } from './pairs.ts';

/** Returns rows of `from` whose governors are in both sides and changed kingdom. */
export function movedRows({ game, from, to, partner }: Difference): number[] {
  const { kingdom } = GAMES[game].roles;
  const [before, after] = [numbersOf(from, kingdom), numbersOf(to, kingdom)];
  return rowsWhere(partner, (row, place) => {
    const [then, now] = [before[row] as number, after[place] as number];
    return then !== now && !Number.isNaN(then) && !Number.isNaN(now);
  });
}

/** Returns whether two names differ. A missing name proves nothing. */
export const isRenamed = (before: string | null | undefined, after: string | null | undefined): before is string =>
  Boolean(before && after && before !== after);

/** Returns rows of `from` whose governors are in both sides and changed name. */
export function renamedRows({ game, from, to, partner }: Difference): number[] {
  const { name } = GAMES[game].roles;
  const [before, after] = [textsOf(from, name), textsOf(to, name)];
  return rowsWhere(partner, (row, place) => isRenamed(before[row], after[place]));
}

/** Returns rows of `from` whose governors are gone. */
export const goneRows = ({ partner }: Difference): number[] =>
  [...partner.keys()].filter((row) => partner[row] === GONE);

function rowsWhere(partner: Int32Array, holds: (row: number, place: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < partner.length; row++) {
    const place = partner[row] as number;
    if (place >= 0 && holds(row, place)) rows.push(row);
  }
  return rows;
}
