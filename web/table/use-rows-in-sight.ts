import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Rows come and go in blocks: a step of the wheel mostly finds its rows drawn, and the browser lays out only new blocks. */
export const BLOCK = 6;
/** Rows that are drawn ahead of either edge, so that a flick of the finger finds them drawn, … */
const AHEAD = 6;
/** … and how few of them may be left before more are drawn. */
const LEAST = 3;
/** Rows drawn before the box has been measured: a phone draws and lays them out in one short piece, and the others after it. */
const AT_FIRST = 6;

export interface Span {
  first: number;
  /** The first row that is not drawn any more. */
  end: number;
}

/** The rows, all of that height, that a box shows which is scrolled so far down. */
export function seenIn(scrolled: number, boxHeight: number, rowHeight: number, count: number): Span {
  const end = Math.min(count, Math.ceil((scrolled + boxHeight) / rowHeight));
  // Scrolled past the end of a list that has become shorter, until the browser scrolls it back.
  return { first: Math.min(end, Math.max(0, Math.floor(scrolled / rowHeight))), end };
}

/** True where the rows and so many more on either side, as far as there are any, are among those of `span`. */
const holds = (span: Span, { first, end }: Span, more: number, count: number): boolean =>
  span.first <= Math.max(0, first - more) && span.end >= Math.min(count, end + more) && span.end <= count;

/** Which rows to draw where `seen` are seen, in whole blocks; those that are drawn already as long as they are enough. */
export function rowsToDraw(seen: Span, count: number, drawn: Span): Span {
  if (holds(drawn, seen, LEAST, count)) return drawn;
  return {
    first: Math.max(0, Math.floor((seen.first - AHEAD) / BLOCK) * BLOCK),
    end: Math.min(count, Math.ceil((seen.end + AHEAD) / BLOCK) * BLOCK),
  };
}

/** Says to the style sheet whether the box is scrolled sideways, and whether it can be scrolled further. */
function markSides(box: HTMLElement): void {
  box.toggleAttribute('data-aside', box.scrollLeft > 0);
  box.toggleAttribute('data-more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/** As much of a span as a list of so many rows has. */
const stillThere = ({ first, end }: Span, count: number): Span => ({
  first: Math.min(first, count),
  end: Math.min(end, count),
});

/** So long after its last step the box is said to stand still. */
const STILL_MS = 120;

/** Says to the style sheet while the box is scrolled. */
function markMoves(box: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => box.toggleAttribute('data-moving', false);
  const move = () => {
    clearTimeout(timer);
    timer = setTimeout(rest, STILL_MS);
    box.toggleAttribute('data-moving', true);
  };
  box.addEventListener('scroll', move, { passive: true });
  return () => {
    clearTimeout(timer);
    rest();
    box.removeEventListener('scroll', move);
  };
}

/**
 * Those of the `rows` that are to be drawn, which stand below each other in a box that scrolls; all are `rowHeight`
 * pixels high. The box begins scrolled down by `from` pixels; what it scrolls is at least `width` wide. Of other rows
 * those in sight come first, and what is near them once they are seen.
 */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  { rowHeight, rows, width, from }: { rowHeight: number; rows: readonly unknown[]; width: number; from: number },
): Span {
  const count = rows.length;
  const [drawn, setDrawn] = useState({ first: 0, end: AT_FIRST, rows });
  const sight = useRef<Span>({ first: 0, end: AT_FIRST });
  const { first, end } = stillThere(drawn.rows === rows ? drawn : sight.current, count);
  const shown = useRef<Span>({ first, end });
  useLayoutEffect(() => {
    shown.current = { first, end };
  }, [first, end]);
  const start = useRef(from);
  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where another width ends is to be looked at anew.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (start.current > 0 && count > 0) {
      box.scrollTop = start.current;
      start.current = 0;
    }
    let asked: Span = { first: 0, end: 0 };
    // The first rows of a table that begins at its top are seen before the others are drawn.
    let begins = !begun.current && box.scrollTop === 0;
    begun.current = true;
    const draw = ({ first, end }: Span) =>
      setDrawn((before) =>
        before.rows === rows && before.first === first && before.end === end ? before : { first, end, rows },
      );
    const look = () => {
      markSides(box);
      const seen = seenIn(box.scrollTop, box.clientHeight, rowHeight, count);
      sight.current = seen;
      const next = rowsToDraw(seen, count, asked);
      // What is in sight is drawn at once; what is only near it must not hold up the scrolling.
      const late = !holds(shown.current, seen, 0, count);
      if (late && !begins) draw(seen);
      if (late || next !== asked) startTransition(() => draw(next));
      asked = next;
      begins = false;
    };
    look();
    box.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [scroller, rowHeight, rows, width]);
  useEffect(() => (scroller.current ? markMoves(scroller.current) : undefined), [scroller]);
  return { first, end };
}
