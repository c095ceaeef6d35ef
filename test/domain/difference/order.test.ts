import fc from 'fast-check';
import { expect, test } from 'vitest';
import { greatestOf, orderOf, ranksOf } from '../../../domain/scans/order.ts';

/** The same order, written as simply as possible. */
function plainOrder(values: readonly number[], ascending: boolean): number[] {
  const last = (value: number) => (Number.isNaN(value) ? 1 : 0);
  return [...values.keys()].sort((a, b) => {
    const [left, right] = [values[a] as number, values[b] as number];
    const missing = last(left) - last(right);
    if (missing !== 0 || last(left)) return missing || a - b;
    return (ascending ? left - right : right - left) || a - b;
  });
}

const value = fc.oneof(
  fc.constantFrom(0, -0, Number.NaN, 1, -1, 2 ** 53, -(2 ** 53), 0.5),
  fc.integer({ min: -50, max: 50 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);

test('sorts short and long columns alike, keeps ties in order, and puts unknown values last in both directions', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.boolean(), fc.boolean(), (few, ascending, many) => {
      // 5,000 are enough for the passes by digits.
      const values =
        many && few.length > 0 ? Array.from({ length: 5000 }, (_, i) => few[i % few.length] as number) : few;
      expect([...orderOf(Float64Array.from(values), ascending)]).toEqual(plainOrder(values, ascending));
    }),
  );
});

test('the greatest values are the first of the whole order, with its ties and unknown values', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 0, max: 12 }), (values, count) => {
      expect([...greatestOf(Float64Array.from(values), count)]).toEqual(plainOrder(values, false).slice(0, count));
    }),
    { numRuns: 500 },
  );
  const rising = Float64Array.from({ length: 1000 }, (_, row) => row);
  expect([...greatestOf(rising, 3)]).toEqual([999, 998, 997]);
});

test('equal values share a rank, the next one counts all before it, and unknown values have none', () => {
  expect([...ranksOf(Float64Array.of(5, Number.NaN, 9, 5, 0, 9))]).toEqual([3, 0, 1, 3, 5, 1]);
});
