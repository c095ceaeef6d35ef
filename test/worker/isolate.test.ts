import { expect, it, test } from 'vitest';
import { nearestObject } from '../../worker/gateways/board-cache.ts';
import { ENTRY_BYTES, LruCache } from '../../worker/isolate/lru-cache.ts';
import { SingleFlight } from '../../worker/isolate/single-flight.ts';
import { hashPassword, passwordMatches } from '../../worker/models/accounts/passwords.ts';

/** The size of a cache in parts, and the bytes of a value that fills this many of them under a name of one letter. */
const PART = 1000;
const parts = (count: number) => count * PART - ENTRY_BYTES - 2;

test('the least recently used entry is dropped first when the cache is full', () => {
  const cache = new LruCache<string>(10 * PART);
  cache.put('a', 'A', parts(4));
  cache.put('b', 'B', parts(3));
  cache.put('c', 'C', parts(3));
  expect(cache.bytes / PART).toBe(10);
  expect(cache.get('a')).toBe('A');
  cache.put('d', 'D', parts(1));
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name))).toEqual(['A', undefined, 'C', 'D']);
  expect(cache.bytes / PART).toBe(8);
  cache.put('e', 'E', parts(7));
  expect(['a', 'c', 'd', 'e'].map((name) => cache.get(name))).toEqual([undefined, undefined, 'D', 'E']);
  expect(cache.bytes / PART).toBe(8);
});

test('a value replaces the one before it, and one larger than the cache removes it', () => {
  const cache = new LruCache<number>(10 * PART);
  cache.put('a', 1, parts(6));
  cache.put('b', 2, parts(4));
  cache.put('a', 3, parts(5));
  expect([cache.get('a'), cache.get('b'), cache.bytes / PART]).toEqual([3, 2, 9]);
  cache.put('a', 4, parts(10));
  expect([cache.get('a'), cache.get('b'), cache.bytes / PART]).toEqual([4, undefined, 10]);
  cache.put('a', 5, parts(11));
  expect([cache.get('a'), cache.bytes / PART]).toEqual([undefined, 0]);
  cache.drop('nothing');
  expect(cache.bytes).toBe(0);
});

test('names count, so empty values cannot fill the memory', () => {
  const cache = new LruCache<number>(100_000);
  for (let index = 0; index < 10_000; index++) {
    cache.put(`name ${index}`, index, 0);
    cache.get('name 0');
  }
  expect(cache.bytes).toBeLessThanOrEqual(100_000);
  expect(cache.get('name 0')).toBe(0);
  expect(cache.get('name 1')).toBeUndefined();
  expect(cache.get('name 9999')).toBe(9999);
  const kept = Array.from({ length: 10_000 }, (_, index) => cache.get(`name ${index}`)).filter(
    (one) => one !== undefined,
  );
  expect(kept.length).toBeLessThan(200);
  expect(kept.length).toBeGreaterThan(100);
});

test('long names count by length, and a value larger than the cache is not stored', () => {
  const cache = new LruCache<string>(10_000);
  cache.put('n'.repeat(4000), 'first', 0);
  cache.put('m'.repeat(4000), 'second', 0);
  expect(cache.get('n'.repeat(4000))).toBeUndefined();
  expect(cache.get('m'.repeat(4000))).toBe('second');
  cache.put('larger', 'third', 10_000);
  expect(cache.get('larger')).toBeUndefined();
  cache.drop('m'.repeat(4000));
  expect(cache.bytes).toBe(0);
});

const PATIENCE_MS = 30;
const never = () => new Promise<string>(() => {});

it('concurrent calls for the same work run it once', async () => {
  const shared = new SingleFlight<string>(10_000);
  let made = 0;
  const make = async () => {
    await scheduler.wait(5);
    return `${++made}`;
  };
  expect(await Promise.all([1, 2, 3].map(() => shared.get('a', make)))).toEqual(['1', '1', '1']);
  expect(await Promise.all([shared.get('a', make), shared.get('b', make)])).toEqual(['2', '3']);
});

it('after the first caller disconnects, one waiting caller runs the work again', async () => {
  const shared = new SingleFlight<string>(PATIENCE_MS);
  void shared.get('a', never);
  let made = 0;
  const make = async () => {
    made += 1;
    await scheduler.wait(5);
    return 'here';
  };
  expect(await Promise.all([1, 2, 3].map(() => shared.get('a', make)))).toEqual(['here', 'here', 'here']);
  expect(made).toBe(1);
  // Two callers in a row that disconnected.
  void shared.get('b', never);
  void shared.get('b', never);
  expect(await shared.get('b', make)).toBe('here');
});

it('a failure goes to the caller that caused it, and the others try once more', async () => {
  const shared = new SingleFlight<string>(10_000);
  let tries = 0;
  const failing = (times: number) => async () => {
    await scheduler.wait(5);
    if (++tries <= times) throw new Error(`try ${tries}`);
    return 'here';
  };
  const outcomes = async (times: number) => {
    tries = 0;
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => shared.get('a', failing(times))));
    return all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message));
  };
  expect(await outcomes(1)).toEqual(['try 1', 'here', 'here', 'here']);
  // Work that fails for everybody is not tried once per caller.
  expect(await outcomes(99)).toEqual(['try 1', 'try 2', 'try 2', 'try 2']);
});

it('a board part whose first reader disconnected is read by the next one', async () => {
  const key = crypto.randomUUID();
  void nearestObject(key, () => new Promise(() => {}));
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  expect(await nearestObject(key, async () => bytes)).toBe(bytes);
});

test('other calls run between two password hashes', async () => {
  const order: string[] = [];
  const first = hashPassword('four unrelated words here').then(() => order.push('first'));
  const second = passwordMatches('four unrelated words here', null).then(() => order.push('second'));
  setTimeout(() => order.push('another call'), 1);
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'another call', 'second']);
});
