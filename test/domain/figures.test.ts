import { afterEach, expect, test } from 'vitest';
import { inSentence } from '../../domain/figures.ts';
import { takeLocaleFrom } from '../../domain/language/current.ts';

afterEach(() => takeLocaleFrom(() => 'en'));

test('a title inside a sentence is in lower case only in English', () => {
  expect(inSentence('Killpoints')).toBe('killpoints');
  takeLocaleFrom(() => 'de');
  expect(inSentence('Kill-Punkte')).toBe('Kill-Punkte');
});
