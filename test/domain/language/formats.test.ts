import { afterEach, describe, expect, test } from 'vitest';
import { compact, date, dateTime, exact, inUnit, percentage } from '../../../domain/figures.ts';
import { plus, signOf } from '../../../domain/language/formats.ts';
import { LOCALES, type Locale } from '../../../domain/language/locales.ts';
import { say, sentence, t } from '../../../domain/language/text.ts';
import { speak } from '../../support/speak.ts';

afterEach(() => speak('en'));

/** Latin digits in Arabic too (domain/language/format-table.ts). */
const tagOf = (locale: Locale) => (locale === 'ar' ? 'ar-u-nu-latn' : locale);
/** Our spaces are those that do not break; releases of CLDR differ in which. */
const spaced = (text: string) => text.replace(/[\s\u00a0\u202f]/g, ' ');

describe.each(LOCALES)('%s', (locale) => {
  test.each([940, 1234, 12_345, 1_234_567, -98_765, 12_400_000_000])('writes all digits of %d like CLDR', (value) => {
    speak(locale);
    expect(spaced(exact(value))).toBe(spaced(new Intl.NumberFormat(tagOf(locale)).format(value)));
  });

  test('writes short figures with the units of CLDR', () => {
    speak(locale);
    // English says 12.4B in the games, which CLDR calls 12.4bn for Britain and 12.4B for America.
    const short = new Intl.NumberFormat(locale === 'en' ? 'en-US' : tagOf(locale), {
      notation: 'compact',
      maximumSignificantDigits: 3,
    });
    for (const value of [12_400_000_000, 853_000_000, 124_000_000_000, 12_400_000_000_000])
      expect(spaced(compact(value))).toBe(spaced(short.format(value)));
  });

  test.each([0, 51.3, 1234.5])('writes %d percent like CLDR', (value) => {
    speak(locale);
    const percent = new Intl.NumberFormat(tagOf(locale), { style: 'percent', minimumFractionDigits: 1 });
    expect(spaced(percentage(value, 1)).replace('\u200e', '')).toBe(
      spaced(percent.format(value / 100)).replaceAll('\u200e', ''),
    );
  });

  // CLDR writes the hour first in Vietnamese.
  test.skipIf(locale === 'vi')('writes between a day and an hour what CLDR does', () => {
    speak(locale);
    const style = { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
    const parts = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : tagOf(locale), style).formatToParts(0);
    const between = parts[parts.findIndex(({ type }) => type === 'hour') - 1]?.value;
    expect(dateTime(0)).toBe(`${date(0)}${/[,،]? $/.exec(spaced(between ?? ''))?.[0]}00:00 UTC`);
  });

  test('writes each month and day', () => {
    speak(locale);
    const days = Array.from({ length: 12 }, (_, month) => date(Date.UTC(2026, month, 21)));
    expect(new Set(days).size).toBe(12);
    for (const day of days) expect(day).toMatch(/21/);
    for (const day of days) expect(day).toMatch(/2026/);
  });
});

test('a change has a sign, which in Arabic stays in front of its figure', () => {
  expect([3, -3, 0].map(signOf)).toEqual(['+', '−', '±']);
  expect([3, -3, 0].map(plus)).toEqual(['+', '', '']);
  speak('ar');
  expect([signOf(3), plus(3), plus(0)]).toEqual(['\u200e+', '\u200e+', '']);
});

test('a foreign name in an Arabic sentence keeps apart from the numbers beside it', () => {
  expect(t('{name} · {start}', { name: 'Lost Kingdom', start: '12 Nov' })).toBe('Lost Kingdom · 12 Nov');
  speak('ar');
  const values = { name: 'Lost Kingdom', start: '12 نوفمبر' };
  expect(t('{name} · {start}', values)).toBe('\u2068Lost Kingdom\u2069 · 12 نوفمبر');
  expect(say(sentence('{share} of {game}', { share: '50%', game: 'RoK' }))).toBe('50% of \u2068RoK\u2069');
});

test('a unit that a language lacks becomes its next smaller one', () => {
  speak('ja');
  expect([inUnit(12_400_000_000, 'B'), compact(12_400_000_000)]).toEqual(['124.00億', '124億']);
  speak('zh-Hans');
  expect(compact(12_400_000_000)).toBe('124亿');
});
