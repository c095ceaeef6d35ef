import { MINUTE_MS } from '../days.ts';
import { snapshotAt } from './event.ts';

/** Chooses the snapshots to draw from a long line: enough to show the war, few enough to add up. */

/**
 * Returns about `most` of the times (ascending) between `start` and `end`. It always includes both ends and the times
 * nearest to the `marked` ones; of the others, the last in each of equal spans. Spans double as the line grows, so that
 * most points stay the same between draws.
 */
export function pointsBetween(
  moments: readonly number[],
  { start, end, most, marked = [] }: { start: number; end: number; most: number; marked?: readonly number[] },
): number[] {
  const inside = moments.filter((ts) => ts >= start && ts <= end);
  if (inside.length <= most) return inside;
  const chosen = new Set([start, end]);
  for (const mark of marked) {
    const at = mark < start || mark > end ? null : snapshotAt(inside, mark, true);
    if (at !== null) chosen.add(at);
  }
  const span = spanFor(inside, most);
  for (const [index, ts] of inside.entries()) {
    const next = inside[index + 1];
    if (next === undefined || spanOf(next, start, span) !== spanOf(ts, start, span)) chosen.add(ts);
  }
  return [...chosen].filter((ts) => inside.includes(ts)).sort((a, b) => a - b);
}

const spanOf = (ts: number, start: number, span: number): number => Math.floor((ts - start) / span);

/** Returns the shortest span, in doublings of a minute, that gives at most `most` points. */
function spanFor(inside: readonly number[], most: number): number {
  const [first, last] = [inside[0] ?? 0, inside.at(-1) ?? 0];
  let span = MINUTE_MS;
  while ((last - first) / span > most) span *= 2;
  return span;
}
