import { describe, expect, test } from 'vitest';
import { reportSearch, sortedCells } from '../../../web/routes/reports/shared/-report-search.ts';

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
  sortedCells({ columns, rows }, reportSearch(search)).map(([name]) => name);

describe('a shared report', () => {
  test('stands in its own order until a column of it is chosen', () => {
    expect(names({})).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
    expect(names({ sort: 'power' })).toEqual(['Unknown', 'b10', 'B2', 'a', 'other']);
  });

  test('is sorted as numbers, the unknown last either way and equals in its own order', () => {
    expect(names({ sort: 'dkp' })).toEqual(['other', 'b10', 'a', 'B2', 'Unknown']);
    expect(names({ sort: 'dkp', ascending: 'true' })).toEqual(['B2', 'b10', 'a', 'other', 'Unknown']);
  });

  test('is sorted as people write names', () => {
    expect(names({ sort: 'name', ascending: true })).toEqual(['a', 'B2', 'b10', 'other', 'Unknown']);
  });
});
