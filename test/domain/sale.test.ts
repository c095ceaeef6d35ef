import { expect, test } from 'vitest';
import { PRODUCTS, productOf } from '../../domain/orders/catalogue.ts';
import { priceEntry } from '../../domain/orders/entry.ts';
import {
  configuredSale,
  isReady,
  listing,
  NO_TERMS,
  nextChange,
  type Sale,
  type Terms,
} from '../../domain/orders/sale.ts';

const history = productOf('rok-history');
if (!history) throw new Error('no history is for sale');
const day = Date.UTC(2027, 1, 1);

const saleWith = (terms: Partial<Terms>, configured = 'rok-history'): Sale => ({
  configured,
  terms: { 'rok-history': { ...NO_TERMS, ...terms } },
});
const listed = (sale: Sale, now = day) =>
  listing(sale, now)
    .flatMap(({ items }) => items)
    .find(({ id }) => id === 'rok-history');

test("a product is on sale if its id is listed, or from the day after the '@'", () => {
  expect(isReady(history, configuredSale('rok-kingdom-scan, rok-history'))).toBe(true);
  expect(isReady(history, configuredSale('rok-kingdom-scan'))).toBe(false);
  const later = configuredSale('rok-kingdom-scan,rok-history@2027-02-01');
  expect([day - 1, day].map((now) => isReady(history, later, now))).toEqual([false, true]);
  expect(isReady(history, configuredSale('rok-history@soon'), day)).toBe(false);
});

test('the list says from when a product is on sale, if known', () => {
  const fromOf = (configured: string) => listed(configuredSale(configured))?.ready_from;
  expect(fromOf('rok-history@2027-02-01')).toBe(day);
  expect([fromOf('rok-history'), fromOf('')]).toEqual([null, null]);
});

test('a price holds from the first moment of its day until the next one', () => {
  const sale = saleWith({
    prices: [
      { from: '2027-02-01', price: 250 },
      { from: '2027-02-03', price: 175 },
    ],
  });
  const prices = [day - 1, day, day + 2 * 86_400_000 - 1, day + 2 * 86_400_000].map((now) => listed(sale, now)?.price);
  expect(prices).toEqual([2, 2.5, 2.5, 1.75]);
  const entry = { type: 'rok-history', params: { kingdoms: ['1'], governors: 200 }, price: 0 };
  expect(priceEntry(entry, sale, day - 1)).toMatchObject({ price: 400, product: { price: 200 } });
  expect(priceEntry(entry, sale, day)).toMatchObject({ price: 500, product: { price: 250 } });
  // The price of one product does not change the others.
  expect(listing(sale, day).flatMap(({ items }) => items.map(({ price }) => price))).toEqual([0.5, 0.5, 2.5]);
  expect(PRODUCTS.map(({ price }) => price)).toEqual([50, 50, 200]);
});

test('admins open and pause products, whatever the deployment says', () => {
  expect(isReady(history, saleWith({ readiness: 'available' }, ''), day)).toBe(true);
  const paused = saleWith({ readiness: 'paused', sentence: 'The fleet moves house.' });
  expect(listed(paused)).toMatchObject({ ready: false, ready_from: null, paused: 'The fleet moves house.' });
  expect(listed(saleWith({}))).toMatchObject({ ready: true, paused: null });
  expect(priceEntry({ type: 'rok-history', params: {}, price: 0 }, paused, day)).toEqual({
    kind: 'not_ready',
    flaw: {
      message: '{product}: {why}',
      values: {
        product: {
          message: '{label}: {value}',
          values: { label: { message: 'History' }, value: { message: '90-day history' } },
        },
        why: 'The fleet moves house.',
      },
    },
  });
});

test('answers are cached until the next change at most', () => {
  expect(nextChange(configuredSale('rok-history'), day)).toBe(null);
  expect(nextChange(configuredSale('rok-history@2027-03-01,rok-kingdom-scan'), day)).toBe(Date.UTC(2027, 2, 1));
  expect(nextChange(saleWith({ prices: [{ from: '2027-02-01', price: 1 }] }), day)).toBe(null);
  expect(nextChange(saleWith({ prices: [{ from: '2027-02-02', price: 1 }] }), day)).toBe(Date.UTC(2027, 1, 2));
});
