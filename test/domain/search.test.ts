import { expect, test } from 'vitest';
import { containing, entryId, letterPairs, resembling, searchKey, slips, slipsForgiven } from '../../domain/search.ts';

test('a name is searched without styles, accents and punctuation', () => {
  expect(['꧁ 𝕳éʀO ꧂', 'ＨＥＲＯ', 'H.e-r_o 7', 'ᴀʙᴢ'].map(searchKey)).toEqual(['hero', 'hero', 'hero7', 'abz']);
  expect(searchKey('용사')).toBe('용사');
  // A name of ornaments only keeps them.
  expect(searchKey(' ★ ☆ ')).toBe('★☆');
  expect(searchKey(' \u0007 ')).toBe('');
  expect(searchKey('a'.repeat(300))).toHaveLength(200);
  expect(searchKey(`${'a'.repeat(199)}𠀀`).isWellFormed()).toBe(true);
});

test('a query of two characters outside ASCII finds them as a pair', () => {
  expect(letterPairs('龍王a한국')).toBe('\u0001龍王\u0001한국');
  expect(letterPairs('ab')).toBe('');
  expect(containing('龍王')).toBe('pairs : "\u0001龍王"');
  expect([containing('ab'), containing('龍'), containing('龍a')]).toEqual([null, null, null]);
  expect(containing('abc')).toBe('key : "abc"');
  expect(containing('a"b')).toBe('key : "a""b"');
});

test('names that share the beginning or the end are candidates for typing errors', () => {
  expect(resembling('abcd')).toBeNull();
  expect(resembling('abcde')).toBe('key : ("abc" OR "cde")');
  expect(resembling('abcdefgh')).toBe('key : ("abcd" OR "efgh")');
});

test('one typing error is allowed from five letters on, two from nine on', () => {
  expect([1, 4, 5, 8, 9, 40].map(slipsForgiven)).toEqual([0, 0, 1, 1, 2, 2]);
});

test.each([
  ['hero', 'hero', 0],
  ['hero', 'superheroes', 0],
  ['hero', 'hera', 1],
  ['hero', 'hro', 1],
  ['hero', 'herro', 1],
  ['hero', 'ehro', 1],
  ['hero', 'xhreox', 1],
  ['hero', 'abc', 4],
  ['kingfihser', 'kingfisher', 1],
  ['hero', '', 4],
])('%s differs from a part of %s by %i typing errors', (key, text, count) => {
  expect(slips(key, text)).toBe(count);
});

test('stronger entries come earlier, and those of equal power have different ids', () => {
  const id = (power: number, ref = '1') => entryId('rok', 'governor', ref, power);
  expect(id(2e8)).toBeLessThan(id(1e8));
  expect(id(1)).toBeLessThan(id(0));
  const equal = Array.from({ length: 1000 }, (_, index) => id(1e8, String(index)));
  expect(new Set(equal).size).toBe(1000);
  expect(Math.max(...equal)).toBeLessThan(id(9e7));
  expect(Math.min(...equal)).toBeGreaterThan(id(1.1e8));
  for (const one of [...equal, id(0), id(Number.MAX_SAFE_INTEGER)]) {
    expect(Number.isSafeInteger(one)).toBe(true);
    expect(one).toBeGreaterThan(0);
  }
  expect(entryId('rok', 'alliance', '1', 1e8)).not.toBe(id(1e8));
  expect(entryId('cod', 'governor', '1', 1e8)).not.toBe(id(1e8));
});

test('a plain name has the same key with an added accent', () => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
  const names = [printable, 'Moss_Dragon 7', ' ', '', '~* ', '-', 'a'.repeat(300), 'xX', ...printable];
  for (const name of names) expect([name, searchKey(name)]).toEqual([name, searchKey(`${name}\u0301`)]);
});
