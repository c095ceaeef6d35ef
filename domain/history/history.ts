import { DAY_MS } from '../days.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import {
  bytesOf,
  carried,
  DAY_FIGURES,
  type Entry,
  entriesOf,
  hasProfile,
  type Line,
  lineOf,
  NOTHING,
  storedLineOf,
  withProfileOf,
} from './line.ts';

/**
 * The packed history of one kingdom: its scans, and a line for each governor who was last seen in it. The line of a
 * governor who moves follows them, so that one file has all of their days (docs/decisions/kingdom-histories.md).
 */

/** A scan that gave figures. */
export interface HistoryScan {
  kingdom_id: number;
  /** Epoch ms. */
  captured_at: number;
  /** True if it has only the time of its file for a moment. */
  by_file: boolean;
}

export interface History {
  /** Scans by day, numbered by their place; numbers never change. */
  scans: Map<number, HistoryScan[]>;
  /** Lines by governor id. */
  lines: Map<number, Line>;
}

/** A governor's figures in one scan. */
export interface Seen {
  governor_id: number;
  /** By `DAY_FIGURES`; NaN if unread. */
  values: readonly number[];
}

export const emptyHistory = (): History => ({ scans: new Map(), lines: new Map() });

/** Returns the number of a time's UTC day since 1970. */
export const dayNumber = (time: number): number => Math.floor(time / DAY_MS);

/** Returns the scan that gave an entry's rank and power. */
export const scanOf = ({ scans }: History, { day, scan }: Pick<Entry, 'day' | 'scan'>): HistoryScan =>
  scans.get(day)?.[scan] as HistoryScan;

const profileScan = (entry: Entry): number => (entry.read === 0 ? entry.scan : entry.read - 1);

/** Returns the number of a scan among those of its day, and adds it if it is new. */
function numberOf({ scans }: History, scan: HistoryScan): number {
  const day = dayNumber(scan.captured_at);
  const known = scans.get(day) ?? [];
  const found = known.findIndex((each) => each.kingdom_id === scan.kingdom_id && each.captured_at === scan.captured_at);
  if (found >= 0) return found;
  scans.set(day, [...known, scan]);
  return known.length;
}

/**
 * Returns one entry from two of the same day: rank and power from the newer scan, the profile from the newest scan that
 * read one. Returns `one` itself if `other` adds nothing.
 */
function joined(history: History, one: Entry, other: Entry): Entry {
  const timeOf = (scan: number) => scanOf(history, { day: one.day, scan }).captured_at;
  const isNewer = timeOf(other.scan) > timeOf(one.scan);
  const isReadLater = hasProfile(other) && (!hasProfile(one) || timeOf(profileScan(other)) > timeOf(profileScan(one)));
  if (!isNewer && !isReadLater) return one;
  const [standing, profile] = [isNewer ? other : one, isReadLater ? other : one];
  return standing === profile || !hasProfile(profile)
    ? standing
    : withProfileOf(standing, profile, profileScan(profile));
}

/** Puts an entry into a governor's line. Returns whether the line changed. */
function put(history: History, governor: number, entry: Entry, scratch: ByteWriter): boolean {
  const line = history.lines.get(governor);
  if (!line) {
    history.lines.set(governor, storedLineOf(entry, NOTHING));
    return true;
  }
  if (entry.day > line.newest.day) {
    const newest = carried(entry, line.newest);
    history.lines.set(governor, lineOf([newest, line.newest], bytesOf(line), scratch));
    return true;
  }
  // The entries that have to be written again: those not older than the new one, and the one after it, whose
  // differences are from it.
  const entries: Entry[] = [];
  let end = 0;
  for (const [each, after] of entriesOf(line)) {
    entries.push(each);
    end = after;
    if (each.day < entry.day) break;
  }
  const same = entries.findIndex(({ day }) => day === entry.day);
  const existing = entries[same];
  if (existing) {
    const changed = joined(history, existing, entry);
    if (changed === existing) return false;
    entries[same] = carried(changed, existing);
  } else {
    const older = entries.findIndex(({ day }) => day < entry.day);
    const at = older < 0 ? entries.length : older;
    entries.splice(at, 0, carried(entry, (entries[at] ?? entries[at - 1]) as Entry));
  }
  history.lines.set(governor, lineOf(entries, bytesOf(line).subarray(end), scratch));
  return true;
}

/**
 * Adds what a scan shows. Scans may arrive in any order and more than once. Returns whether anything changed.
 */
