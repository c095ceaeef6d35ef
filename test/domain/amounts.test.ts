import { afterEach, describe, expect, test } from 'vitest';
import { amountOf } from '../../domain/amounts.ts';
import { compact, exact, inSentence } from '../../domain/figures.ts';
import { takeLocaleFrom } from '../../domain/language/current.ts';
import { LOCALES, type Locale } from '../../domain/language/locales.ts';
import { speak } from '../support/speak.ts';

afterEach(() => speak('en'));

describe('a typed figure', () => {
  test.each([
    ['50M', 50_000_000],
    [' 1.5 b ', 1_500_000_000],
    ['12,400,000', 12_400_000],
    ['12,400', 12_400],
    ['12,4M', 12_400_000],
    ["1'000", 1000],
    ['0', 0],
    ['2.5k', 2500],
    ['５０Ｍ', 50_000_000],
    ['١٢٬٤٠٠', 12_400],
    ['۱٫۵ B', 1_500_000_000],
    ['', null],
    ['M', null],
    ['12x', null],
    ['-5', null],
    ['1.2.3', null],
    ['1,23,4', null],
    ['9'.repeat(400), null],
  ])('%s is read as %d', (text, amount) => expect(amountOf(text)).toBe(amount));

  test.each<[Locale, string, number | null]>([
    ['de', '12.400.000', 12_400_000],
    ['de', '12.400', 12_400],
    ['de', '12,400 Mrd.', 12_400_000_000],
    ['de', '12,4 mrd', 12_400_000_000],
    ['de', '12.4M', 12_400_000],
    ['ru', '1\u00a0234\u00a0567', 1_234_567],
    ['ru', '1,5 млн', 1_500_000],
    ['zh-Hans', '124亿', 12_400_000_000],
    ['ja', '1.5億', 150_000_000],
    ['es', '2,5 mil M', 2_500_000_000],
    // If a letter has two meanings, the one of the page's language counts.
    ['tr', '5 B', 5000],
    ['id', '5 M', 5_000_000_000],
    ['id', '5 K', 5000],
  ])('in %s, %s is read as %d', (locale, text, amount) => {
    speak(locale);
    expect(amountOf(text)).toBe(amount);
  });
});

test.each(LOCALES)('what a page shows in %s is read as the same figure', (locale) => {
  speak(locale);
  for (const value of [940, 1234, 12_400, 50_000_000, 12_400_000_000, 1_234_567]) {
    expect(amountOf(exact(value))).toBe(value);
    if (value % 1000 === 0) expect(amountOf(compact(value))).toBe(value);
  }
});

afterEach(() => takeLocaleFrom(() => 'en'));

test('a title inside a sentence is in lower case, but not in German', () => {
  expect(inSentence('Killpoints')).toBe('killpoints');
  takeLocaleFrom(() => 'ru');
  expect(inSentence('Очки убийств')).toBe('очки убийств');
  takeLocaleFrom(() => 'tr');
  expect(inSentence('İttifak')).toBe('ittifak');
  takeLocaleFrom(() => 'de');
  expect(inSentence('Kill-Punkte')).toBe('Kill-Punkte');
});
