import { expect, test } from 'vitest';
import { flawOf, patternsOf } from '../scripts/patterns.ts';

/** The part of the lint that looks for regular expressions which take more than linear time. */

test.each([
  ['repetitions in repetitions', '^([a-z]+)+$', ''],
  ['repetitions beside each other', '^[a-z]*[a-z0-9]*!', ''],
  ['a repetition that begins anywhere', '\\s*%$', ''],
  ['words that repeat inside of what follows them', '(?:jan|feb)[a-z]*[-_., ]+\\d', 'gi'],
  ['a bracket that is opened again and again', '\\{[^}]*\\}', 'g'],
])('%s are found', (_, source, flags) => {
  expect(flawOf({ source, flags })).not.toBeNull();
});

test.each([
  ['a repetition with an end of its own', '\\{[^{}]*\\}', 'g'],
  ['a repetition behind the beginning', '^[a-z]+\\d', ''],
  ['repetitions of a few', '(?:jan|feb)[a-z]{0,6}[-_., ]{1,3}\\d', 'gi'],
])('%s is fine', (_, source, flags) => {
  expect(flawOf({ source, flags })).toBeNull();
});

test('finds the patterns in a source, and names those built at run time by their place', () => {
  const source = 'const a = /x+/gi;\nconst b = new RegExp(a.source);\n// /z/\n';
  expect(patternsOf('a.ts', source)).toEqual({
    written: [{ place: 'a.ts:1', source: 'x+', flags: 'gi' }],
    made: ['a.ts:2'],
  });
});
