import { expect, test, vi } from 'vitest';
import { sentOff } from '../../../worker/files/stream-of.ts';
import { eventually } from '../../support/eventually.ts';

/** Tests that streamed pieces arrive whole and that their memory is released once read. */

const LARGE = 64 * 1024;
const slot = () => ({ release: vi.fn() });
const filled = (size: number, value: number) => new Uint8Array(size).fill(value);

function maker(pieces: readonly Uint8Array[]) {
  const state = { made: 0, ended: false };
  function* each() {
    try {
      for (const piece of pieces) {
        state.made++;
        yield piece;
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, pieces: each() };
}

test('a slow reader gets every byte, and the memory of read pieces is released', async () => {
  const pieces = [
    filled(LARGE, 1),
    filled(3, 2),
    filled(LARGE + 1, 3),
    new Uint8Array(new ArrayBuffer(2 * LARGE), 0, LARGE),
  ];
  const held = slot();
  const { state, pieces: made } = maker(pieces);
  const reader = new Response(sentOff(made, held)).body?.getReader({ mode: 'byob' });
  const read: number[] = [];
  const first = await reader?.read(new Uint8Array(1000));
  read.push(...(first?.value ?? []));
  await scheduler.wait(20);
  // No piece is made before the reader asks for it.
  expect([state.made, held.release.mock.calls.length]).toEqual([1, 0]);
  for (;;) {
    const { done, value } = (await reader?.read(new Uint8Array(20_000))) ?? { done: true };
    if (done) break;
    read.push(...(value as Uint8Array));
    await scheduler.wait(1);
  }
  expect(read.length).toBe(3 * LARGE + 4);
  expect([1, 2, 3, 0].map((value) => read.filter((each) => each === value).length)).toEqual([
    LARGE,
    3,
    LARGE + 1,
    LARGE,
  ]);
  expect(pieces.map(({ buffer }) => (buffer as ArrayBuffer).detached)).toEqual([true, false, true, false]);
  expect([state.ended, held.release.mock.calls.length]).toEqual([true, 1]);
});

test('a reader that cancels ends the work and releases the slot', async () => {
  const held = slot();
  const { state, pieces } = maker([filled(LARGE, 1), filled(LARGE, 2), filled(LARGE, 3)]);
  const stream = sentOff(pieces, held);
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel('gone');
  await eventually(() => expect([state.ended, held.release.mock.calls.length]).toEqual([true, 1]));
  expect(state.made).toBeLessThan(3);
});

test('an error on the way reaches the reader and releases the slot', async () => {
  const held = slot();
  async function* failing() {
    yield filled(LARGE, 1);
    throw new Error('broken off');
  }
  await expect(new Response(sentOff(failing(), held)).arrayBuffer()).rejects.toThrow('broken off');
  expect(held.release).toHaveBeenCalledTimes(1);
});
