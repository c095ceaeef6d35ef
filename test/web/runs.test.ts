import { expect, test } from 'vitest';
import { comparable } from '../../domain/scans/totals.ts';
import { runsOf } from '../../web/chart/runs.ts';

test('a line connects only points of comparable depth', () => {
  expect(runsOf([1, 2, 9, 3, null, 4], [200, 205, 300, 198, 200, 201], comparable)).toEqual([
    [1, 2, null, 3, null, 4],
    [null, null, 9, null, null, null],
  ]);
});

test('slowly growing depths form one line, two parallel depths form two', () => {
  expect(runsOf([1, 2, 3], [100, 108, 116], comparable)).toEqual([[1, 2, 3]]);
  expect(runsOf([1, 9, 2, 8], [200, 300, 200, 300], comparable)).toEqual([
    [1, null, 2, null],
    [null, 9, null, 8],
  ]);
  // It joins the later of two comparable runs.
  expect(runsOf([1, 9, 5], [100, 120, 110], comparable)).toEqual([
    [1, null, null],
    [null, 9, 5],
  ]);
  expect(runsOf([null, null], [1, 1], comparable)).toEqual([]);
});
