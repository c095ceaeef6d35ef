import { expect, test } from 'vitest';
import { ENTRY_BYTES, Held } from '../../worker/held.ts';

/** What is held of so many parts of a room, its name of one letter counted. */
const PART = 1000;
const parts = (count: number) => count * PART - ENTRY_BYTES - 2;

test('what nobody has asked for the longest goes first, once there is no more room', () => {
  const held = new Held<string>(10 * PART);
  held.put('a', 'A', parts(4));
  held.put('b', 'B', parts(3));
  held.put('c', 'C', parts(3));
  expect(held.bytes / PART).toBe(10);
  expect(held.get('a')).toBe('A');
  held.put('d', 'D', parts(1));
  expect(['a', 'b', 'c', 'd'].map((name) => held.get(name))).toEqual(['A', undefined, 'C', 'D']);
  expect(held.bytes / PART).toBe(8);
  held.put('e', 'E', parts(7));
  expect(['a', 'c', 'd', 'e'].map((name) => held.get(name))).toEqual([undefined, undefined, 'D', 'E']);
  expect(held.bytes / PART).toBe(8);
});

test('a value takes the place of the one before it, and one that is larger than the room leaves none', () => {
  const held = new Held<number>(10 * PART);
  held.put('a', 1, parts(6));
  held.put('b', 2, parts(4));
  held.put('a', 3, parts(5));
  expect([held.get('a'), held.get('b'), held.bytes / PART]).toEqual([3, 2, 9]);
  held.put('a', 4, parts(10));
  expect([held.get('a'), held.get('b'), held.bytes / PART]).toEqual([4, undefined, 10]);
  held.put('a', 5, parts(11));
  expect([held.get('a'), held.bytes / PART]).toEqual([undefined, 0]);
  held.drop('nothing');
  expect(held.bytes).toBe(0);
});

test('what nobody asked for the longest goes first, and names count: empty values do not fill the memory unseen', () => {
  const held = new Held<number>(100_000);
  for (let index = 0; index < 10_000; index++) {
    held.put(`name ${index}`, index, 0);
    held.get('name 0');
  }
  expect(held.bytes).toBeLessThanOrEqual(100_000);
  expect(held.get('name 0')).toBe(0);
  expect(held.get('name 1')).toBeUndefined();
  expect(held.get('name 9999')).toBe(9999);
  const kept = Array.from({ length: 10_000 }, (_, index) => held.get(`name ${index}`)).filter(
    (one) => one !== undefined,
  );
  expect(kept.length).toBeLessThan(200);
  expect(kept.length).toBeGreaterThan(100);
});

test('long names take room of their own, and what is larger than all of it is not kept', () => {
  const held = new Held<string>(10_000);
  held.put('n'.repeat(4000), 'first', 0);
  held.put('m'.repeat(4000), 'second', 0);
  expect(held.get('n'.repeat(4000))).toBeUndefined();
  expect(held.get('m'.repeat(4000))).toBe('second');
  held.put('larger', 'third', 10_000);
  expect(held.get('larger')).toBeUndefined();
  held.drop('m'.repeat(4000));
  expect(held.bytes).toBe(0);
});
