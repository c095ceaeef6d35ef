import { expect, test, vi } from 'vitest';
import { roomIn, surelyFits } from '../../../web/table/fits.ts';

/** Text that certainly fits in a cell and needs no truncation. */

test.each([
  ['', 0, true],
  ['lower', 4.21, true],
  ['lowers', 4.6, false],
  ['Mmww', 4.81, true],
  ['Mmww', 4.7, false],
  ['ABCD', 3.6, true],
  ['ABCD', 3.5, false],
  ['Éß', 1.8, true],
  ['ÆŒ', 2.3, false],
  ['漢字カナ한글', 7.21, true],
  ['漢字カナ한글', 7.1, false],
])('%s in %d ems: %s', (text, room, fits) => {
  expect(surelyFits(text, room)).toBe(fits);
});

test('characters of unknown width never count as fitting', () => {
  for (const sign of ['﷽', '𒐫', '😀', '\t', '\u202e', '\u0300', 'ข', 'Ǆ'])
    expect([sign, surelyFits(`a${sign}`, 20)]).toEqual([sign, false]);
});

test('a cell’s room depends on the reader’s font size', () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('getComputedStyle', () => ({ fontSize: '20px' }));
  // 100 px are 5 rem, of which 1.5 are padding. The font size is seven eighths of a rem.
  expect(roomIn(100)).toBe(4);
  vi.unstubAllGlobals();
});
