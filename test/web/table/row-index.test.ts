import { expect, test } from 'vitest';
import { RowIndex } from '../../../web/table/row-index.ts';
import { sortIn, sortPart } from '../../../web/table/use-indexed-page.ts';

/** Search and sorting of rows that are all loaded. */

const rows = [
  { name: 'b10', power: 3 },
  { name: '', power: null },
  { name: 'B9', power: 5 },
  { name: 'a', power: 3 },
];
const make = () => {
  const name = (row: number) => rows[row]?.name ?? '';
  return new RowIndex(rows.length, name, { name });
};
const names = (found: Uint32Array) => Array.from(found, (row) => rows[row]?.name);

test('rows are found among the given ones by part of their text, in any script', () => {
  const index = make();
  expect(index.found(index.all, ' ')).toBe(index.all);
  expect(names(index.found(index.all, '𝕭'))).toEqual(['b10', 'B9']);
  expect(names(index.found(Uint32Array.of(1, 2, 3), 'b'))).toEqual(['B9']);
});

test('rows sort by text or figure, with unknown values last and equal ones in order', () => {
  const index = make();
  const by = (id: string, ascending: boolean, some = index.all) =>
    names(
      index.ordered(
        some,
        index.values(id, (row) => rows[row]?.power ?? null),
        ascending,
      ),
    );
  expect(by('name', true)).toEqual(['a', 'B9', 'b10', '']);
  expect(by('name', false)).toEqual(['b10', 'B9', 'a', '']);
  expect(by('power', false)).toEqual(['B9', 'b10', 'a', '']);
  expect(by('power', true)).toEqual(['b10', 'a', 'B9', '']);
  expect(by('power', true, Uint32Array.of(1, 2, 3))).toEqual(['a', 'B9', '']);
  expect(by('power', false, new Uint32Array())).toEqual([]);
});

test('only columns that are often sorted are prepared ahead; the others sort all the same', () => {
  const name = (row: number) => rows[row]?.name ?? '';
  const index = new RowIndex(rows.length, name, { name, again: name }, ['name']);
  expect([index.ahead.length, make().ahead.length]).toEqual([2, 2]);
  const values = index.values('again', () => null);
  expect(names(index.ordered(index.all, values, true))).toEqual(['a', 'B9', 'b10', '']);
});

test('values and orders are computed once; other values have orders of their own', () => {
  const index = make();
  const values = index.values('power', (row) => rows[row]?.power ?? null);
  expect(index.values('power', () => 0)).toBe(values);
  expect(index.ordered(index.all, values, true)).toBe(index.ordered(index.all, values, true));
  expect([...index.ordered(index.all, values, false)]).toEqual([2, 0, 3, 1]);
  expect([...index.ordered(index.all, Float64Array.of(1, 2, 3, 4), false)]).toEqual([3, 2, 1, 0]);
});

test('a URL holds an order unless it is the usual one', () => {
  const usual = { id: 'rank', ascending: true };
  const orders = [usual, { id: 'rank', ascending: false }, { id: 'power', ascending: false }];
  for (const order of orders) expect(sortIn(sortPart(order, usual), usual)).toEqual(order);
  expect(sortPart(usual, usual)).toEqual({ sort: undefined, ascending: undefined, page: undefined });
  expect(sortPart(usual, null)).toEqual({ sort: 'rank', ascending: true, page: undefined });
  expect(sortIn({ ascending: true }, { id: 'dkp', ascending: false })).toEqual({ id: 'dkp', ascending: true });
  expect(sortIn({ ascending: true }, null)).toBeNull();
});