export function addScan(history: History, scan: HistoryScan, seen: Iterable<Seen>): boolean {
  const scratch = new ByteWriter();
  const day = dayNumber(scan.captured_at);
  const number = numberOf(history, scan);
  let changed = false;
  for (const { governor_id, values } of seen) {
    let unread = 0;
    for (let at = 0; at < values.length; at++) if (Number.isNaN(values[at])) unread |= 1 << at;
    const known = unread === 0 ? values : values.map((value) => (Number.isNaN(value) ? 0 : value));
    const entry = { day, scan: number, read: 0, unread, values: known };
    if (put(history, governor_id, entry, scratch)) changed = true;
  }
  return changed;
}

/** Adds the lines of these governors from another kingdom's history. Returns whether anything changed. */
export function addLines(history: History, from: History, governors: Iterable<number>): boolean {
  const scratch = new ByteWriter();
  let changed = false;
  for (const governor of governors) {
    const line = from.lines.get(governor);
    if (!line) continue;
    const entries = [...entriesOf(line)].map(([entry]) => {
      const moved = (scan: number) => numberOf(history, scanOf(from, { day: entry.day, scan }));
      return { ...entry, scan: moved(entry.scan), read: entry.read === 0 ? 0 : moved(entry.read - 1) + 1 };
    });
    if (history.lines.has(governor)) {
      for (const entry of entries) if (put(history, governor, entry, scratch)) changed = true;
    } else {
      history.lines.set(governor, lineOf(entries, NOTHING, scratch));
      changed = true;
    }
  }
  return changed;
}

/** Keeps only entries whose scans all pass. Returns whether anything changed. */
export function keepScans(history: History, isKept: (scan: HistoryScan) => boolean): boolean {
  const scratch = new ByteWriter();
  let changed = false;
  if ([...history.scans.values()].every((scans) => scans.every(isKept))) return false;
  for (const [governor, line] of history.lines) {
    const entries = [...entriesOf(line)].map(([entry]) => entry);
    const kept = entries.filter(
      (entry) =>
        isKept(scanOf(history, entry)) && isKept(scanOf(history, { day: entry.day, scan: profileScan(entry) })),
    );
    if (kept.length === entries.length) continue;
    changed = true;
    if (kept.length === 0) history.lines.delete(governor);
    else history.lines.set(governor, lineOf(kept, NOTHING, scratch));
  }
  return changed;
}

/** Drops days before `first` and governors who have no day left. */
export function dropBefore(history: History, first: number): void {
  for (const [governor, line] of history.lines) {
    if (line.newest.day < first) {
      history.lines.delete(governor);
      continue;
    }
    let end = 0;
    for (const [{ day }, after] of entriesOf(line)) {
      if (day < first) break;
      end = after;
    }
    const older = bytesOf(line);
    if (end < older.length) history.lines.set(governor, storedLineOf(line.newest, older.slice(0, end)));
  }
  for (const day of history.scans.keys()) if (day < first) history.scans.delete(day);
}

// --- Bytes ----------------------------------------------------------------------------------------------------------

/** Incremented when the bytes change. A history of another version is made again from the snapshots. */
export const HISTORY_VERSION = 1;

/** Bytes before the head: the version and the head's length. */
const OPENING = 8;

/** A governor's entry in the head. */
export interface HeadLine {
  newest: Entry;
  /** Position and length of the older entries in the file. */
  offset: number;
  length: number;
}

export interface Head {
  scans: History['scans'];
  lines: Map<number, HeadLine>;
}

const byNumber = (a: number, b: number): number => a - b;

/** Number of 64-bit, 32-bit and 16-bit columns of a head: id and figures; day and length; scan, read and unread. */
const WIDE = 1 + DAY_FIGURES.length;
const MIDDLE = 2;
const NARROW = 3;

/** Numbers of all governors in columns, in the order of processors, which is the same wherever this runs. */
interface Columns {
  wide: Float64Array;
  middle: Uint32Array;
  narrow: Uint16Array;
}

/** Writes the newest state of each governor, which is copied in one piece instead of number by number. */
function writeColumns(into: ByteWriter, ids: Float64Array, lines: History['lines']): void {
  const count = ids.length;
  const wide = new Float64Array(count * WIDE);
  const middle = new Uint32Array(count * MIDDLE);
  const narrow = new Uint16Array(count * NARROW);
  for (let at = 0; at < count; at++) {
    const { newest, front, older } = lines.get(ids[at] as number) as Line;
    const { values } = newest;
    wide[at] = ids[at] as number;
    for (let figure = 1, place = count + at; figure < WIDE; figure++, place += count)
      wide[place] = values[figure - 1] as number;
    middle[at] = newest.day;
    middle[count + at] = front.length + older.length;
    narrow[at] = newest.scan;
    narrow[count + at] = newest.read;
    narrow[2 * count + at] = newest.unread;
  }
  for (const { buffer } of [wide, middle, narrow]) into.raw(new Uint8Array(buffer));
}

