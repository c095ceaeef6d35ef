import { expect, test } from 'vitest';
import { allianceOf, nameOf, wordsOf } from '../../../domain/scans/words.ts';

test.each(['#N/A', '#REF!', '#DIV/0!', 'N/A', 'n/a', 'null', 'None', 'nan', ' NaN ', '-', 'Skipped', ''])(
  "'%s' is an empty cell, and no alliance",
  (cell) => {
    expect(wordsOf(cell)).toBeNull();
    expect(allianceOf(cell)).toEqual({ tag: null, name: null });
    expect(allianceOf(`[${cell}]${cell}`)).toEqual({ tag: null, name: null });
  },
);

test('words that contain such a word are kept, and a player may have it as a name', () => {
  expect(wordsOf('Nonesuch')).toBe('Nonesuch');
  expect(allianceOf('[NA]Nannies')).toEqual({ tag: 'NA', name: 'Nannies' });
  expect(nameOf('null')).toBe('null');
});
