import { expect, test } from 'vitest';
import { daysLeft, monthlyCost } from '../../web/routes/_signed-in/-dashboard/outlook.ts';

const daily = { state: 'active' as const, period: 'day' as const, interval: 1, total: 1 };

test('only what repeats and is not paused or ended costs a month', () => {
  expect(monthlyCost([daily])).toBe(3042);
  expect(monthlyCost([daily, { ...daily, interval: 2 }])).toBe(3042 + 1521);
  expect(
    monthlyCost([
      { ...daily, state: 'paused' },
      { ...daily, state: 'ended' },
      { ...daily, period: 'none' },
    ]),
  ).toBe(0);
  expect(monthlyCost([{ ...daily, total: null }])).toBe(0);
});

test('days are cut, not rounded, and there are none to count where nothing repeats', () => {
  expect(daysLeft(10_000, 3042)).toBe(99);
  expect(daysLeft(0, 3042)).toBe(0);
  expect(daysLeft(10_000, 0)).toBeNull();
});
