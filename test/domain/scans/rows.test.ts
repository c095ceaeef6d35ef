import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../domain/scans/layouts.ts';
import {
  cellOf,
  checkColumns,
  emptyTable,
  lastDay,
  orderBy,
  presentColumns,
  reorder,
  type Table,
  tableOf,
  type WireColumns,
} from '../../../domain/scans/rows.ts';

/** Rows as columns: what a hand-in may contain, and queries of tables. */

const TASK = { kingdom: 1001, ranks: 3 };
const hand = (change: WireColumns = {}): WireColumns => ({
  home_kingdom: [1001, 1001],
  governor_id: [11, 12],
  name: ['A', 'B'],
  power: [5, 4],
  ...change,
});
const flaw = (change: WireColumns) => checkColumns('rok', hand(change), TASK);

describe('a hand-in', () => {
  it.each<[string, WireColumns]>([
    ['of nothing', { home_kingdom: [], governor_id: [], name: [], power: [] }],
    [
      'of as many rows as ranks',
      { home_kingdom: [1001, 1001, 1001], governor_id: [1, 2, 3], name: ['A', 'B', 'C'], power: [3, 2, 1] },
    ],
    ['with names of nothing and of 200 characters', { name: ['', 'x'.repeat(200)] }],
    ['with figures that are 0 or missing', { power: [0, 0], deads: [0, null], alliance_tag: [null, ''] }],
    ['with the most that anybody can have', { town_center: [25, 1] }],
  ])('%s is taken', (_, change) => {
    expect(flaw(change)).toBeNull();
  });

  it.each<[string, WireColumns]>([
    ['columns: rank is not a column of Rise of Kingdoms.', { rank: [1, 2] }],
    ['columns: quality is not a column of Rise of Kingdoms.', { quality: ['ok', 'ok'] }],
    ['row 2: power: must be a whole number from 0 to 2^53 - 1, or null.', { power: [5, -1] }],
    ['row 1: power: must be a whole number from 0 to 2^53 - 1, or null.', { power: [1.5, 1] }],
    ['row 1: power: must be a whole number from 0 to 2^53 - 1, or null.', { power: ['5', 1] }],
    ['row 1: power: must be a whole number from 0 to 2^53 - 1, or null.', { power: [2 ** 53, 1] }],
    ['row 2: name: must be text of 200 characters at most, or null.', { name: ['A', 'x'.repeat(201)] }],
    ['row 2: name: must be text of 200 characters at most, or null.', { name: ['A', 5] }],
    ['row 2: name: must be text of 200 characters at most, or null.', { name: ['A', ['B']] as never }],
    ['column deads has 1 values where governor_id has 2.', { deads: [1] }],
    [
      '4 rows are more than the 3 ranks of the subtask.',
      { home_kingdom: Array(4).fill(1001), governor_id: [1, 2, 3, 4], name: Array(4).fill('A'), power: [4, 3, 2, 1] },
    ],
    ['row 2 (governor 12): name is missing.', { name: ['A', null] }],
    ['row 1 (governor 11): power is missing.', { power: [null, 4] }],
    ['row 2 (governor 12): home_kingdom is missing.', { home_kingdom: [1001, null] }],
    ['row 2 (governor without id): governor_id is missing.', { governor_id: [11, null] }],
    ['row 1 (governor 0): governor_id must be above 0.', { governor_id: [0, 12] }],
    ['row 2 (governor 11): the id appears twice in this subtask.', { governor_id: [11, 11] }],
    ['row 2 (governor 12): belongs to kingdom 1002, the subtask is of 1001.', { home_kingdom: [1001, 1002] }],
  ])('%s', (sentence, change) => {
    expect(flaw(change)).toBe(sentence);
  });

  it('takes each figure up to its maximum, and nothing above', () => {
    for (const { key, most } of layoutOf({ game: 'rok' }).columns) {
      if (most === undefined || ['governor_id', 'home_kingdom'].includes(key) || most >= Number.MAX_SAFE_INTEGER)
        continue;
      expect([key, flaw({ [key]: [1, most] })]).toEqual([key, null]);
      expect(flaw({ [key]: [1, most + 1] })).toMatch(/^row 2 \(governor 12\): .* is more than anybody can have/);
    }
  });
});

describe('a table', () => {
  const table = tableOf('rok', [
    { governor_id: 1, name: 'A', power: 5, deads: null, domain: 3 },
    { governor_id: 2, name: 'B', power: null, deads: 0 },
    { governor_id: 3, name: 'C', power: 9, deads: 2, no_such_column: 7 },
  ]);

  it('always has the columns of the results table, and others if a row has a value', () => {
    const keys = (each: Table) => presentColumns(each).map(({ key }) => key);
    const lead = keys(emptyTable('rok', 2));
    expect(lead).toEqual(
      layoutOf(table)
        .columns.map(({ key }) => key)
        .filter((key) => layoutOf(table).lead.includes(key)),
    );
    expect(lead).not.toContain('domain');
    expect(keys(table).filter((key) => !lead.includes(key))).toEqual(['domain']);
    const named = tableOf('rok', [{}, { alliance_name: 'Long name' }]);
    expect(keys(named).filter((key) => !lead.includes(key))).toEqual(['alliance_name']);
  });

  it('gives cells as JSON values, in any order', () => {
    const turned = reorder(table, orderBy(table, 'power'));
    const cells = (key: string) => {
      const column = layoutOf(table).columns.find((each) => each.key === key);
      if (!column) throw new Error(key);
      return [0, 1, 2].map((row) => cellOf(turned, column, row));
    };
    expect([cells('name'), cells('power'), cells('deads'), cells('alliance_tag')]).toEqual([
      ['C', 'A', 'B'],
      [9, 5, null],
      [2, null, 0],
      [null, null, null],
    ]);
    expect([...orderBy(table, 'power', true)]).toEqual([0, 2, 1]);
    expect(reorder(table, Uint32Array.of(2))).toMatchObject({ count: 1, texts: { name: ['C'] } });
  });

  it('with several days sums only the last one', () => {
    const days = emptyTable('rok', 4, 'history');
    days.texts.day = ['2026-01-02', '2026-01-03', null, '2026-01-03'];
    days.texts.name = ['A', 'B', 'C', 'D'];
    expect(lastDay(days)).toMatchObject({ count: 2, texts: { name: ['B', 'D'] } });
    expect(lastDay(table)).toBe(table);
  });
});
