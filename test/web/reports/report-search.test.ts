import { describe, expect, test } from 'vitest';
import { reportIndex, valuesBy } from '../../../web/routes/reports/shared/-report-table.ts';
import { searchReader, TABLE } from '../../../web/search-params.ts';
import { sortIn } from '../../../web/table/use-indexed-page.ts';

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
const names = (search: Record<string, unknown>) => {
  const index = reportIndex({ columns, rows });
  const sort = sortIn(searchReader(TABLE)(search), null);
  const values = sort && valuesBy(index, { columns, rows }, sort.id);
  const order = values ? index.ordered(index.all, values, sort?.ascending === true) : index.all;
  return Array.from(order, (row) => rows[row]?.[0]);
};

describe('a shared report', () => {
  test('keeps its own order until a column is chosen', () => {
    expect(names({})).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
    expect(names({ sort: 'power' })).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
  });

  test('sorts numerically, with unknown values last and equal ones in their order', () => {
    expect(names({ sort: 'dkp' })).toEqual(['other', 'b10', 'a', 'B2', 'Unknown']);
    expect(names({ sort: 'dkp', ascending: 'true' })).toEqual(['B2', 'b10', 'a', 'other', 'Unknown']);
  });

  test('is searched by its visible texts, in any script and without diacritics', () => {
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
    const ids = (q: string) => Array.from(index.found(index.all, q), (row) => report.rows[row]?.[0]);
    expect([ids('ÆRO'), ids('نجم'), ids('灯'), ids('mc'), ids('73'), ids(' ')]).toEqual([
      [71],
      [72],
      [73],
      [71],
      [73],
      [71, 72, 73],
    ]);
    // Figures are not searched: 71 is an id in one row and a score in another.
    expect([ids('71'), ids('nobody')]).toEqual([[71], []]);
  });

  test('sorts names naturally', () => {
    expect(names({ sort: 'name', ascending: true })).toEqual(['a', 'B2', 'b10', 'other', 'Unknown']);
  });
});
