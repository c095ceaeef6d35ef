import { expect, test } from 'vitest';
import { classesOf } from '../../web/chart/classes.ts';

/** Classes of a distribution. */

const ends = (...values: number[]) => classesOf(values, 5).map(({ from, to }) => [from, to]);

test('classes have equal width up to a ratio of twelve, and double beyond', () => {
  expect(ends(10, 120)).toEqual([
    [0, 50],
    [50, 100],
    [100, 150],
  ]);
  expect(ends(10, 121)).toEqual([
    [10, 20],
    [20, 50],
    [50, 100],
    [100, 200],
  ]);
  expect(ends(0, 12)).toEqual([0, 5, 10].map((from) => [from, from + 5]));
  expect(ends(0, 13)[0]).toEqual([0, 1]);
  // A round greatest value gets a class of its own.
  expect(ends(1, 100).at(-1)).toEqual([100, 200]);
  expect(ends(1, 99).at(-1)).toEqual([50, 100]);
  expect(ends(0, 100).at(-1)).toEqual([100, 200]);
});

test('values far below the greatest share one class', () => {
  expect(ends(1, 10_000)[0]).toEqual([1, 2]);
  expect(ends(1, 100_000).slice(0, 2)).toEqual([
    [0, 10],
    [10, 20],
  ]);
});

test('each class includes its lower bound', () => {
  const classes = classesOf([10, 49, 50, 99, 100, 120], 5);
  expect(classes.map(({ count }) => count)).toEqual([2, 2, 2]);
  expect(classesOf([], 5)).toEqual([]);
  expect(classesOf([7], 5)).toEqual([{ from: 7, to: 8, count: 1 }]);
});
