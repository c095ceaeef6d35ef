import { expect, test, vi } from 'vitest';
import { streamOf } from '../../worker/files/stream-of.ts';
import { Semaphore } from '../../worker/isolate/semaphore.ts';

const soon = (ms: number) => new Promise<'waits'>((resolve) => setTimeout(resolve, ms, 'waits'));

test('the limit runs at once, the next caller waits for a released slot', async () => {
  const semaphore = new Semaphore(2, 60_000);
  const first = await semaphore.acquire();
  await semaphore.acquire();
  const third = semaphore.acquire();
  expect(await Promise.race([third, soon(60)])).toBe('waits');
  first.release();
  expect(await Promise.race([third, soon(2000)])).toHaveProperty('release');
});

test('a slot that nobody touches is reassigned, a touched one is not', async () => {
  const semaphore = new Semaphore(1, 100);
  const first = await semaphore.acquire();
  const second = semaphore.acquire();
  for (let time = 0; time < 6; time++) {
    first.touch();
    expect(await Promise.race([second, soon(40)])).toBe('waits');
  }
  expect(await Promise.race([second, soon(2000)])).toHaveProperty('release');
});

test('the longest waiting caller goes first', async () => {
  const semaphore = new Semaphore(1, 60_000);
  const held = await semaphore.acquire();
  const order: number[] = [];
  const rest = [1, 2, 3].map(async (name) => {
    await soon(60 - 7 * name);
    const slot = await semaphore.acquire();
    order.push(name);
    slot.release();
  });
  await soon(120);
  held.release();
  await Promise.all(rest);
  expect(order).toEqual([3, 2, 1]);
});

test('a caller that disconnected while waiting blocks nobody', async () => {
  const semaphore = new Semaphore(1, 60_000);
  const held = await semaphore.acquire();
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((() => 0) as never);
  void semaphore.acquire();
  timer.mockRestore();
  const second = semaphore.acquire();
  held.release();
  expect(await Promise.race([second, soon(100)])).toBe('waits');
  expect(await Promise.race([second, soon(3000)])).toHaveProperty('release');
});

test.each(['to its end', 'until it fails', 'until nobody reads any more'])(
  'a stream touches its slot and releases it, read %s',
  async (how) => {
    const slot = { touch: vi.fn(), release: vi.fn() };
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
    expect(slot.touch).toHaveBeenCalled();
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
