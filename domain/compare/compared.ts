import { belowEdges } from '../difference/depth.ts';
import { type Difference, knownGains } from '../difference/difference.ts';
import { NO_DOUBT } from '../difference/doubts.ts';
import type { Gains, Pairs } from '../difference/pairs.ts';
import { GAMES } from '../games/games.ts';
import { type Numbers, numbersOf, type Table, textsOf } from '../scans/rows.ts';

/**
 * Gains of governors over one range or several (the fights of a war). Over several, governors count as in both if
 * they are in both snapshots of some range; they neither joined nor are gone. `from` then holds their first readings,
 * followed by those who are gone; `to` holds their last readings, followed by those who joined.
 */
export interface Compared extends Pairs {
  /** Number of governors in only one of the two who may be below the power that the other reaches. */
  unseen: number;
  /** Seasonal column → kingdoms in which a new season began inside a range. */
  seasons: ReadonlyMap<string, ReadonlySet<number>>;
  /** True if every range has the column, so that it has gains. */
  has(key: string): boolean;
  /** Sums of a column's gains, computed once; null if a range lacks the column. */
  gains(key: string): Gains | null;
  /** The buffers of all gains computed so far. */
  memoryOfGains(): ArrayBufferLike[];
}

/** Adds up the gains of several ranges of one game, in chronological order. Throws without a range. */
export function comparedOver(ranges: readonly Difference[]): Compared {
  const [first] = ranges;
  if (!first) throw new Error('A comparison needs a range.');
  if (ranges.length === 1) {
    const unseen = first.unseen.from.length + first.unseen.to.length;
    return { ...first, unseen, ...gainsMadeOnce(ranges, (key) => knownGains(first, key)) };
  }
  const places = placesIn(ranges);
  return {
    ...joinedRanges(ranges, places),
    seasons: seasonsOf(ranges),
    ...gainsMadeOnce(ranges, (key) => gainsOver(ranges, places, key)),
  };
}

function gainsMadeOnce(
  ranges: readonly Difference[],
  make: (key: string) => Gains | null,
): Pick<Compared, 'has' | 'gains' | 'memoryOfGains'> {
  const made = new Map<string, Gains | null>();
  return {
    has: (key) => ranges.every(({ from, to }) => from.numbers[key] && to.numbers[key]),
    gains: (key) => {
      const known = made.get(key);
      if (known !== undefined) return known;
      const gains = make(key);
      made.set(key, gains);
      return gains;
    },
    // The difference owns the doubts about kills, which all kill columns share.
    memoryOfGains: () =>
      [...made.values()].flatMap((gains) =>
        gains
          ? [gains.raw, gains.doubts].filter((column) => column !== ranges[0]?.kills).map(({ buffer }) => buffer)
          : [],
      ),
  };
}

/** For each range, the place of every governor in its rows; -1 if absent. */
type Places = readonly Int32Array[];

function placesIn(ranges: readonly Difference[]): Places {
  const governors = new Map<number, number>();
  const idsIn = ({ game, from, rows }: Difference): Numbers => {
    const ids = numbersOf(from, GAMES[game].roles.id);
    return Float64Array.from(rows.from.subarray(0, rows.common), (row) => ids[row] as number);
  };
  const ids = ranges.map(idsIn);
  for (const id of ids.flatMap((column) => [...column])) if (!governors.has(id)) governors.set(id, governors.size);
  return ids.map((column) => {
    const places = new Int32Array(governors.size).fill(-1);
    column.forEach((id, pair) => {
      places[governors.get(id) as number] = pair;
    });
    return places;
  });
}

