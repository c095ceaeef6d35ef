import { expect, test } from 'vitest';
import { rowsInSight } from '../../web/table/use-rows-in-sight.ts';

/** Which rows of a long list are drawn: what is in sight, ten more on each side, and never what is not there. */

test.each([
  ['at the top', 0, { first: 0, end: 20 }],
  ['a row down', 36, { first: 0, end: 21 }],
  ['between two rows', 378, { first: 0, end: 31 }],
  ['further down', 36 * 50, { first: 40, end: 70 }],
  ['at the end', 36 * 990, { first: 980, end: 1000 }],
])('%s', (_, scrolled, span) => {
  expect(rowsInSight(scrolled, 360, 36, 1000)).toEqual(span);
});

test('a short list is drawn whole, an empty one not at all, one that has become shorter from its end', () => {
  expect(rowsInSight(0, 360, 36, 7)).toEqual({ first: 0, end: 7 });
  expect(rowsInSight(0, 360, 36, 0)).toEqual({ first: 0, end: 0 });
  expect(rowsInSight(36 * 900, 360, 36, 7)).toEqual({ first: 7, end: 7 });
});
