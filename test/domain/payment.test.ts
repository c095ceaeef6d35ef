import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { say } from '../../domain/language/text.ts';
import { centsOf } from '../../domain/money/money.ts';
import { topUpFlaw, topUpFor, unpaidSentence } from '../../domain/money/payment.ts';
import { type Books, daysToCompare, differencesOf, type Movement } from '../../domain/money/reconciliation.ts';

test('a top-up is whole cents from 5.00 to 1,000.00', () => {
  for (const amount of [5, 5.01, 12.5, 999.99, 1000]) expect(topUpFlaw(centsOf(amount))).toBeNull();
  for (const amount of [4.99, 0, -10, 1000.01, 5.001, Number.NaN, Number.POSITIVE_INFINITY])
    expect(topUpFlaw(centsOf(amount))?.message).toMatch(/^(the|must)/);
  fc.assert(fc.property(fc.integer({ min: 500, max: 100_000 }), (cents) => topUpFlaw(cents) === null));
});

test('the suggested top-up is the missing amount, within the bounds of a top-up', () => {
  expect([1, 500, 501, 100_000, 100_001].map(topUpFor)).toEqual([500, 500, 501, 100_000, 100_000]);
});

test('a refused payment says which of two reasons applies', () => {
  expect(say(unpaidSentence({ balance: 49, total: 50, uncovered: 0 }))).toBe(
    'Your balance of 0.49 USD does not cover the price of 0.50 USD.',
  );
  expect(say(unpaidSentence({ balance: 0, total: 50, uncovered: 310 }))).toContain('3.10 USD');
});

describe('the daily comparison', () => {
  const paid = (amount: number, intent: string, currency = 'usd'): Movement => ({
    id: `txn_${intent}`,
    amount,
    currency,
    payment_intent: intent,
    reversal: null,
  });
  const back = (amount: number, id: string): Movement => ({ ...paid(amount, 'pi_1'), reversal: id });
  const books = (credited: [string, number][] = [], reversed: [string, { amount: number; stage: number }][] = []) =>
    ({ credited: new Map(credited), reversed: new Map(reversed) }) satisfies Books;

  it('finds nothing if every cent is explained', () => {
    const movements = [
      paid(1000, 'pi_1'),
      back(-400, 're_1'),
      back(-600, 'du_1'),
      back(600, 'du_1'),
      back(600, 'du_2'),
    ];
    const known = books(
      [['pi_1', 1000]],
      [
        ['re_1', { amount: 400, stage: 1 }],
        ['du_1', { amount: 0, stage: 2 }],
        ['du_2', { amount: 0, stage: 2 }],
      ],
    );
    expect(differencesOf(movements, known)).toEqual([]);
    expect(differencesOf([], books())).toEqual([]);
  });

  it('names each difference', () => {
    const movements = [
      paid(1000, 'pi_unknown'),
      paid(1000, 'pi_less'),
      paid(1000, 'pi_euro', 'eur'),
      back(-400, 're_unknown'),
      back(-400, 're_less'),
      back(400, 'du_held'),
    ];
    const known = books(
      [
        ['pi_less', 999],
        ['pi_euro', 1000],
      ],
      [
        ['re_less', { amount: 399, stage: 1 }],
        ['du_held', { amount: 400, stage: 1 }],
      ],
    );
    const found = differencesOf(movements, known);
    expect(found).toHaveLength(movements.length);
    for (const [index, id] of ['pi_unknown', 'pi_less', 'txn_pi_euro', 're_unknown', 're_less', 'du_held'].entries())
      expect(found[index]).toContain(id);
  });

  it('catches up on days that are over, a week at most', () => {
    const now = Date.parse('2026-03-02T00:10:00Z');
    expect(daysToCompare([], null, now)).toEqual(['2026-03-01']);
    expect(daysToCompare([], Date.parse('2026-02-28T23:00Z'), now)).toEqual(['2026-02-28', '2026-03-01']);
    expect(daysToCompare([], 0, now)).toHaveLength(7);
    expect(daysToCompare(['2026-03-01'], Date.parse('2026-02-28'), now)).toEqual(['2026-02-28']);
    expect(daysToCompare(['2026-03-01'], null, now)).toEqual([]);
    expect(daysToCompare(['2026-02-26'], null, now)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysToCompare(['2026-01-01'], null, now)).toHaveLength(7);
    // One that failed is not lost behind those that went well.
    expect(daysToCompare(['2026-03-01', '2026-02-27', '2026-02-26'], null, now)).toEqual(['2026-02-28']);
  });
});
