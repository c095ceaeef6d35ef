import { afterEach, expect, test, vi } from 'vitest';
import { rowsToDraw, type Span, seenIn, useVisibleRows } from '../../../web/table/use-visible-rows.ts';
import { hooked } from '../hook.tsx';

/** Which rows of a long list render: the visible ones plus whole blocks on each side, never beyond the list. */

afterEach(() => {
  vi.useRealTimers();
});

const NONE: Span = { first: 0, end: 0 };
const drawn = (scrolled: number, count = 1000, before = NONE) =>
  rowsToDraw(seenIn(scrolled, 360, 36, count), count, before);

test.each([
  ['at the top', 0, { first: 0, end: 18 }],
  ['two rows down', 72, { first: 0, end: 18 }],
  ['a pixel further than two', 73, { first: 0, end: 24 }],
  ['further down', 36 * 50, { first: 42, end: 66 }],
  ['at the end', 36 * 990, { first: 984, end: 1000 }],
])('%s', (_, scrolled, span) => {
  expect(drawn(scrolled)).toEqual(span);
});

test('rendered rows stay until at most two remain beyond an edge', () => {
  const before = drawn(36 * 50);
  expect(before).toEqual({ first: 42, end: 66 });
  expect(drawn(36 * 53, 1000, before)).toBe(before);
  expect(drawn(36 * 53 + 1, 1000, before)).toEqual({ first: 42, end: 72 });
  expect(drawn(36 * 45, 1000, before)).toBe(before);
  expect(drawn(36 * 45 - 1, 1000, before)).toEqual({ first: 36, end: 66 });
});

test('nothing more renders at either end', () => {
  const top = drawn(0);
  expect(drawn(0, 1000, top)).toBe(top);
  const bottom = drawn(36 * 990);
  expect(drawn(36 * 990, 1000, bottom)).toBe(bottom);
});

test('a short list renders in full, an empty one not at all, a shortened one from its end', () => {
  expect(drawn(0, 7)).toEqual({ first: 0, end: 7 });
  expect(drawn(0, 0)).toEqual({ first: 0, end: 0 });
  expect(drawn(36 * 900, 7, { first: 894, end: 918 })).toEqual({ first: 0, end: 7 });
});

