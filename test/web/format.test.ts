import { afterEach, describe, expect, test, vi } from 'vitest';
import { formatCents } from '../../domain/money/money.ts';
import { parseTime, timeText } from '../../web/form-times.ts';
import {
  compact,
  counted,
  date,
  dateTime,
  exact,
  inUnit,
  money,
  nameOr,
  ownMoment,
  ownTime,
  shortened,
} from '../../web/format.ts';

test.each([
  [0, '0'],
  [940, '940'],
  [999, '999'],
  [1_000, '1.00K'],
  [12_345, '12.3K'],
  [853_000_000, '853M'],
  [12_400_000_000, '12.4B'],
  [1_150_000_000, '1.15B'],
  [1_600_000_000_000, '1.60T'],
  [-144_370_000_000, '-144B'],
])('%d is shown as %s', (value, shown) => {
  expect(compact(value)).toBe(shown);
});

test.each([
  [674_869_047_305, '675B'],
  [99_999_999, '100M'],
  [9_996_000, '10.0M'],
  [9_994_999, '9.99M'],
  [1_005_000, '1.01M'],
  [999_499, '999K'],
  [999_500, '1.00M'],
  [999_999_999_999, '1.00T'],
  [-999_500, '-1.00M'],
  [999, '999'],
])('%d is rounded to %s, not truncated', (value, shown) => {
  expect(compact(value)).toBe(shown);
});

test('figures in a fixed unit are rounded', () => {
  expect(inUnit(674_869_047_305, 'B')).toBe('674.87B');
  expect(inUnit(4_999_999, 'B')).toBe('0.00B');
  expect(inUnit(5_000_000, 'B')).toBe('0.01B');
  expect(inUnit(-1_945_000_000, 'B')).toBe('-1.95B');
});

test('exact figures keep every digit up to 2^53', () => {
  expect(exact(Number.MAX_SAFE_INTEGER)).toBe('9,007,199,254,740,991');
});

test('money has a sign, commas and two decimals', () => {
  expect(money(123_450)).toBe('$1,234.50');
  expect(money(-500)).toBe('-$5.00');
});

test('times are in UTC whatever the reader’s time zone', () => {
  expect(dateTime(Date.UTC(2026, 10, 21, 3, 32))).toBe('21 Nov 2026, 03:32 UTC');
});

test('digits and days are formatted like Intl', () => {
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  for (let month = 0; month < 24; month++) {
    const moment = Date.UTC(2023, month, 1 + month, 23, 59, 59);
    expect(date(moment)).toBe(days.format(moment));
    expect(date(new Date(moment).toISOString().slice(0, 10))).toBe(days.format(moment));
  }
  expect(() => date('2026-13-01')).toThrow(RangeError);
  const figures = [0, 7, 999, 1000, -1000, 12_345, 999_999, 1e6, -1_234_567, Number.MAX_SAFE_INTEGER, 1234.5, 1e21];
  for (const figure of figures) expect(exact(figure)).toBe(figure.toLocaleString('en-US'));
  expect(exact(Number.POSITIVE_INFINITY)).toBe('Infinity');
  const amounts = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  for (const cents of [0, 5, 50, 100, 99_999, 123_456_789, -5, -123_450])
    expect(formatCents(cents)).toBe((cents / 100).toLocaleString('en-US', amounts));
});

describe('a time in the reader’s time zone', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['UTC', '1 Jan 2026, 00:10 UTC', 'Thu, 1 Jan, 00:10 UTC'],
    ['Europe/Berlin', '1 Jan 2026, 01:10 UTC+1', 'Thu, 1 Jan, 01:10 UTC+1'],
    ['Asia/Kolkata', '1 Jan 2026, 05:40 UTC+5:30', 'Thu, 1 Jan, 05:40 UTC+5:30'],
    ['America/St_Johns', '31 Dec 2025, 20:40 UTC−3:30', 'Wed, 31 Dec, 20:40 UTC−3:30'],
  ])('in %s', (tz, time, moment) => {
    vi.stubEnv('TZ', tz);
    expect([ownTime(Date.UTC(2026, 0, 1, 0, 10)), ownMoment(Date.UTC(2026, 0, 1, 0, 10))]).toEqual([time, moment]);
  });

  test('includes daylight saving time', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(ownTime(Date.UTC(2026, 5, 30, 22, 5))).toBe('1 Jul 2026, 00:05 UTC+2');
    expect(dateTime(Date.UTC(2026, 5, 30, 22, 5))).toBe('30 Jun 2026, 22:05 UTC');
  });
});

test('nouns agree with their count', () => {
  expect(counted(1, 'item')).toBe('1 item');
  expect(counted(4_532, 'governor')).toBe('4,532 governors');
});

test('long names are truncated between characters, not inside one', () => {
  expect(shortened('short', 5)).toBe('short');
  expect(shortened('🐉🐉🐉🐉', 3)).toBe('🐉🐉…');
});

test.each(['', ' ', '\u200b\u200d', '\u115f\u1160\uffa0', '\u3164', '\u2800', '\u202e', '\u0301\ufe0f'])(
  'a name without visible characters (%j) is replaced',
  (name) => expect(nameOr(name, 'Governor 7')).toBe('Governor 7'),
);

test.each(['a', '\u3164Goose', '龍', '🐉', '0', 'é', '\ue000', '-'])(
  'a name with visible characters (%j) is kept',
  (name) => expect(nameOr(name, 'Governor 7')).toBe(name),
);

test('times of forms are in UTC', () => {
  expect(parseTime('2026-03-01T12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('2026-03-01 12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('1 March')).toBeNull();
  expect(parseTime('2026-13-01 12:00')).toBeNull();
  expect(parseTime('2026-02-30 12:00')).toBeNull();
  expect(parseTime('2026-03-01')).toBeNull();
  expect(parseTime('20262-03-01T12:00')).toBeNull();
  expect(timeText(Date.UTC(2026, 2, 1, 12))).toBe('2026-03-01T12:00');
});
