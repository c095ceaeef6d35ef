import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { idleWork, runWhenIdle } from '../../web/idle-work.ts';

let clock = 0;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Counts to `last`; each step advances the clock by a millisecond. */
function counting(last: number) {
  const done: number[] = [];
  function* steps(): Generator<void, number, void> {
    for (let step = 1; step <= last; step++) {
      done.push(step);
      clock += 1;
      yield;
    }
    return last;
  }
  return { work: idleWork(steps()), done };
}

test('unfinished work is completed at once when needed, and only once', () => {
  const { work, done } = counting(3);
  expect(work.step()).toBe(false);
  expect(work.get()).toBe(3);
  expect(done).toEqual([1, 2, 3]);
  expect([work.get(), work.step(), done.length]).toEqual([3, true, 3]);
});

test('works run in order within the idle budget until finished or stopped', () => {
  const moments: (() => void)[] = [];
  vi.stubGlobal('self', { requestIdleCallback: (moment: () => void) => moments.push(moment) });
  const [first, second] = [counting(4), counting(5)];
  runWhenIdle([first.work, second.work]);
  expect(first.done).toEqual([]);
  moments.shift()?.();
  expect([first.done.length, second.done.length]).toEqual([4, 2]);
  expect(moments.length).toBe(1);
  moments.shift()?.();
  expect(second.done.length).toBe(5);
  expect(moments.length).toBe(0);
  const third = counting(9);
  const stop = runWhenIdle([third.work]);
  moments.shift()?.();
  stop();
  moments.shift()?.();
  expect([third.done.length, moments.length]).toEqual([6, 0]);
});

test('works run between events in browsers without idle callbacks', () => {
  vi.stubGlobal('self', globalThis);
  const { work, done } = counting(20);
  runWhenIdle([work]);
  vi.runAllTimers();
  expect(done.length).toBe(20);
  const stopped = counting(3);
  runWhenIdle([stopped.work])();
  vi.runAllTimers();
  expect(stopped.done).toEqual([]);
});
