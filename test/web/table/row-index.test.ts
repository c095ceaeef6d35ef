import { expect, test } from 'vitest';
import { RowIndex } from '../../../web/table/row-index.ts';

/** Search and sorting of rows that are all loaded. */

const rows = [
  { name: 'b10', power: 3 },
  { name: '', power: null },
  { name: 'B9', power: 5 },
  { name: 'a', power: 3 },
];
const index = new RowIndex(rows, ({ name }) => name.toLowerCase(), { name: ({ name }) => name });
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name);

test('rows are found among the given ones by part of their text', () => {
  expect(index.found(rows, '')).toBe(rows);
  expect(names(index.found(rows, 'b'))).toEqual(['b10', 'B9']);
  expect(names(index.found(rows.slice(1), 'b'))).toEqual(['B9']);
  expect(rows.map((row) => index.at(row))).toEqual([0, 1, 2, 3]);
});

test('rows sort by text or figure, with unknown values last and equal ones in order', () => {
  const by = (id: string, ascending: boolean, some = rows) =>
    names(index.ordered(some, id, ({ power }) => power, ascending));
  expect(by('name', true)).toEqual(['a', 'B9', 'b10', '']);
  expect(by('name', false)).toEqual(['b10', 'B9', 'a', '']);
  expect(by('power', false)).toEqual(['B9', 'b10', 'a', '']);
  expect(by('power', true, rows.toReversed())).toEqual(['a', 'b10', 'B9', '']);
});
