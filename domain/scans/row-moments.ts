import { DAY_MS, HOUR_MS } from '../days.ts';

/** When the rows of a file were read, as far as its lines say. */

/** Readings of a governor that lie so far apart are of two scans; within it a bot may read him again. */
const ONE_SCAN_MS = HOUR_MS;

/** Why a line cannot be kept beside an earlier one of the same governor. */
export interface Clash {
  line: number;
  /** `same`: of the same scan. `day`: of another scan that cannot be told apart by its day. `unclear`: the day of one cannot be read. */
  why: 'same' | 'day' | 'unclear';
}

/** Why a file with such a clash is refused, as a sentence; null if the line is only left out. */
export function flawOf({ line: first, why }: Clash, line: number, whose: string): string | null {
  if (why === 'same') return null;
  return why === 'unclear'
    ? `Lines ${first} and ${line} are of the same ${whose}, and not every line says clearly of which day it is. Write days as 2026-01-31.`
    : `Line ${line} is of another moment than line ${first} of the same ${whose}: put each moment into a file of its own.`;
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Follows the moments of the kept lines, and finds out whether the file is a long table of several days. */
export class RowMoments {
  /** Epoch milliseconds; null where the line that is being read says nothing. */
  #current: number | null = null;
  /** Some line has a moment that cannot be read. */
  #unclear = false;
  /** Some governor has lines of several days. */
  #long = false;
  readonly #ofLine = new Map<number, number>();
  readonly #spans = new Map<number | null, { first: number; last: number }>();
  /** By kingdom and id, the first line that was kept. */
  readonly #first = new Map<number | null, Map<number, number>>();
  /** By kingdom, id and day, the line that was kept. */
  readonly #ofDay = new Map<string, number>();

  /** True if each day of the file is a scan of its own. */
  get long(): boolean {
    return this.#long;
  }

  /** Begins a line. */
  next(): void {
    this.#current = null;
  }

  put(moment: number): void {
    this.#current = Math.max(this.#current ?? moment, moment);
  }

  /** Notes that the current line has a moment which cannot be read. */
  putUnclear(): void {
    this.#unclear = true;
  }

  /**
   * The earlier line beside which the current one of this governor cannot be kept, or null. Where moments stand side by
   * side, no governor has a second line.
   */
  clash(kingdom: number | null, id: number, sideBySide: boolean): Clash | null {
    const first = this.#first.get(kingdom)?.get(id);
    if (first === undefined) return null;
    const at = this.#current;
    if (at === null || !this.#ofLine.has(first)) return { line: first, why: this.#unclear ? 'unclear' : 'same' };
    const day = dayOf(at);
    const [today, ...beside] = [day, day - 1, day + 1].map((each) => this.#ofDay.get(`${kingdom} ${id} ${each}`));
    const isNear = (line: number | undefined) =>
      line !== undefined && Math.abs(at - (this.#ofLine.get(line) as number)) <= ONE_SCAN_MS;
    const near = [today, ...beside].find(isNear);
    if (near !== undefined) return { line: near, why: 'same' };
    return today === undefined && !sideBySide ? null : { line: today ?? first, why: 'day' };
  }

  /** Keeps the current line, beside which no earlier one stands in the way, as one of a kingdom's scan. */
  keep(kingdom: number | null, id: number, line: number): void {
    const lines = this.#first.get(kingdom) ?? new Map<number, number>();
    this.#first.set(kingdom, lines);
    if (lines.has(id)) this.#long = true;
    else lines.set(id, line);
    const at = this.#current;
    if (at === null) return;
    this.#ofLine.set(line, at);
    this.#ofDay.set(`${kingdom} ${id} ${dayOf(at)}`, line);
    const span = this.#spans.get(kingdom);
    this.#spans.set(kingdom, { first: Math.min(span?.first ?? at, at), last: Math.max(span?.last ?? at, at) });
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

  /** Rows by the day that their lines are of, the earliest day first, each with its last moment; rows without a day apart. */
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