/** A scrolling box, as far as the hook uses it, with a record of its listeners. */
function box(clientHeight: number) {
  const heard = new EventTarget();
  const element = Object.assign(heard, {
    ...{ scrollTop: 0, clientHeight, scrollLeft: 0, clientWidth: 300, scrollWidth: 500 },
    marks: new Set<string>(),
    toggleAttribute(name: string, on: boolean) {
      if (on) element.marks.add(name);
      else element.marks.delete(name);
    },
  });
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

const listOf = (count: number): readonly unknown[] => Array.from({ length: count });
type Asked = Parameters<typeof useVisibleRows>[1];
/** Renders the hook and records every span. */
async function shown(element: unknown, asked: Asked) {
  const spans: Span[] = [];
  const scroller = { current: element as HTMLElement | null };
  const hook = await hooked((each: Asked) => {
    const span = useVisibleRows(scroller, each);
    spans.push(span);
    return span;
  }, asked);
  return Object.assign(hook, { spans });
}

test('the rendered rows follow the box’s scrolling and size until unmount', async () => {
  const { element, observers, scroll } = box(360);
  const rows = await shown(element, { width: 500, rowHeight: 36, rows: listOf(1000), from: 0 });
  // The first rows render and appear before the others.
  expect(rows.spans[0]).toEqual({ first: 0, end: 6 });
  expect(rows.value).toEqual({ first: 0, end: 18 });
  await rows.does(() => scroll(1));
  expect(rows.value).toEqual({ first: 0, end: 18 });
  // Near the edge rows render during scrolling; far beyond it, at once.
  await rows.does(() => scroll(36 * 6));
  expect(rows.value).toEqual({ first: 0, end: 24 });
  await rows.does(() => scroll(36 * 50));
  expect(rows.value).toEqual({ first: 42, end: 66 });
  element.clientHeight = 720;
  await rows.does(() => {
    for (const look of observers) look();
  });
  expect(rows.value).toEqual({ first: 42, end: 78 });
  // Another search has fewer rows; only those render.
  await rows.show({ width: 500, rowHeight: 36, rows: listOf(60), from: 0 });
  expect(rows.value).toEqual({ first: 42, end: 60 });
  expect(observers.size).toBe(1);
  const removed = vi.spyOn(element, 'removeEventListener');
  await rows.end();
  expect([observers.size, removed.mock.calls.map(([name]) => name)]).toEqual([0, ['scroll', 'scroll']]);
});

test('a box restores its scroll position once there are rows', async () => {
  const { element } = box(360);
  const rows = await shown(element, { width: 500, rowHeight: 36, rows: listOf(0), from: 36 * 50 });
  expect([element.scrollTop, rows.value]).toEqual([0, { first: 0, end: 0 }]);
  await rows.show({ width: 500, rowHeight: 36, rows: listOf(1000), from: 36 * 50 });
  expect([element.scrollTop, rows.value]).toEqual([36 * 50, { first: 42, end: 66 }]);
  // Only once; afterwards the reader controls the scroll position.
  element.scrollTop = 0;
  await rows.show({ width: 500, rowHeight: 36, rows: listOf(999), from: 36 * 50 });
  expect(rows.value).toEqual({ first: 0, end: 18 });
  await rows.end();
});

test('the box marks horizontal scrolling and whether it can continue', async () => {
  const { element, scroll } = box(360);
  const rows = await shown(element, { width: 500, rowHeight: 36, rows: listOf(10), from: 0 });
  expect([...element.marks]).toEqual(['data-more']);
  element.scrollLeft = 199;
  scroll(0);
  expect(element.marks).toContain('data-aside');
  expect(element.marks).not.toContain('data-more');
  await rows.end();
});

test('the box marks scrolling until it has been still or unmounts', async () => {
  const { element, scroll } = box(360);
  const rows = await shown(element, { width: 300, rowHeight: 36, rows: listOf(1000), from: 0 });
  const moves = () => element.marks.has('data-moving');
  expect(moves()).toBe(false);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await rows.does(() => scroll(10));
  await vi.advanceTimersByTimeAsync(100);
  await rows.does(() => scroll(20));
  await vi.advanceTimersByTimeAsync(119);
  expect(moves()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(moves()).toBe(false);
  await rows.does(() => scroll(30));
  await rows.end();
  expect([moves(), vi.getTimerCount()]).toEqual([false, 0]);
});

test('new rows render visible ones first, nearby ones afterwards', async () => {
  const { scroll, element } = box(360);
  const asked = { width: 500, rowHeight: 36, rows: listOf(1000), from: 0 };
  const rows = await shown(element, asked);
  await rows.does(() => scroll(36 * 50));
  rows.spans.length = 0;
  await rows.show({ ...asked, rows: listOf(1000) });
  expect([rows.spans[0], rows.value]).toEqual([
    { first: 50, end: 60 },
    { first: 42, end: 66 },
  ]);
  rows.spans.length = 0;
  // With fewer rows than before, the browser scrolls back and the remaining rows render.
  element.scrollTop = 0;
  await rows.show({ ...asked, rows: listOf(55) });
  expect([rows.spans[0], rows.spans[1], rows.value]).toEqual([
    { first: 50, end: 55 },
    { first: 0, end: 10 },
    { first: 0, end: 18 },
  ]);
  rows.spans.length = 0;
  // The same after a jump beyond the rendered rows.
  await rows.does(() => scroll(36 * 30));
  expect([rows.spans[0], rows.value]).toEqual([
    { first: 30, end: 40 },
    { first: 24, end: 48 },
  ]);
  rows.spans.length = 0;
  // The same rows are not treated as new ones.
  const same = { ...asked, rows: listOf(60) };
  await rows.show(same);
  rows.spans.length = 0;
  await rows.show({ ...same });
  expect(rows.spans).toEqual([rows.value]);
  await rows.end();
});

test('without a box the first rows are rendered', async () => {
  const rows = await shown(null, { width: 500, rowHeight: 36, rows: listOf(1000), from: 0 });
  expect(rows.value).toEqual({ first: 0, end: 6 });
  await rows.show({ width: 500, rowHeight: 36, rows: listOf(4), from: 0 });
  expect(rows.value).toEqual({ first: 0, end: 4 });
  await rows.end();
});