/** Reads the columns at a position. They are copied, because typed arrays must be aligned. */
function readColumns(from: ByteReader, count: number): Columns {
  const copied = (length: number) => from.raw(length).slice().buffer;
  return {
    wide: new Float64Array(copied(count * WIDE * 8)),
    middle: new Uint32Array(copied(count * MIDDLE * 4)),
    narrow: new Uint16Array(copied(count * NARROW * 2)),
  };
}

/** Returns a history's bytes: version, length of the head, the head, and the older entries of each governor. */
export function historyBytes({ scans, lines }: History): Uint8Array {
  const head = new ByteWriter();
  const days = [...scans.keys()].sort(byNumber);
  head.whole(days.length);
  for (const day of days) {
    const each = scans.get(day) as HistoryScan[];
    head.whole(day);
    head.whole(each.length);
    for (const { kingdom_id, captured_at, by_file } of each) {
      head.whole(kingdom_id * 2 + Number(by_file));
      head.whole(captured_at - day * DAY_MS);
    }
  }
  // Typed arrays sort by value without calling back.
  const ids = Float64Array.from(lines.keys()).sort();
  head.whole(ids.length);
  writeColumns(head, ids, lines);
  const written = head.take();
  const pieces: Uint8Array[] = [];
  let size = OPENING + written.length;
  for (const id of ids) {
    const { front, older } = lines.get(id) as Line;
    if (front.length > 0) pieces.push(front);
    pieces.push(older);
    size += front.length + older.length;
  }
  const whole = new Uint8Array(size);
  const opening = new DataView(whole.buffer);
  opening.setUint32(0, HISTORY_VERSION);
  opening.setUint32(4, written.length);
  whole.set(written, OPENING);
  let at = OPENING + written.length;
  for (const bytes of pieces) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

/** Returns the length of the opening and the head, or null for another version. `bytes` are the file's first. */
export function headLength(bytes: Uint8Array): number | null {
  if (bytes.length < OPENING) throw new Error('a history ends too early');
  const view = new DataView(bytes.buffer, bytes.byteOffset, OPENING);
  return view.getUint32(0) === HISTORY_VERSION ? OPENING + view.getUint32(4) : null;
}

/** Reads the head from the file's first `headLength` bytes. */
export const readHead = (bytes: Uint8Array, length: number): Head =>
  headOf(bytes, length, (newest, offset, size): HeadLine => ({ newest, offset, length: size }));

/** Reads a head, with what `made` returns of each governor's newest entry and the place of the older ones. */
function headOf<Made>(
  bytes: Uint8Array,
  length: number,
  made: (newest: Entry, offset: number, size: number) => Made,
): { scans: History['scans']; lines: Map<number, Made> } {
  const from = new ByteReader(bytes, OPENING);
  const scans: History['scans'] = new Map();
  for (let days = from.whole(); days > 0; days--) {
    const day = from.whole();
    const each: HistoryScan[] = [];
    for (let count = from.whole(); count > 0; count--) {
      const kingdom = from.whole();
      const captured_at = day * DAY_MS + from.whole();
      each.push({ kingdom_id: Math.floor(kingdom / 2), captured_at, by_file: kingdom % 2 === 1 });
    }
    scans.set(day, each);
  }
  const count = from.whole();
  const { wide, middle, narrow } = readColumns(from, count);
  const lines = new Map<number, Made>();
  for (let at = 0, offset = length; at < count; at++) {
    const values = new Array<number>(WIDE - 1);
    for (let figure = 1, place = count + at; figure < WIDE; figure++, place += count)
      values[figure - 1] = wide[place] as number;
    const size = middle[count + at] as number;
    const newest = {
      day: middle[at] as number,
      scan: narrow[at] as number,
      read: narrow[count + at] as number,
      unread: narrow[2 * count + at] as number,
      values,
    };
    lines.set(wide[at] as number, made(newest, offset, size));
    offset += size;
  }
  return { scans, lines };
}

/** Reads a whole file; null if it is of another version. */
export function readHistory(bytes: Uint8Array): History | null {
  const length = headLength(bytes);
  if (length === null) return null;
  return headOf(bytes, length, (newest, offset, size) => storedLineOf(newest, bytes.subarray(offset, offset + size)));
}
