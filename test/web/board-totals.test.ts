import { expect, test } from 'vitest';
import type { AllianceRow, BoardRow, KingdomRow } from '../../domain/boards/rows.ts';
import { filtered, powerOf, scoreOf, totalOf } from '../../web/routes/leaderboard/-board-totals.ts';

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

test('filters keep what lies on their ends, and nobody whose power is unknown', () => {
  expect(filtered(rows, {})).toEqual(rows);
  expect(filtered(rows, { kingdom: 1001, alliance: 'ABC' })).toEqual([rows[0]]);
  expect(filtered(rows, { powerFrom: 20 })).toEqual(rows.slice(0, 2));
  expect(filtered(rows, { powerFrom: 20, powerTo: 20 })).toEqual([rows[1]]);
  expect(filtered([...rows, kingdom], { powerTo: 10 })).toEqual([rows[2]]);
});

test('totals are of the rows that are left, and say of how many a figure is known', () => {
  expect(totalOf(rows, powerOf)).toEqual({ sum: 60, known: 3 });
  expect(totalOf(rows, scoreOf)).toEqual({ sum: 12, known: 2 });
  expect(totalOf(rows.slice(1, 2), scoreOf)).toEqual({ sum: null, known: 0 });
});