/** Builds the two sides of several ranges from the first and last readings of their governors. */
function joinedRanges(ranges: readonly Difference[], places: Places): Pairs & Pick<Compared, 'unseen'> {
  const [first, last] = [ranges[0], ranges.at(-1)] as [Difference, Difference];
  const common = places[0]?.length ?? 0;
  const firstReading = (governor: number) => places.findIndex((range) => (range[governor] as number) >= 0);
  const lastReading = (governor: number) => places.findLastIndex((range) => (range[governor] as number) >= 0);
  const readings = (rangeOf: (governor: number) => number, side: 'from' | 'to') =>
    Array.from({ length: common }, (_, governor) => {
      const range = rangeOf(governor);
      const { rows, [side]: table } = ranges[range] as Difference;
      return { table, row: rows[side][places[range]?.[governor] as number] as number };
    });
  const firstReadings = readings(firstReading, 'from');
  const { id, name, tag, kingdom, power } = GAMES[first.game].roles;
  const inBoth = new Set(firstReadings.map(({ table, row }) => numbersOf(table, id)[row] as number));
  const { joined, gone, unseen } = passedOver(first.from, last.to, inBoth);
  const [from, to] = [0, 1].map(() => new Int32Array(common + joined.length + gone.length).fill(-1)) as [
    Int32Array,
    Int32Array,
  ];
  for (let place = 0; place < common + joined.length; place++) to[place] = place;
  for (let place = 0; place < common; place++) from[place] = place;
  gone.forEach((_, index) => {
    from[common + joined.length + index] = common + index;
  });
  const others = (table: Table, rows: readonly number[]) => rows.map((row) => ({ table, row }));
  const told = new Set([id, name, tag, kingdom, power]);
  return {
    game: first.game,
    from: tableOfReadings(
      ranges.map((range) => range.from),
      [...firstReadings, ...others(first.from, gone)],
      (key) => told.has(key),
    ),
    to: tableOfReadings(
      ranges.map((range) => range.to),
      [...readings(lastReading, 'to'), ...others(last.to, joined)],
      () => true,
    ),
    rows: { from, to, common, joined: joined.length, gone: gone.length },
    unseen,
  };
}

interface Reading {
  table: Table;
  row: number;
}

/** Copies readings into one table, with the columns that all their tables have. */
function tableOfReadings(
  tables: readonly Table[],
  readings: readonly Reading[],
  isWanted: (key: string) => boolean,
): Table {
  const [first] = tables as readonly [Table];
  const shared = (part: 'numbers' | 'texts') =>
    Object.keys(first[part]).filter((key) => isWanted(key) && tables.every((table) => table[part][key]));
  const numbers = shared('numbers').map((key) => [
    key,
    Float64Array.from(readings, ({ table, row }) => numbersOf(table, key)[row] as number),
  ]);
  const texts = shared('texts').map((key) => [key, readings.map(({ table, row }) => textsOf(table, key)[row] ?? null)]);
  return { ...first, count: readings.length, numbers: Object.fromEntries(numbers), texts: Object.fromEntries(texts) };
}

/** Returns the last snapshot's rows of governors who joined and the first's of those who left, except `inBoth`. */
function passedOver(
  first: Table,
  last: Table,
  inBoth: ReadonlySet<number>,
): { joined: number[]; gone: number[]; unseen: number } {
  const [came, went] = [strangers(last, first, inBoth), strangers(first, last, inBoth)];
  const isLow = belowEdges(first, last);
  const [joined, gone] = [came.filter((row) => !isLow.to(row)), went.filter((row) => !isLow.from(row))];
  return { joined, gone, unseen: came.length + went.length - joined.length - gone.length };
}

/** Returns the rows of a table whose governors are not in the other, nor in `inBoth`. */
function strangers(table: Table, others: Table, inBoth: ReadonlySet<number>): number[] {
  const { id } = GAMES[table.game].roles;
  const there = new Set(numbersOf(others, id));
  const ids = numbersOf(table, id);
  const isStranger = (governor: number) => !there.has(governor) && !inBoth.has(governor);
  return [...ids.keys()].filter((row) => isStranger(ids[row] as number));
}

function gainsOver(ranges: readonly Difference[], places: Places, key: string): Gains | null {
  const gained = ranges.map((range) => knownGains(range, key));
  if (gained.some((gains) => gains === null)) return null;
  const count = places[0]?.length ?? 0;
  const raw = new Float64Array(count);
  const doubts = new Uint8Array(count);
  (gained as Gains[]).forEach((gains, range) => {
    const pairs = places[range] as Int32Array;
    for (let row = 0; row < count; row++) {
      const pair = pairs[row] as number;
      if (pair < 0) continue;
      raw[row] = (raw[row] as number) + (gains.raw[pair] as number);
      if (doubts[row] === NO_DOUBT) doubts[row] = gains.doubts[pair] as number;
    }
  });
  return { raw, doubts };
}

function seasonsOf(ranges: readonly Difference[]): Map<string, Set<number>> {
  const seasons = new Map<string, Set<number>>();
  for (const range of ranges)
    for (const [key, kingdoms] of range.seasons) seasons.set(key, new Set([...(seasons.get(key) ?? []), ...kingdoms]));
  return seasons;
}
