import { belowEdgeOf } from '../difference/depth.ts';
import { type Difference, knownGains } from '../difference/difference.ts';
import { NO_DOUBT } from '../difference/doubts.ts';
import { type Gains, UNSEEN } from '../difference/pairs.ts';
import { goneRows, isRenamed } from '../difference/people.ts';
import type { Scorable } from '../difference/scoring.ts';
import { GAMES, type GameId } from '../games/games.ts';
import { type Numbers, numbersOf, type Table, type Texts, textsOf } from '../scans/rows.ts';

/**
 * What governors gained over one range or several (the fights of a war). It has a row for each governor in both
 * snapshots of some range, with the sums of their gains, and lists who joined or left between the first snapshot and
 * the last.
 */
export interface Compared {
  game: GameId;
  /** Governors in both, in the order of the first snapshot. */
  common: People;
  /** Governors only in the last snapshot, and only in the first. */
  joined: People;
  gone: People;
  /** Number of governors in only one of the two who may be below the power that the other reaches. */
  unseen: number;
  /** True if every range has the column, so that it has gains. */
  has(key: string): boolean;
  /** Sums of a column's gains, for each row of `common`; null if a range lacks the column. */
  gains(key: string): Gains | null;
  /** The column's final values, for each row of `common`; null if a last snapshot lacks it. */
  now(key: string): Numbers | null;
  /** Seasonal column → kingdoms in which a new season began inside a range. */
  seasons: Record<string, number[]>;
}

/** Governors in columns, computed on first use. Unknown values are NaN or null. */
export interface People {
  ids: Numbers;
  /** At the end; at the start for those who left. */
  names: Texts;
  tags: Texts;
  /** At the start (at the end for those who joined): the kingdom that a governor counts for. */
  kingdoms: Numbers;
  kingdomsNow: Numbers;
  /** At the start (at the end for those who joined). */
  powers: Numbers;
  /** The name at the start, if it was different. */
  renamedFrom: Texts;
}

/**
 * Governors in both snapshots of some range. `from` and `to` hold their row at each range's start and end; -1 if
 * absent.
 */
interface Places {
  count: number;
  from: readonly Int32Array[];
  to: readonly Int32Array[];
}

/** Adds up the gains of several ranges of one game, in chronological order. Throws without a range. */
export function comparedOver(ranges: readonly Difference[]): Compared {
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) throw new Error('A comparison needs a range.');
  const { game } = first;
  const places = placesIn(ranges);
  const sums = new Map<string, Gains | null>();
  const nows = new Map<string, Numbers | null>();
  const kept = <Value>(made: Map<string, Value>, key: string, make: () => Value): Value => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make();
    made.set(key, value);
    return value;
  };
  let people: Passed | undefined;
  const passed = () => {
    people ??= first === last ? passedIn(first) : passedOver(first.from, last.to);
    return people;
  };
  return {
    game,
    common: commonPeople(ranges, places),
    joined: peopleAt(last.to, () => passed().joined),
    gone: peopleAt(first.from, () => passed().gone),
    get unseen() {
      return passed().unseen;
    },
    has: (key) => ranges.every(({ from, to }) => from.numbers[key] && to.numbers[key]),
    gains: (key) => kept(sums, key, () => gainsOver(ranges, places, key)),
    now: (key) =>
      kept(nows, key, () => (ranges.some(({ to }) => !to.numbers[key]) ? null : numbersAt(ranges, places, key, true))),
    seasons: seasonsOf(ranges),
  };
}

function placesIn(ranges: readonly Difference[]): Places {
  const [only] = ranges as readonly [Difference];
  if (ranges.length === 1) return onePlace(only);
  const { id } = GAMES[only.game].roles;
  const rowOf = new Map<number, number>();
  for (const { from, partner } of ranges)
    numbersOf(from, id).forEach((governor, row) => {
      if ((partner[row] as number) >= 0 && !rowOf.has(governor)) rowOf.set(governor, rowOf.size);
    });
  const empty = () => ranges.map(() => new Int32Array(rowOf.size).fill(-1));
  const places = { count: rowOf.size, from: empty(), to: empty() };
  ranges.forEach(({ from, partner }, range) => {
    numbersOf(from, id).forEach((governor, row) => {
      const place = rowOf.get(governor);
      if ((partner[row] as number) < 0 || place === undefined) return;
      (places.from[range] as Int32Array)[place] = row;
      (places.to[range] as Int32Array)[place] = partner[row] as number;
    });
  });
  return places;
}

function onePlace({ partner, common }: Difference): Places {
  const [from, to] = [new Int32Array(common), new Int32Array(common)];
  let count = 0;
  for (let row = 0; row < partner.length; row++) {
    const place = partner[row] as number;
    if (place < 0) continue;
    from[count] = row;
    to[count++] = place;
  }
  return { count, from: [from], to: [to] };
}

/** Returns the first range that has a governor, or the last. */
function rangeOf({ from }: Places, row: number, last: boolean): number {
  if (from.length === 1) return 0;
  const has = (rows: Int32Array) => (rows[row] as number) >= 0;
  return last ? from.findLastIndex(has) : from.findIndex(has);
}

/** Returns a numeric column at each governor's first reading, or last. */
function numbersAt(ranges: readonly Difference[], places: Places, key: string, last: boolean): Numbers {
  const columns = ranges.map(({ from, to }) => numbersOf(last ? to : from, key));
  const rows = last ? places.to : places.from;
  const values = new Float64Array(places.count);
  const [column, of] = [columns[0], rows[0]];
  if (ranges.length === 1 && column && of) {
    for (let row = 0; row < places.count; row++) values[row] = column[of[row] as number] as number;
    return values;
  }
  for (let row = 0; row < places.count; row++) {
    const range = rangeOf(places, row, last);
    values[row] = columns[range]?.[rows[range]?.[row] as number] as number;
  }
  return values;
}

