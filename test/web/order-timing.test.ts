import { afterEach, expect, test, vi } from 'vitest';
import { parseTime } from '../../web/form-times.ts';
import {
  AT_ONCE,
  carriedDays,
  fieldOf,
  monthlyCost,
  openEnd,
  periodText,
  scheduleInfoOf,
  type Timing,
} from '../../web/routes/_signed-in/orders/-timing.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const later = (part: Partial<Timing>) => scheduleInfoOf({ ...AT_ONCE, later: true, ...part });

test('an immediate order has no scheduleInfo, whatever the hidden fields contain', () => {
  expect(scheduleInfoOf({ ...AT_ONCE, start: '2030-01-01T10:00', interval: 'x' })).toBeNull();
});

test.each(['UTC', 'Asia/Kolkata', 'America/St_Johns'])('form times are in UTC with the clock on %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(later({ start: '2030-01-31T18:00', end: '', period: 'month', interval: '2' })).toEqual({
    interval: 2,
    period: 'month',
    start: '2030-01-31T18:00:00.000Z',
    end: null,
  });
  expect(fieldOf(parseTime('2030-01-31T18:00'))).toBe('2030-01-31T18:00');
});

test('a schedule that runs once keeps its start if the field is blank', () => {
  const blank = { ...AT_ONCE, later: true };
  expect(scheduleInfoOf(blank, { hasStart: true })).toEqual({ interval: 1, period: 'none', start: null, end: null });
  expect(scheduleInfoOf(blank)).toMatch(/^Choose when/);
});

test('a blank start with a period starts at once', () => {
  expect(later({ period: 'day' })).toEqual({ interval: 1, period: 'day', start: null, end: null });
});

test.each([
  [{}, /^Choose when/],
  [{ period: 'day', interval: '0' }, /^Repeat every/],
  [{ period: 'day', interval: '1.5' }, /^Repeat every/],
  [{ period: 'day', interval: '' }, /^Repeat every/],
  [{ period: 'day', interval: '1001' }, /^Repeat every/],
  [{ start: '2030-01-02T00:00', end: '2030-01-01T00:00' }, /^End/],
  [{ period: 'day', end: '2020-01-01T00:00' }, /^End/],
  // A five-digit year, as typed, must count neither as now nor as never.
  [{ period: 'day', end: '20262-01-01T00:00' }, /^End: write a day/],
  [{ start: '20262-01-01T00:00' }, /^Start: write a day/],
] as const)('%j is refused with a message', (part, sentence) => {
  expect(later(part)).toMatch(sentence);
});

test('bounds are inclusive', () => {
  expect(later({ period: 'day', interval: '1000' })).toMatchObject({ interval: 1000 });
  expect(later({ start: '2030-01-02T00:00', end: '2030-01-02T00:00' })).toMatchObject({
    end: '2030-01-02T00:00:00.000Z',
  });
});

test('periods are written in words', () => {
  expect([periodText('none', 1), periodText('day', 1), periodText('week', 2)]).toEqual([
    'not repeated',
    'every day',
    'every 2 weeks',
  ]);
});

test('only an active schedule runs forever, and only one of a month or more has a monthly cost', () => {
  expect(openEnd({ state: 'active', period: 'day' })).toBe('running forever');
  expect(openEnd({ state: 'active', period: 'none' })).toBe('after its one run');
  for (const state of ['paused', 'ended'] as const) expect(openEnd({ state, period: 'day' })).not.toMatch(/running/);
  const now = Date.UTC(2030, 0, 1);
  const daily = { state: 'active', end_at: null, period: 'day', interval: 1 } as const;
  expect(monthlyCost(daily, 50, now)).toBe(1521);
  expect(monthlyCost({ ...daily, state: 'ended' }, 50, now)).toBeNull();
  expect(monthlyCost({ ...daily, state: 'paused' }, 50, now)).toBeNull();
  expect(monthlyCost({ ...daily, period: 'none' }, 50, now)).toBeNull();
  expect(monthlyCost({ ...daily, end_at: now + 30 * 86_400_000 }, 50, now)).toBeNull();
  expect(monthlyCost({ ...daily, end_at: now + 31 * 86_400_000 }, 50, now)).toBe(1521);
  expect(monthlyCost({ ...daily, end_at: now + 730 * 3_600_000 }, 50, now)).toBe(1521);
  expect(monthlyCost({ ...daily, end_at: now + 730 * 3_600_000 - 1 }, 50, now)).toBeNull();
});

test('a balance that lasts under a week needs confirmation, unless the schedule ends before', () => {
  const now = Date.UTC(2030, 0, 1);
  const daily = { later: true, start: '', end: '', period: 'day', interval: '1' } as const;
  const carried = (part: object, balance: number, standing = 0) =>
    carriedDays({ ...daily, ...part }, { price: 100, balance, standing }, now);
  expect(carried({}, 700)).toEqual({ days: 6, few: true });
  expect(carried({}, 701)).toEqual({ days: 7, few: false });
  expect(carried({}, 701, 3042)).toEqual({ days: 3, few: true });
  expect(carried({ interval: '2' }, 701)).toEqual({ days: 14, few: false });
  expect(carried({ end: '2030-01-04T00:00' }, 310)).toEqual({ days: 3, few: false });
  expect(carried({ end: '2030-01-04T00:01' }, 310)).toEqual({ days: 3, few: true });
  expect(carried({ start: '2030-02-01T00:00', end: '2030-02-03T00:00' }, 310)).toEqual({ days: 3, few: false });
  // A free schedule never uses up the balance.
  expect(carriedDays(daily, { price: 0, balance: 100, standing: 3042 }, now)).toBeNull();
  expect([carried({ later: false }, 0), carried({ period: 'none' }, 0), carried({ interval: 'x' }, 0)]).toEqual([
    null,
    null,
    null,
  ]);
});
