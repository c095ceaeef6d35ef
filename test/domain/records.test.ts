import { expect, test } from 'vitest';
import { formRecord, MAX_RECORD_LENGTH } from '../../domain/records.ts';

/** What a form's fields may hold. */

const flawOf = (record: unknown): string | null => {
  const { error } = formRecord.safeParse(record);
  return error?.issues[0]?.message ?? null;
};

test('takes texts, numbers, booleans, null, and lists of them', () => {
  const record = { text: 'a', number: 1.5, on: false, none: null, list: ['a', 1, true, null], empty: [] };
  expect(formRecord.parse(record)).toEqual(record);
  for (const deep of [{}, { a: 1 }, [[]], ['a', {}]])
    expect(flawOf({ a: 'x', deep })).toBe('deep: must be a text, a number, true or false, or a list of such.');
});

test('takes twenty entries, and as many characters as the longest order', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  expect([flawOf(many(20)), flawOf(many(21))]).toEqual([null, 'has 21 entries; at most 20 are allowed.']);
  const long = (length: number) => ({ ab: 'x'.repeat(length - 2) });
  expect([flawOf(long(MAX_RECORD_LENGTH)), flawOf(long(MAX_RECORD_LENGTH + 1))]).toEqual([
    null,
    'has 80,001 characters; at most 80,000 are allowed.',
  ]);
  // Each of a list counts with the mark behind it.
  const list = (length: number) => ({ ab: ['x'.repeat(10), 5, 'x'.repeat(length - 2 - 11 - 2 - 1)] });
  expect([flawOf(list(MAX_RECORD_LENGTH)), flawOf(list(MAX_RECORD_LENGTH + 1))]).toEqual([
    null,
    'has 80,001 characters; at most 80,000 are allowed.',
  ]);
  expect(flawOf({ ['k'.repeat(101)]: 1 })).not.toBeNull();
});

test('refuses a name that would be silently lost', () => {
  expect(flawOf(JSON.parse('{"__proto__": 1}'))).toBe('__proto__ cannot be used as a name.');
  for (const none of [null, 'a', [1]]) expect(flawOf(none)).not.toBeNull();
});
