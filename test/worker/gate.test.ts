import { expect, test, vi } from 'vitest';
import { streamOf } from '../../worker/files/stream-of.ts';
import { Gate } from '../../worker/gate.ts';

const soon = (ms: number) => new Promise<'waits'>((resolve) => setTimeout(resolve, ms, 'waits'));

test('so many work at once, the next one waits until a place is left', async () => {
  const gate = new Gate(2, 60_000);
  const first = await gate.enter();
  await gate.enter();
  const third = gate.enter();
  expect(await Promise.race([third, soon(60)])).toBe('waits');
  first.leave();
  expect(await Promise.race([third, soon(2000)])).toHaveProperty('leave');
});

test('a place that nobody touches is given away, one in use is not', async () => {
  const gate = new Gate(1, 100);
  const first = await gate.enter();
  const second = gate.enter();
  for (let time = 0; time < 6; time++) {
    first.touch();
    expect(await Promise.race([second, soon(40)])).toBe('waits');
  }
  expect(await Promise.race([second, soon(2000)])).toHaveProperty('leave');
});

test('who waits longer goes first', async () => {
  const gate = new Gate(1, 60_000);
  const held = await gate.enter();
  const order: number[] = [];
  const rest = [1, 2, 3].map(async (name) => {
    await soon(60 - 7 * name);
    const place = await gate.enter();
    order.push(name);
    place.leave();
  });
  await soon(120);
  held.leave();
  await Promise.all(rest);
  expect(order).toEqual([3, 2, 1]);
});

test('who has gone while he waited holds nobody up', async () => {
  const gate = new Gate(1, 60_000);
  const held = await gate.enter();
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((() => 0) as never);
  void gate.enter();
  timer.mockRestore();
  const second = gate.enter();
  held.leave();
  expect(await Promise.race([second, soon(100)])).toBe('waits');
  expect(await Promise.race([second, soon(3000)])).toHaveProperty('leave');
});

test.each(['to its end', 'until it fails', 'until nobody reads any more'])(
  'a stream keeps its place in use and gives it back, read %s',
  async (how) => {
    const place = { touch: vi.fn(), leave: vi.fn() };
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
    const reader = streamOf(pieces(), place).getReader();
    expect((await reader.read()).value).toEqual(Uint8Array.of(1));
    expect(place.touch).toHaveBeenCalled();
    expect(place.leave).not.toHaveBeenCalled();
    if (how === 'until nobody reads any more') await reader.cancel();
    else {
      await reader.read();
      const last = reader.read().then(
        ({ done }) => done,
        ({ message }: Error) => message,
      );
      expect(await last).toBe(how === 'until it fails' ? 'broken off' : true);
    }
    expect(place.leave).toHaveBeenCalled();
    expect(ended).toHaveBeenCalledOnce();
  },
);
