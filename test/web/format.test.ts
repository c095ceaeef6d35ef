import { expect, test } from 'vitest';
import { formatCents } from '../../domain/money/money.ts';
import { amountOf, compact, counted, date, dateTime, exact, money, nameOr, shortened } from '../../web/format.ts';

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

test('a figure is cut, so that 99,999,999 does not read as 100M', () => {
  expect(compact(99_999_999)).toBe('99.9M');
  expect(compact(999_999)).toBe('999K');
});

test('exact figures keep every digit up to 2^53', () => {
  expect(exact(Number.MAX_SAFE_INTEGER)).toBe('9,007,199,254,740,991');
});

test('money has a sign, commas and two decimals', () => {
  expect(money(123_450)).toBe('$1,234.50');
  expect(money(-500)).toBe('-$5.00');
});

test('moments are in UTC wherever the reader is', () => {
  expect(dateTime(Date.UTC(2026, 10, 21, 3, 32))).toBe('21 Nov 2026, 03:32 UTC');
});

test('digits and days are written as Intl writes them', () => {
  const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  for (let month = 0; month < 24; month++) {
    const moment = Date.UTC(2023, month, 1 + month, 23, 59, 59);
    expect(date(moment)).toBe(days.format(moment));
    expect(date(new Date(moment).toISOString().slice(0, 10))).toBe(days.format(moment));
  }
  expect(() => date('2026-13-01')).toThrow(RangeError);
  const figures = [0, 7, 999, 1000, -1000, 12_345, 999_999, 1e6, -1_234_567, Number.MAX_SAFE_INTEGER, 1234.5, 1e21];
  for (const figure of figures) expect(exact(figure)).toBe(figure.toLocaleString('en-US'));
  const amounts = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  for (const cents of [0, 5, 50, 100, 99_999, 123_456_789, -5, -123_450])
    expect(formatCents(cents)).toBe((cents / 100).toLocaleString('en-US', amounts));
});

test('counts agree with their noun', () => {
  expect(counted(1, 'item')).toBe('1 item');
  expect(counted(4_532, 'governor')).toBe('4,532 governors');
});

test('long names are cut between characters, not inside one', () => {
  expect(shortened('short', 5)).toBe('short');
  expect(shortened('🐉🐉🐉🐉', 3)).toBe('🐉🐉…');
});

test.each([
  ['50M', 50_000_000],
  [' 1.5 b ', 1_500_000_000],
  ['12,400,000', 12_400_000],
  ["1'000", 1000],
  ['0', 0],
  ['2.5k', 2500],
  ['', null],
  ['M', null],
  ['12x', null],
  ['-5', null],
  ['1.2.3', null],
])('%s is understood as %d', (text, amount) => expect(amountOf(text)).toBe(amount));

test.each(['', ' ', '\u200b\u200d', '\u115f\u1160\uffa0', '\u3164', '\u2800', '\u202e', '\u0301\ufe0f'])(
  'a name of nothing that can be seen (%j) is not written',
  (name) => expect(nameOr(name, 'Governor 7')).toBe('Governor 7'),
);

test.each(['a', '\u3164Goose', '龍', '🐉', '0', 'é', '\ue000', '-'])('a name with something in it (%j) is', (name) =>
  expect(nameOr(name, 'Governor 7')).toBe(name),
);
