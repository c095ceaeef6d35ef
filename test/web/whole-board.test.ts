import { expect, it } from 'vitest';
import type { BoardAnswer, BoardRow, KingdomRow } from '../../domain/boards/rows.ts';
import { wholeBoard } from '../../web/routes/leaderboard/-whole-board.ts';

/** The first rows of a board arrive before the rest and stay unchanged when it arrives. */

const row = (rank: number, total_power: number) => ({ rank, kingdom_id: 1000 + rank, total_power }) as KingdomRow;
const board = (rankings: BoardRow[], total: number) =>
  ({ rankings, info: { total, day: '2026-11-01' } }) as unknown as BoardAnswer<BoardRow>;

it('keeps unchanged first rows and takes the other rows from the new answer', () => {
  const start = board([row(1, 9), row(2, 8), row(3, 7)], 5);
  const all = board([row(1, 9), row(2, 88), row(3, 7), row(4, 6), row(5, 5)], 5);
  const whole = wholeBoard(start, all);
  expect(whole).toEqual(all);
  expect([0, 1, 2].map((place) => whole.rankings[place] === start.rankings[place])).toEqual([true, false, true]);
  expect(whole.info).toBe(all.info);
});

it('is the whole answer if nothing came before', () => {
  const all = board([row(1, 9)], 1);
  expect(wholeBoard(undefined, all)).toBe(all);
  expect(wholeBoard(board([], 1), all)).toEqual(all);
});
