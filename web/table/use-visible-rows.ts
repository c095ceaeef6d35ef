import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * Rows are added and removed in blocks, so a wheel step usually finds its rows rendered and the browser lays out only
 * new blocks.
 */
export const BLOCK = 6;
/** Rows rendered beyond each edge, so that a flick finds them rendered. */
const AHEAD = 6;
/** If fewer rows than this remain beyond an edge, more are rendered. */
const LEAST = 3;
/** Rows rendered before the box is measured; few, so that a phone's first render is short. */
const AT_FIRST = 6;

export interface Span {
  first: number;
  /** Index after the last rendered row. */
  end: number;
}

/** Returns the visible rows of a scrolled box; all heights in px. */
export function seenIn(scrolled: number, boxHeight: number, rowHeight: number, count: number): Span {
  const end = Math.min(count, Math.ceil((scrolled + boxHeight) / rowHeight));
  // A list that became shorter may be scrolled past its end until the browser corrects it.
  return { first: Math.min(end, Math.max(0, Math.floor(scrolled / rowHeight))), end };
}

/** Returns whether `span` contains the given rows plus `more` rows on either side, as far as they exist. */
const holds = (span: Span, { first, end }: Span, more: number, count: number): boolean =>
  span.first <= Math.max(0, first - more) && span.end >= Math.min(count, end + more) && span.end <= count;

/** Returns the rows to render, in whole blocks. Keeps the current ones as long as they suffice. */
export function rowsToDraw(seen: Span, count: number, drawn: Span): Span {
  if (holds(drawn, seen, LEAST, count)) return drawn;
  return {
    first: Math.max(0, Math.floor((seen.first - AHEAD) / BLOCK) * BLOCK),
    end: Math.min(count, Math.ceil((seen.end + AHEAD) / BLOCK) * BLOCK),
  };
}

/** Sets attributes that tell the style sheet whether the box is scrolled sideways and can scroll further. */
function markSides(box: HTMLElement): void {
  box.toggleAttribute('data-aside', box.scrollLeft > 0);
  box.toggleAttribute('data-more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/** Clamps a span to the number of rows. */
const stillThere = ({ first, end }: Span, count: number): Span => ({
  first: Math.min(first, count),
  end: Math.min(end, count),
});

/** A box counts as still this long after its last scroll event. */
const STILL_MS = 120;

/** Sets an attribute while the box scrolls. */
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
 * Returns which rows of a scrolling box to render; all rows are `rowHeight` px high. The box starts scrolled down by
 * `from` px; its content is at least `width` px wide. When `rows` change, visible rows render first and nearby rows
 * afterwards.
 */
export function useVisibleRows(
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width needs a new measurement.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (start.current > 0 && count > 0) {
      box.scrollTop = start.current;
      start.current = 0;
    }
    let asked: Span = { first: 0, end: 0 };
    // If the table starts at its top, the first rows are painted before the others render.
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
      // Visible rows render at once; nearby rows must not delay scrolling.
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
