import { ByteReader, type ByteWriter, MORE } from './bytes.ts';

/**
 * A governor's daily figures, newest first. The newest day is stored whole; each older day is stored as its differences
 * from the day after it, so that a new day is one short entry in front of bytes that stay as they are.
 */

export const DAY_FIGURES = ['power', 'score', 'deads', 't4', 't5', 'rank'] as const;
export type DayFigure = (typeof DAY_FIGURES)[number];

const COUNT = DAY_FIGURES.length;
/** Figures of the profile, which a scan may not have read. */
const PROFILE = ['score', 'deads', 't4', 't5'] as const satisfies readonly DayFigure[];
const PROFILE_BITS = PROFILE.reduce((bits, figure) => bits | (1 << DAY_FIGURES.indexOf(figure)), 0);

export interface Entry {
  /** Days since 1970. */
  day: number;
  /** Number of the scan that gave rank and power, among the day's scans. */
  scan: number;
  /** 0 if that scan also gave the profile, otherwise 1 + the number of the scan that did. */
  read: number;
  /** Bits of `DAY_FIGURES` that are unknown. */
  unread: number;
  /** By `DAY_FIGURES`. An unread figure repeats a neighbour's value, so that it is no change. */
  values: readonly number[];
}

/** True if any figure of the profile was read. */
export const hasProfile = ({ unread }: Pick<Entry, 'unread'>): boolean => (unread & PROFILE_BITS) !== PROFILE_BITS;

/** Returns a figure, or null if it is unread. */
export function figureOf({ unread, values }: Entry, figure: DayFigure): number | null {
  const at = DAY_FIGURES.indexOf(figure);
  return unread & (1 << at) ? null : (values[at] as number);
}

/** Returns `entry` with the profile of `other`, which was read by the day's scan number `scan`. */
export const withProfileOf = (entry: Entry, other: Entry, scan: number): Entry => ({
  ...entry,
  read: scan === entry.scan ? 0 : scan + 1,
  unread: (entry.unread & ~PROFILE_BITS) | (other.unread & PROFILE_BITS),
  values: entry.values.map((value, at) => ((PROFILE_BITS >> at) & 1 ? (other.values[at] as number) : value)),
});

/** Returns `entry` with the values of `neighbour` for unread figures. */
export const carried = (entry: Entry, neighbour: Entry): Entry =>
  entry.unread === 0
    ? entry
    : {
        ...entry,
        values: entry.values.map((value, at) => ((entry.unread >> at) & 1 ? (neighbour.values[at] as number) : value)),
      };

// Bits after those of changed figures. The first fits a common entry's only byte.
const GAP = 1 << COUNT;
const FIGURES = GAP - 1;
const SCAN = GAP << 1;
const READ = GAP << 2;
const UNREAD = GAP << 3;

/** Writes an entry as its differences from the next newer one. */
export function writeEntry(into: ByteWriter, entry: Entry, newer: Entry): void {
  const gap = newer.day - entry.day - 1;
  const { values } = entry;
  const { values: after } = newer;
  let mask = gap > 0 ? GAP : 0;
  for (let at = 0; at < COUNT; at++) if (values[at] !== after[at]) mask |= 1 << at;
  if (entry.scan !== newer.scan) mask |= SCAN;
  if (entry.read !== newer.read) mask |= READ;
  if (entry.unread !== newer.unread) mask |= UNREAD;
  into.whole(mask);
  if (mask & GAP) into.whole(gap);
  if (mask & SCAN) into.whole(entry.scan);
  if (mask & READ) into.whole(entry.read);
  if (mask & UNREAD) into.whole(entry.unread);
  into.differences(values, after);
}

interface Changeable extends Entry {
  values: number[];
}

const copyOf = ({ day, scan, read, unread, values }: Entry): Changeable => ({
  day,
  scan,
  read,
  unread,
  values: values.slice(),
});

/**
 * Turns an entry into the first older one of `day` or before, or into the last there is. The bytes of the next older one
 * start at a position. Returns the position after those that were read. Figures are read in loops over local variables,
 * because calls are slow in a new isolate.
 */
