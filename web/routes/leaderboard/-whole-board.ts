import { replaceEqualDeep } from '@tanstack/react-query';
import type { BoardAnswer, BoardRow } from '../../../domain/boards/rows.ts';

/** Every row of a board, the first ones as they stood before the others came: what has not changed is not drawn again. */
export function wholeBoard(
  start: BoardAnswer<BoardRow> | undefined,
  all: BoardAnswer<BoardRow>,
): BoardAnswer<BoardRow> {
  if (!start) return all;
  const { length } = start.rankings;
  const first = replaceEqualDeep(start.rankings, all.rankings.slice(0, length));
  return { ...all, rankings: [...first, ...all.rankings.slice(length)] };
}
