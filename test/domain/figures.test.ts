import { afterEach, expect, test } from 'vitest';
import { inSentence } from '../../domain/figures.ts';
import { takeLocaleFrom } from '../../domain/language/current.ts';

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
