import { expect, test } from 'vitest';
import { comparable } from '../../domain/scans/totals.ts';
import { runsOf } from '../../web/chart/runs.ts';
import { everyFew, labelsOf, rangeOf } from '../../web/chart/scales.ts';
import { speak } from '../support/speak.ts';

/** Axes of line charts. */

test('a range has a margin and never goes below 0', () => {
  expect(rangeOf(100, 200)).toEqual([88, 212]);
  expect(rangeOf(5, 105)).toEqual([0, 117]);
  expect(rangeOf(12, 112)).toEqual([0, 124]);
  expect(rangeOf(-50, 50)).toEqual([-62, 62]);
});

test('a constant line gets a range, and so does an empty one', () => {
  expect(rangeOf(500, 500)).toEqual([490, 510]);
  expect(rangeOf(50, 50)).toEqual([49, 51]);
  expect(rangeOf(0, 0)).toEqual([0, 1]);
  for (const [least, most] of [
    [Number.NaN, 5],
    [5, Number.NaN],
    [Infinity, -Infinity],
    [0, Infinity],
  ] as const)
    expect(rangeOf(least, most)).toEqual([0, 1]);
});

test('labels have enough decimals to differ, in the unit of the greatest', () => {
  expect(labelsOf([0, 5e8, 1e9, 1.5e9], false)).toEqual(['0.0B', '0.5B', '1.0B', '1.5B']);
  expect(labelsOf([1e9, 2e9], false)).toEqual(['1B', '2B']);
  expect(labelsOf([998_500, 999_000, 999_500], false)).toEqual(['998.5K', '999.0K', '999.5K']);
  expect(labelsOf([999_750, 1_000_000], false)).toEqual(['0.99975M', '1.00000M']);
  expect(labelsOf([0, 250, 500], false)).toEqual(['0', '250', '500']);
  expect(labelsOf([0, 0.25], false)).toEqual(['0.00', '0.25']);
  expect(labelsOf([1000], false)).toEqual(['1K']);
  // A step without a finite decimal form is cut at six decimals.
  expect(labelsOf([0, 1 / 3], false)).toEqual(['0.000000', '0.333333']);
});

test('labels use the units and the decimal separator of the language', () => {
  speak('de');
  expect(labelsOf([0, 5e8, 1e9], false)).toEqual(['0,0\u00a0Mrd.', '0,5\u00a0Mrd.', '1,0\u00a0Mrd.']);
  speak('zh-Hans');
  expect(labelsOf([0, 5e8, 1e9], false)).toEqual(['0亿', '5亿', '10亿']);
  speak('en');
});

test('rank labels are whole numbers from 1', () => {
  expect(labelsOf([0, 0.5, 1, 1500, -2], true)).toEqual(['', '', '#1', '#1,500', '']);
});

test('as many days are labelled as fit, including the last', () => {
  const days = (count: number) => Array.from({ length: count }, (_, index) => index);
  expect(everyFew(days(5), 720)).toEqual([0, 1, 2, 3, 4]);
  expect(everyFew(days(10), 720)).toEqual(days(10));
  expect(everyFew(days(11), 720)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(everyFew(days(10), 719)).toEqual([1, 3, 5, 7, 9]);
  // Two scans an hour apart do not both fit; the later one is labelled.
  expect(everyFew([0, 240, 480, 719, 720], 720)).toEqual([0, 240, 480, 720]);
  expect(everyFew(days(30), 359)).toEqual([5, 13, 21, 29]);
  expect(everyFew(days(9), 10)).toEqual([8]);
  expect(everyFew(days(1), 300)).toEqual([0]);
  expect(everyFew([], 300)).toEqual([]);
});

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
