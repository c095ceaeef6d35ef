import { DAY_MS, HOUR_MS } from '../days.ts';

/** When the rows of a file were read, as far as its lines say. */

/** Readings of a governor that lie so far apart are of two scans; within it a bot may read him again. */
const ONE_SCAN_MS = HOUR_MS;

export class RowMoments {
  /** Epoch milliseconds; null where the line that is being read says nothing. */
  current: number | null = null;
  readonly #ofLine = new Map<number, number>();
  readonly #spans = new Map<number | null, { first: number; last: number }>();

  put(moment: number): void {
    this.current = Math.max(this.current ?? moment, moment);
  }

  /** Takes the current line as one of a kingdom's scan. */
  keep(kingdom: number | null, line: number): void {
    const at = this.current;
    if (at === null) return;
    this.#ofLine.set(line, at);
    const span = this.#spans.get(kingdom);
    this.#spans.set(kingdom, { first: Math.min(span?.first ?? at, at), last: Math.max(span?.last ?? at, at) });
  }

  /** True where the current line cannot be of the scan that this line is of. */
  isOtherScanThan(line: number): boolean {
    const earlier = this.#ofLine.get(line);
    return this.current !== null && earlier !== undefined && Math.abs(this.current - earlier) > ONE_SCAN_MS;
  }

  /** When a kingdom's last row was read, or null. */
  last(kingdom: number | null): number | null {
    return this.#spans.get(kingdom)?.last ?? null;
  }

  /** The first and last moment of a kingdom whose rows were read over more than a day, or null. */
  longSpan(kingdom: number | null): { first: number; last: number } | null {
    const span = this.#spans.get(kingdom);
    return span && span.last - span.first > DAY_MS ? span : null;
  }
}
