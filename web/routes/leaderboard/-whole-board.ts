import { replaceEqualDeep } from '@tanstack/react-query';
import type { BoardAnswer, BoardRow } from '../../../domain/boards/rows.ts';

/** Combines the first rows with all rows. Unchanged rows keep their identity, so they do not render again. */
export function wholeBoard(
  start: BoardAnswer<BoardRow> | undefined,
  all: BoardAnswer<BoardRow>,
): BoardAnswer<BoardRow> {
  if (!start) return all;
  const { length } = start.rankings;
  const first = replaceEqualDeep(start.rankings, all.rankings.slice(0, length));
  return { ...all, rankings: [...first, ...all.rankings.slice(length)] };
}
