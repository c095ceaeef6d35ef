import { expect, test } from 'vitest';
import { type AllianceRow, type BoardRow, type KingdomRow, metricIn } from '../../domain/boards/rows.ts';
import { passes, totalOf } from '../../web/routes/leaderboard/-board-totals.ts';

const filtered = (of: BoardRow[], by: Parameters<typeof passes>[1]) => of.filter((row) => passes(row, by));

const alliance = (kingdom_id: number, alliance_tag: string, power: number, killpoints: number | null): AllianceRow => ({
  rank: 1,
  moved: null,
  kingdom_id,
  alliance_tag,
  alliance_name: '',
  power,
  killpoints,
  member_count: 1,
});
const rows: BoardRow[] = [alliance(1001, 'ABC', 30, 7), alliance(1001, 'abc', 20, null), alliance(1002, 'ABC', 10, 5)];
const kingdom = { kingdom_id: 1003, total_power: null } as KingdomRow;

test('range filters include their bounds and reject unknown power', () => {
  expect(filtered(rows, {})).toEqual(rows);
  expect(filtered(rows, { kingdom: 1001, alliance: 'ABC' })).toEqual([rows[0]]);
  expect(filtered(rows, { powerFrom: 20 })).toEqual(rows.slice(0, 2));
  expect(filtered(rows, { powerFrom: 20, powerTo: 20 })).toEqual([rows[1]]);
  expect(filtered([...rows, kingdom], { powerTo: 10 })).toEqual([rows[2]]);
});

test('figures depend on the row’s kind and game', () => {
  const of = (row: object) => [metricIn(row as BoardRow, 'power'), metricIn(row as BoardRow, 'score')];
  expect(of({ total_power: 5, total_killpoints: 6 })).toEqual([5, 6]);
  expect(of({ total_power: null, total_merits: 7 })).toEqual([null, 7]);
  expect(of({ total_power: 0, total_killpoints: null })).toEqual([0, null]);
  expect(of({ power: 5, merits: 8 })).toEqual([5, 8]);
  expect(of({ power: 5, killpoints: 0, merits: 9 })).toEqual([5, 0]);
  expect(of({ power: 5 })).toEqual([5, null]);
  expect(filtered([kingdom, ...rows], { alliance: 'ABC' })).toEqual([rows[0], rows[2]]);
  expect(filtered(rows, { kingdom: 1002 })).toEqual([rows[2]]);
  expect(filtered(rows, { powerTo: 0 })).toEqual([]);
});

test('totals cover the filtered rows and tell how many values are known', () => {
  expect(totalOf(rows, 'power')).toEqual({ sum: 60, known: 3 });
  expect(totalOf(rows, 'score')).toEqual({ sum: 12, known: 2 });
  expect(totalOf(rows.slice(1, 2), 'score')).toEqual({ sum: null, known: 0 });
  expect(totalOf([alliance(1, 'A', 0, 0), alliance(1, 'B', 5, null)], 'score')).toEqual({ sum: 0, known: 1 });
});
