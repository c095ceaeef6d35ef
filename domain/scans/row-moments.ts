import { DAY_MS, HOUR_MS } from '../days.ts';

/** Collects when a file's rows were read, if its lines say so. */

/** Readings of a governor further apart than this belong to two scans. Within it, a bot may read someone twice. */
const ONE_SCAN_MS = HOUR_MS;

/** Why a line cannot be kept next to an earlier one of the same governor. */
export interface Clash {
  line: number;
  /**
   * `same`: from the same scan. `day`: from another scan on the same day. `unclear`: one of the days cannot be read.
   */
  why: 'same' | 'day' | 'unclear';
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Returns the map of a key and adds it if it is new. */
function placeIn<Key, Inner extends Map<number, unknown>>(maps: Map<Key, Inner>, key: Key): Inner {
  let there = maps.get(key);
  if (!there) {
    there = new Map() as Inner;
    maps.set(key, there);
  }
  return there;
}

/** Collects the times of kept lines, and detects long tables that cover several days. */
export class RowMoments {
  /** Epoch milliseconds; null if the current line has no time. */
  #current: number | null = null;
  /** Some line has an unreadable time. */
  #unclear = false;
  /** Some governor has lines on several days. */
  #long = false;
  readonly #ofLine = new Map<number, number>();
  readonly #spans = new Map<number | null, { first: number; last: number }>();
  /** Kingdom and id → first line kept. */
  readonly #first = new Map<number | null, Map<number, number>>();
  /** The first line kept of the current line's governor. */
  #earlier: number | undefined;
  /** Kingdom, day and id → line kept. Nested, because one text of all three for each row takes five times as long. */
  readonly #ofDay = new Map<number | null, Map<number, Map<number, number>>>();

  /** True if each day of the file is a scan of its own. */
  get long(): boolean {
    return this.#long;
  }

  /** Starts a line. */
  next(): void {
    this.#current = null;
  }

  put(moment: number): void {
    this.#current = Math.max(this.#current ?? moment, moment);
  }

  /** Notes that the current line has an unreadable time. */
  putUnclear(): void {
    this.#unclear = true;
  }

  /**
   * Returns the earlier line that rules out keeping the current one, or null. If stages stand side by side, no governor
   * may have a second line.
   */
  clash(kingdom: number | null, id: number, sideBySide: boolean): Clash | null {
    const first = this.#first.get(kingdom)?.get(id);
    this.#earlier = first;
    if (first === undefined) return null;
    const at = this.#current;
    if (at === null || !this.#ofLine.has(first)) return { line: first, why: this.#unclear ? 'unclear' : 'same' };
    const day = dayOf(at);
    const [today, ...beside] = [day, day - 1, day + 1].map((each) => this.#ofDay.get(kingdom)?.get(each)?.get(id));
    const isNear = (line: number | undefined) =>
      line !== undefined && Math.abs(at - (this.#ofLine.get(line) as number)) <= ONE_SCAN_MS;
    const near = [today, ...beside].find(isNear);
    if (near !== undefined) return { line: near, why: 'same' };
    return today === undefined && !sideBySide ? null : { line: today ?? first, why: 'day' };
  }

  /** Keeps the current line. Call only right after `clash` has returned null. */
  keep(kingdom: number | null, id: number, line: number): void {
    if (this.#earlier === undefined) placeIn(this.#first, kingdom).set(id, line);
    else this.#long = true;
    const at = this.#current;
    if (at === null) return;
    this.#ofLine.set(line, at);
    const days = placeIn(this.#ofDay, kingdom);
    placeIn(days, dayOf(at)).set(id, line);
    const span = this.#spans.get(kingdom);
    this.#spans.set(kingdom, { first: Math.min(span?.first ?? at, at), last: Math.max(span?.last ?? at, at) });
  }

  /** Returns when a kingdom's last row was read, or null. */
  last(kingdom: number | null): number | null {
    return this.#spans.get(kingdom)?.last ?? null;
  }

  /** Returns the first and last time of a kingdom whose rows span more than a day, or null. */
  longSpan(kingdom: number | null): { first: number; last: number } | null {
    const span = this.#spans.get(kingdom);
    return span && span.last - span.first > DAY_MS ? span : null;
  }

  /** Groups rows by day, earliest first, each day with its last time. Rows without a day are returned separately. */
  byDay(rows: Uint32Array, lines: Uint32Array): { days: { rows: Uint32Array; at: number }[]; undated: number[] } {
    const days = new Map<number, { rows: number[]; at: number }>();
    const undated: number[] = [];
    for (const row of rows) {
      const at = this.#ofLine.get(lines[row] as number);
      if (at === undefined) undated.push(row);
      else {
        const day = days.get(dayOf(at)) ?? { rows: [], at };
        days.set(dayOf(at), day);
        day.rows.push(row);
        day.at = Math.max(day.at, at);
      }
    }
    const inOrder = [...days.values()].sort((a, b) => a.at - b.at);
    return { days: inOrder.map(({ rows: of, at }) => ({ rows: Uint32Array.from(of), at })), undated };
  }
}
