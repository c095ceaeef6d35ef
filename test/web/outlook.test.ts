import { expect, test } from 'vitest';
import { daysLeft, standingCost } from '../../web/components/standing-costs.ts';

const daily = { state: 'active' as const, period: 'day' as const, interval: 1, total: 1 };

test('only active repeating schedules have a monthly cost', () => {
  expect(standingCost([daily])).toBe(3042);
  expect(standingCost([daily, { ...daily, interval: 2 }])).toBe(3042 + 1521);
  expect(
    standingCost([
      { ...daily, state: 'paused' },
      { ...daily, state: 'ended' },
      { ...daily, period: 'none' },
    ]),
  ).toBe(0);
  expect(standingCost([{ ...daily, total: null }])).toBe(0);
});

test('days are rounded down, and null if nothing repeats', () => {
  expect(daysLeft(10_000, 3042)).toBe(99);
  expect(daysLeft(0, 3042)).toBe(0);
  expect(daysLeft(10_000, 0)).toBeNull();
});
