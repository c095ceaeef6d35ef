import { expect, test } from 'vitest';
import { isReady, listing, productOf } from '../../domain/orders/catalogue.ts';

const history = productOf('rok-history');
if (!history) throw new Error('no history is for sale');
const day = Date.UTC(2027, 1, 1);

test('a product opens by its id, or on the day that is written behind it', () => {
  expect(isReady(history, 'rok-kingdom-scan, rok-history')).toBe(true);
  expect(isReady(history, 'rok-kingdom-scan')).toBe(false);
  const later = 'rok-kingdom-scan,rok-history@2027-02-01';
  expect([day - 1, day].map((now) => isReady(history, later, now))).toEqual([false, true]);
  expect(isReady(history, 'rok-history@soon', day)).toBe(false);
});

test('the list says from when a product is open, where that is known', () => {
  const fromOf = (configured: string) =>
    listing(configured)
      .flatMap(({ items }) => items)
      .find(({ id }) => id === 'rok-history')?.ready_from;
  expect(fromOf('rok-history@2027-02-01')).toBe(day);
  expect([fromOf('rok-history'), fromOf('')]).toEqual([null, null]);
});