function goBack(entry: Changeable, bytes: Uint8Array, from: number, day: number): number {
  const { values } = entry;
  let at = from;
  while (at < bytes.length && entry.day > day) {
    let mask = bytes[at++] as number;
    if (mask >= MORE) mask = (mask & 127) + (bytes[at++] as number) * MORE;
    entry.day -= 1;
    if (mask >= GAP) {
      const reader = new ByteReader(bytes, at);
      if (mask & GAP) entry.day -= reader.whole();
      if (mask & SCAN) entry.scan = reader.whole();
      if (mask & READ) entry.read = reader.whole();
      if (mask & UNREAD) entry.unread = reader.whole();
      at = reader.at;
    }
    for (let figure = 0, changed = mask & FIGURES; changed > 0; figure++, changed >>= 1) {
      if (!(changed & 1)) continue;
      let byte = bytes[at++] as number;
      const isLess = byte & 1;
      let size = (byte & 127) >> 1;
      for (let factor = 64; byte >= MORE; factor *= MORE) {
        byte = bytes[at++] as number;
        size += (byte & 127) * factor;
      }
      values[figure] = (values[figure] as number) + (isLess ? -size : size);
    }
  }
  if (at > bytes.length) throw new Error('a line ends too early');
  return at;
}

/** A governor's stored days: the newest entry, and the bytes of the older ones. */
export interface Line {
  newest: Entry;
  /** Entries that were written since `older` was read; they precede it. Kept apart, so that a scan copies no line. */
  front: Uint8Array;
  older: Uint8Array;
  /** The packed state (`state.ts`); empty if nothing else is known of the governor. */
  state: Uint8Array;
}

/** Returns the bytes of all entries but the newest. */
export function bytesOf({ front, older }: Pick<Line, 'front' | 'older'>): Uint8Array {
  if (front.length === 0) return older;
  const both = new Uint8Array(front.length + older.length);
  both.set(front);
  both.set(older, front.length);
  return both;
}

/** Yields a line's entries, newest first, with the position after each in the line's bytes. */
export function* entriesOf(line: Line): Generator<[entry: Entry, end: number]> {
  yield [line.newest, 0];
  const bytes = bytesOf(line);
  for (let [newer, at] = [line.newest, 0]; at < bytes.length; ) {
    const entry = copyOf(newer);
    at = goBack(entry, bytes, at, newer.day - 1);
    yield [entry, at];
    newer = entry;
  }
}

/** Returns a line's entry of a day, or undefined. Does not make the entries that are newer. */
export function entryOn(line: Line, day: number): Entry | undefined {
  const entry = copyOf(line.newest);
  goBack(entry, line.front, 0, day);
  goBack(entry, line.older, 0, day);
  return entry.day === day ? entry : undefined;
}

/** Returns a line of these entries, newest first, in front of bytes that follow the last of them. */
export function lineOf(entries: readonly Entry[], rest: Uint8Array, state: Uint8Array, scratch: ByteWriter): Line {
  for (let at = 1; at < entries.length; at++) writeEntry(scratch, entries[at] as Entry, entries[at - 1] as Entry);
  return { newest: entries[0] as Entry, front: scratch.take(), older: rest, state };
}

/** Returns a line as it is stored. */
export const storedLineOf = (newest: Entry, older: Uint8Array, state: Uint8Array = NOTHING): Line => ({
  newest,
  front: NOTHING,
  older,
  state,
});

const RANK = DAY_FIGURES.indexOf('rank');

/** Returns an entry that has no profile. */
export const withoutProfile = (entry: Entry): Entry => ({ ...entry, read: 0, unread: entry.unread | PROFILE_BITS });

/** Returns an entry with the time and power at which the governor was last seen. It is not one of their days. */
export const untold = (entry: Entry): Entry => ({ ...withoutStanding(entry), unread: PROFILE_BITS });

/** Returns an entry that has a profile at most. */
export const withoutStanding = (entry: Entry): Entry => ({ ...entry, values: entry.values.with(RANK, 0) });

export const isUntold = ({ values }: Entry): boolean => values[RANK] === 0;

export const NOTHING = new Uint8Array(0);
