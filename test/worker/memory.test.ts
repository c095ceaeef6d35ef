import { expect, test, vi } from 'vitest';
import { addDays, dayOf } from '../../domain/days.ts';
import { streamOf } from '../../worker/files/stream-of.ts';
import { LruCache } from '../../worker/isolate/lru-cache.ts';
import { type HeavyWork, MEGABYTES, MemoryBudget, takeMemory } from '../../worker/isolate/memory.ts';
import { hashPassword } from '../../worker/models/accounts/passwords.ts';
import { signedInAdmin } from './client.ts';

const soon = (ms: number) => new Promise<'waits'>((resolve) => setTimeout(resolve, ms, 'waits'));

test('work runs while its memory is free, the next caller waits until enough is released', async () => {
  const budget = new MemoryBudget(100);
  const first = await budget.take(60);
  await budget.take(30);
  const third = budget.take(40);
  expect(await Promise.race([third, soon(60)])).toBe('waits');
  expect(budget.free()).toBe(10);
  first.release();
  expect(await Promise.race([third, soon(2000)])).toHaveProperty('release');
  expect(budget.free()).toBe(30);
});

test('work that needs little does not overtake work that waits for more', async () => {
  const budget = new MemoryBudget(100);
  const first = await budget.take(60);
  const large = budget.take(80);
  await soon(40);
  const small = budget.take(20);
  expect(await Promise.race([small, soon(80)])).toBe('waits');
  first.release();
  await large;
  expect(await Promise.race([small, soon(2000)])).toHaveProperty('release');
});

test('short work has memory of its own, which others never take', async () => {
  const budget = new MemoryBudget(100, 20);
  await budget.take(80);
  const large = budget.take(21);
  const short = await budget.take(20);
  const second = budget.take(20);
  expect(await Promise.race([large, second, soon(80)])).toBe('waits');
  short.release();
  expect(await Promise.race([second, soon(2000)])).toHaveProperty('release');
  expect(await Promise.race([large, soon(80)])).toBe('waits');
});

test('memory of work that no longer runs is taken again, that of running work is not', async () => {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  const beats: (() => void)[] = [];
  const timer = vi
    .spyOn(globalThis, 'setInterval')
    .mockImplementation(((beat: () => void) => beats.push(beat)) as never);
  const budget = new MemoryBudget(100);
  await budget.take(60);
  for (let second = 0; second < 60; second += 2) {
    now += 2000;
    beats[0]?.();
    expect(budget.free()).toBe(40);
  }
  // The timers of a request that was cut off stop.
  now += 10_000;
  expect(budget.free()).toBe(40);
  now += 1;
  expect(budget.free()).toBe(100);
  // Somebody reads very slowly.
  await budget.take(60);
  now += 120_000;
  beats[1]?.();
  expect(budget.free()).toBe(40);
  now += 1;
  beats[1]?.();
  expect(budget.free()).toBe(100);
  timer.mockRestore();
  clock.mockRestore();
});

test('callers go in the order in which they came', async () => {
  const budget = new MemoryBudget(1);
  const held = await budget.take(1);
  const order: number[] = [];
  const rest = [1, 2, 3].map(async (name) => {
    await soon(60 - 7 * name);
    const slot = await budget.take(1);
    order.push(name);
    slot.release();
  });
  await soon(120);
  held.release();
  await Promise.all(rest);
  expect(order).toEqual([3, 2, 1]);
});

test('a caller that disconnected while waiting blocks nobody', async () => {
  const budget = new MemoryBudget(1);
  const held = await budget.take(1);
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((() => 0) as never);
  void budget.take(1);
  timer.mockRestore();
  const second = budget.take(1);
  held.release();
  expect(await Promise.race([second, soon(100)])).toBe('waits');
  expect(await Promise.race([second, soon(3000)])).toHaveProperty('release');
});

test('every kind of heavy work fits into an isolate together with a password hash', async () => {
  for (const work of Object.keys(MEGABYTES) as HeavyWork[]) {
    const slot = await Promise.race([takeMemory(work), soon(2000)]);
    if (slot === 'waits') throw new Error(`${work} never gets its memory`);
    if (work !== 'passwordHash') expect(await hashPassword('a password of some length')).toMatch(/^scrypt/);
    slot.release();
  }
});

test('two kinds that do not fit together wait for each other', async () => {
  const file = await takeMemory('uploadedFile');
  const comparison = takeMemory('comparison');
  expect(await Promise.race([comparison, soon(100)])).toBe('waits');
  file.release();
  (await comparison).release();
});

test('publishing boards again waits for the memory of other work', async () => {
  const admin = await signedInAdmin();
  const file = await takeMemory('uploadedFile');
  const day = addDays(dayOf(Date.now()), -1);
  const published = admin.call('POST', '/v1/admin/boards/publish', { game: 'rok', day });
  expect(await Promise.race([published, soon(1000)])).toBe('waits');
  file.release();
  // Nothing was scanned here.
  expect((await published).status).toBe(404);
});

test('caches share the memory of the isolate and give way to heavy work', async () => {
  const MB = 2 ** 20;
  const [one, other] = [new LruCache<string>(40 * MB), new LruCache<string>(40 * MB)];
  one.put('a', 'A', 20 * MB);
  other.put('b', 'B', 20 * MB);
  one.get('a');
  other.put('c', 'C', 15 * MB);
  expect([one.get('a'), other.get('b'), other.get('c')]).toEqual(['A', 'B', 'C']);
  one.put('d', 'D', 15 * MB);
  expect([one.get('a'), other.get('b'), other.get('c'), one.get('d')]).toEqual([undefined, 'B', 'C', 'D']);
  const slot = await takeMemory('uploadedFile');
  expect(one.bytes + other.bytes).toBeLessThanOrEqual(22 * MB);
  expect(one.get('d')).toBe('D');
  other.put('e', 'E', 30 * MB);
  expect(other.get('e')).toBeUndefined();
  slot.release();
  other.put('e', 'E', 30 * MB);
  expect(other.get('e')).toBe('E');
});

test.each(['to its end', 'until it fails', 'until nobody reads any more'])(
  'a stream releases its memory, read %s',
  async (how) => {
    const slot = { release: vi.fn() };
    const ended = vi.fn();
    function* pieces(): Generator<Uint8Array> {
      try {
        yield Uint8Array.of(1);
        yield Uint8Array.of(2);
        if (how === 'until it fails') throw new Error('broken off');
      } finally {
        ended();
      }
    }
    const reader = streamOf(pieces(), slot).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    expect(slot.release).not.toHaveBeenCalled();
    if (how === 'until nobody reads any more') await reader.cancel();
    else {
      await reader.read();
      const last = reader.read().then(
        ({ done }) => done,
        ({ message }: Error) => message,
      );
      expect(await last).toBe(how === 'until it fails' ? 'broken off' : true);
    }
    expect(slot.release).toHaveBeenCalled();
    expect(ended).toHaveBeenCalledOnce();
  },
);
