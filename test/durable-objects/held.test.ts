import { expect, test } from 'vitest';
import { Held } from '../../durable-objects/held.ts';

test('what nobody has asked for the longest goes first, once there is no more room', () => {
  const held = new Held<string>(10);
  held.put('a', 'A', 4);
  held.put('b', 'B', 3);
  held.put('c', 'C', 3);
  expect(held.bytes).toBe(10);
  expect(held.get('a')).toBe('A');
  held.put('d', 'D', 1);
  expect(['a', 'b', 'c', 'd'].map((name) => held.get(name))).toEqual(['A', undefined, 'C', 'D']);
  expect(held.bytes).toBe(8);
  held.put('e', 'E', 7);
  expect(['a', 'c', 'd', 'e'].map((name) => held.get(name))).toEqual([undefined, undefined, 'D', 'E']);
  expect(held.bytes).toBe(8);
});

test('a value takes the place of the one before it, and one that is larger than the room leaves none', () => {
  const held = new Held<number>(10);
  held.put('a', 1, 6);
  held.put('b', 2, 4);
  held.put('a', 3, 5);
  expect([held.get('a'), held.get('b'), held.bytes]).toEqual([3, 2, 9]);
  held.put('a', 4, 10);
  expect([held.get('a'), held.get('b'), held.bytes]).toEqual([4, undefined, 10]);
  held.put('a', 5, 11);
  expect([held.get('a'), held.bytes]).toEqual([undefined, 0]);
  held.drop('nothing');
  expect(held.bytes).toBe(0);
});