function textsAt(ranges: readonly Difference[], places: Places, key: string, last: boolean): Texts {
  const columns = ranges.map(({ from, to }) => textsOf(last ? to : from, key));
  const rows = last ? places.to : places.from;
  const values: Texts = new Array<string | null>(places.count).fill(null);
  const [column, of] = [columns[0], rows[0]];
  if (ranges.length === 1 && column && of) {
    for (let row = 0; row < places.count; row++) values[row] = column[of[row] as number] ?? null;
    return values;
  }
  for (let row = 0; row < places.count; row++) {
    const range = rangeOf(places, row, last);
    values[row] = columns[range]?.[rows[range]?.[row] as number] ?? null;
  }
  return values;
}

function commonPeople(ranges: readonly Difference[], places: Places): People {
  const { roles } = GAMES[(ranges[0] as Difference).game];
  const numbers = (key: string, last = false) => numbersAt(ranges, places, key, last);
  const people: People = lazily({
    ids: () => numbers(roles.id),
    names: () => textsAt(ranges, places, roles.name, true),
    tags: () => textsAt(ranges, places, roles.tag, true),
    kingdoms: () => numbers(roles.kingdom),
    kingdomsNow: () => numbers(roles.kingdom, true),
    powers: () => numbers(roles.power),
    renamedFrom: () =>
      textsAt(ranges, places, roles.name, false).map((name, row) => (isRenamed(name, people.names[row]) ? name : null)),
  });
  return people;
}

/** Returns an object whose values are computed on first use. */
function lazily<Values extends object>(makers: { [Key in keyof Values]: () => Values[Key] }): Values {
  const values = {} as Values;
  for (const key of Object.keys(makers) as (keyof Values)[])
    Object.defineProperty(values, key, {
      enumerable: true,
      configurable: true,
      get() {
        const value = makers[key]();
        Object.defineProperty(values, key, { value, enumerable: true });
        return value;
      },
    });
  return values;
}

/** Returns the governors of some rows of a snapshot. */
function peopleAt(table: Table, rowsOf: () => readonly number[]): People {
  const { roles } = GAMES[table.game];
  const found: { rows: readonly number[] } = lazily({ rows: rowsOf });
  const numbers = (key: string) => Float64Array.from(found.rows, (row) => numbersOf(table, key)[row] as number);
  const texts = (key: string) => found.rows.map((row) => textsOf(table, key)[row] ?? null);
  const people: People = lazily({
    ids: () => numbers(roles.id),
    names: () => texts(roles.name),
    tags: () => texts(roles.tag),
    kingdoms: () => numbers(roles.kingdom),
    kingdomsNow: () => people.kingdoms,
    powers: () => numbers(roles.power),
    renamedFrom: () => found.rows.map(() => null),
  });
  return people;
}

/** Rows of the last snapshot whose governors joined, and rows of the first whose governors left. */
interface Passed {
  joined: number[];
  gone: number[];
  unseen: number;
}

const passedIn = (range: Difference): Passed => ({
  joined: [...range.joined],
  gone: goneRows(range),
  unseen: range.unseen.length + range.partner.filter((place) => place === UNSEEN).length,
});

function passedOver(first: Table, last: Table): Passed {
  const [came, went] = [strangers(last, first), strangers(first, last)];
  const [isLow, isLowNow] = [belowEdgeOf(last, first), belowEdgeOf(first, last)];
  const [joined, gone] = [came.filter((row) => !isLow(row)), went.filter((row) => !isLowNow(row))];
  return { joined, gone, unseen: came.length + went.length - joined.length - gone.length };
}

/** Returns the rows of a table whose governors are not in the other. */
function strangers(table: Table, others: Table): number[] {
  const { id } = GAMES[table.game].roles;
  const there = new Set(numbersOf(others, id));
  const ids = numbersOf(table, id);
  return [...ids.keys()].filter((row) => !there.has(ids[row] as number));
}

function gainsOver(ranges: readonly Difference[], places: Places, key: string): Gains | null {
  const gained = ranges.map((range) => knownGains(range, key));
  if (gained.some((gains) => gains === null)) return null;
  const raw = new Float64Array(places.count);
  const doubts = new Uint8Array(places.count);
  (gained as Gains[]).forEach((gains, range) => {
    const rows = places.from[range] as Int32Array;
    for (let row = 0; row < places.count; row++) {
      const from = rows[row] as number;
      if (from < 0) continue;
      raw[row] = (raw[row] as number) + (gains.raw[from] as number);
      if (doubts[row] === NO_DOUBT) doubts[row] = gains.doubts[from] as number;
    }
  });
  return { raw, doubts };
}

function seasonsOf(ranges: readonly Difference[]): Record<string, number[]> {
  const seasons: Record<string, number[]> = {};
  for (const range of ranges)
    for (const [key, kingdoms] of range.seasons)
      seasons[key] = [...new Set([...(seasons[key] ?? []), ...kingdoms])].sort((a, b) => a - b);
  return seasons;
}

/** Returns the rows of `common` in the form that scoring needs. */
export const scorableOf = ({ game, common }: Compared): Scorable => ({
  game,
  ids: common.ids,
  powers: common.powers,
  partner: new Int32Array(common.ids.length),
});
