import { expect, test } from 'vitest';
import type { Locale } from '../../../domain/language/locales.ts';
import { inOrder, knownPlacesOf } from '../../../domain/scans/text-order.ts';

function placesIn(language: Locale, texts: readonly string[]): number[] {
  const steps = knownPlacesOf(texts, language);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
}

test('texts sort by the reader’s language, with numbers by size', () => {
  const names = ['nz', 'ña', 'na'];
  expect(placesIn('en', names)).toEqual([2, 1, 0]);
  expect(placesIn('es', names)).toEqual([1, 2, 0]);
  expect(inOrder('cz', 'ça', 'en')).toBeGreaterThan(0);
  expect(inOrder('cz', 'ça', 'tr')).toBeLessThan(0);
  expect(placesIn('de', ['K10', 'K9', ''])).toEqual([2, 1, Number.NaN]);
});
