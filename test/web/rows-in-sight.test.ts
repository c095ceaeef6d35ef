import { expect, test, vi } from 'vitest';
import { rowsInSight, useRowsInSight } from '../../web/table/use-rows-in-sight.ts';
import { hooked } from './hook.ts';

/** Which rows of a long list are drawn: what is in sight, ten more on each side, and never what is not there. */

test.each([
  ['at the top', 0, { first: 0, end: 20 }],
  ['a row down', 36, { first: 0, end: 21 }],
  ['between two rows', 378, { first: 0, end: 31 }],
  ['further down', 36 * 50, { first: 40, end: 70 }],
  ['at the end', 36 * 990, { first: 980, end: 1000 }],
])('%s', (_, scrolled, span) => {
  expect(rowsInSight(scrolled, 360, 36, 1000)).toEqual(span);
});

test('a short list is drawn whole, an empty one not at all, one that has become shorter from its end', () => {
  expect(rowsInSight(0, 360, 36, 7)).toEqual({ first: 0, end: 7 });
  expect(rowsInSight(0, 360, 36, 0)).toEqual({ first: 0, end: 0 });
  expect(rowsInSight(36 * 900, 360, 36, 7)).toEqual({ first: 7, end: 7 });
});

/** A box that scrolls, as far as the hook asks it, with a note of who listens. */
function box(clientHeight: number) {
  const heard = new EventTarget();
  const element = Object.assign(heard, { scrollTop: 0, clientHeight });
  const observers = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly look: () => void;
      constructor(look: () => void) {
        this.look = look;
      }
      observe(seen: unknown) {
        expect(seen).toBe(element);
        observers.add(this.look);
      }
      disconnect() {
        observers.delete(this.look);
      }
    },
  );
  return {
    element,
    observers,
    scroll: (to: number) => {
      element.scrollTop = to;
      heard.dispatchEvent(new Event('scroll'));
    },
  };
}

type Asked = { rowHeight: number; count: number; from: number };
const shown = (element: unknown, asked: Asked) =>
  hooked((each: Asked) => useRowsInSight({ current: element as HTMLElement | null }, each), asked);

test('the rows of a box follow its scrolling and its size, until it is gone', async () => {
  const { element, observers, scroll } = box(360);
  const rows = await shown(element, { rowHeight: 36, count: 1000, from: 0 });
  expect(rows.value).toEqual({ first: 0, end: 20 });
  const before = rows.value;
  await rows.does(() => scroll(1));
  expect(rows.value).toEqual({ first: 0, end: 21 });
  expect(rows.value).not.toBe(before);
  await rows.does(() => scroll(36 * 50));
  expect(rows.value).toEqual({ first: 40, end: 70 });
  element.clientHeight = 720;
  await rows.does(() => {
    for (const look of observers) look();
  });
  expect(rows.value).toEqual({ first: 40, end: 80 });
  // Another search: fewer rows, and those that are there.
  await rows.show({ rowHeight: 36, count: 60, from: 0 });
  expect(rows.value).toEqual({ first: 40, end: 60 });
  expect(observers.size).toBe(1);
  const removed = vi.spyOn(element, 'removeEventListener');
  await rows.end();
  expect([observers.size, removed.mock.calls.map(([name]) => name)]).toEqual([0, ['scroll']]);
});

test('a box begins where it was left, once there are rows', async () => {
  const { element } = box(360);
  const rows = await shown(element, { rowHeight: 36, count: 0, from: 36 * 50 });
  expect([element.scrollTop, rows.value]).toEqual([0, { first: 0, end: 0 }]);
  await rows.show({ rowHeight: 36, count: 1000, from: 36 * 50 });
  expect([element.scrollTop, rows.value]).toEqual([36 * 50, { first: 40, end: 70 }]);
  // Only once: afterwards it is the reader's.
  element.scrollTop = 0;
  await rows.show({ rowHeight: 36, count: 999, from: 36 * 50 });
  expect(rows.value).toEqual({ first: 0, end: 20 });
  await rows.end();
});

test('without a box some rows are ready, as far as there are any', async () => {
  const rows = await shown(null, { rowHeight: 36, count: 1000, from: 0 });
  expect(rows.value).toEqual({ first: 0, end: 20 });
  await rows.show({ rowHeight: 36, count: 7, from: 0 });
  expect(rows.value).toEqual({ first: 0, end: 7 });
  await rows.end();
});
