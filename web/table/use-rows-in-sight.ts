import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Rows kept ready beyond the edges, so that a flick of the finger finds them drawn. */
const BEYOND = 10;
/** Rows drawn before the box has been measured: as many as a window has room for. */
const AT_FIRST = 20;

export interface Span {
  first: number;
  /** The first row that is not drawn any more. */
  end: number;
}

/** Which rows, all of that height, a box shows that is scrolled so far down, and those near its edges. */
export function rowsInSight(scrolled: number, boxHeight: number, rowHeight: number, count: number): Span {
  const end = Math.min(count, Math.ceil((scrolled + boxHeight) / rowHeight) + BEYOND);
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - BEYOND);
  // Scrolled past the end of a list that has become shorter, until the browser scrolls it back.
  return { first: Math.min(first, end), end };
}

/**
 * The rows to draw of `count` that stand below each other in a box that scrolls; all are `rowHeight` pixels high. The box
 * begins scrolled down by `from` pixels.
 */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  { rowHeight, count, from }: { rowHeight: number; count: number; from: number },
): Span {
  const [{ first, end }, setSpan] = useState<Span>({ first: 0, end: AT_FIRST });
  const start = useRef(from);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (start.current > 0 && count > 0) {
      box.scrollTop = start.current;
      start.current = 0;
    }
    const look = () => {
      const now = rowsInSight(box.scrollTop, box.clientHeight, rowHeight, count);
      setSpan((before) => (before.first === now.first && before.end === now.end ? before : now));
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [scroller, rowHeight, count]);
  return { first: Math.min(first, count), end: Math.min(end, count) };
}
