import { describe, expect, test } from 'vitest';
import { foundCells, reportIndex, sortedCells } from '../../../web/routes/reports/shared/-report-rows.ts';
import { reportSearch } from '../../../web/routes/reports/shared/-report-search.ts';

const columns = [
  { key: 'name', title: 'Name', type: 'text' as const },
  { key: 'dkp', title: 'DKP', type: 'number' as const },
];
const rows = [
  ['Unknown', null],
  ['b10', 30],
  ['B2', -400],
  ['a', 30],
  ['other', 100],
];
const names = (search: Record<string, unknown>) =>
  sortedCells(reportIndex({ columns, rows }), { columns, rows }, reportSearch(search)).map(([name]) => name);

describe('a shared report', () => {
  test('stands in its own order until a column of it is chosen', () => {
    expect(names({})).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
    expect(names({ sort: 'power' })).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
  });

  test('is sorted as numbers, the unknown last either way and equals in its own order', () => {
    expect(names({ sort: 'dkp' })).toEqual(['other', 'b10', 'a', 'B2', 'Unknown']);
    expect(names({ sort: 'dkp', ascending: 'true' })).toEqual(['B2', 'b10', 'a', 'other', 'Unknown']);
  });

  test('is searched by what it shows, in any script and without ornaments', () => {
    const report = {
      columns: [
        { key: 'id', title: 'ID', type: 'number' as const },
        ...columns,
        { ...columns[0], key: 'alliance_tag' } as never,
      ],
      rows: [
        [71, '꧁ Ærô ꧂', 5, 'MC~'],
        [72, 'نجم', 5, null],
        [73, '灯 the Lamp', 71, 'X'],
      ],
    };
    const index = reportIndex(report);
    const ids = (q: string) => foundCells(index, report.rows, q).map(([id]) => id);
    expect([ids('ÆRO'), ids('نجم'), ids('灯'), ids('mc'), ids('73'), ids(' ')]).toEqual([
      [71],
      [72],
      [73],
      [71],
      [73],
      [71, 72, 73],
    ]);
    // A figure is no word: 71 is somebody's id, and another one's score.
    expect([ids('71'), ids('nobody')]).toEqual([[71], []]);
  });

  test('is sorted as people write names', () => {
    expect(names({ sort: 'name', ascending: true })).toEqual(['a', 'B2', 'b10', 'other', 'Unknown']);
  });
});
