import { DAY_MS } from '../days.ts';
import { ByteWriter } from './bytes.ts';
import {
  bytesOf,
  carried,
  type Entry,
  entriesOf,
  hasProfile,
  isUntold,
  type Line,
  lineOf,
  NOTHING,
  storedLineOf,
  untold,
  withoutProfile,
  withoutStanding,
  withProfileOf,
  writeEntry,
} from './line.ts';
import { mergedState, packState, type Shown, type StateAt, stateOf, stateWriter } from './state.ts';

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
  /** Keys of columns, to which the lines' states refer by their place. */
  columns: string[];
  /** False if the file is of a release that kept states in tables. */
  stated: boolean;
  /** Day since 1970 on which old days were last dropped; 0 if never. */
  trimmed: number;
}

/** A governor's figures in one scan. */
export interface Seen {
  governor_id: number;
  /** By `DAY_FIGURES`; NaN if unread. */
  values: readonly number[];
  /** Their row in the scan's table. */
  row?: number;
}

export const emptyHistory = (): History => ({
  scans: new Map(),
  lines: new Map(),
  columns: [],
  stated: true,
  trimmed: 0,
});

/** Returns the number of a time's UTC day since 1970. */
export const dayNumber = (time: number): number => Math.floor(time / DAY_MS);

/** Returns the scan that gave an entry's rank and power. */
export const scanOf = ({ scans }: Pick<History, 'scans'>, { day, scan }: Pick<Entry, 'day' | 'scan'>): HistoryScan =>
  scans.get(day)?.[scan] as HistoryScan;

/** Returns when a line's governor was last seen (epoch ms). */
export const seenAt = (history: Pick<History, 'scans'>, { newest }: Line): number =>
  scanOf(history, newest).captured_at;

/** Returns the number of the scan that gave the profile of an entry. */
export const profileScan = (entry: Entry): number => (entry.read === 0 ? entry.scan : entry.read - 1);

/** Returns the number of a scan among those of its day, and adds it if it is new. */
export function putScan({ scans }: History, scan: HistoryScan): number {
  const day = dayNumber(scan.captured_at);
  const known = scans.get(day) ?? [];
  const found = known.findIndex((each) => each.kingdom_id === scan.kingdom_id && each.captured_at === scan.captured_at);
  if (found >= 0) {
    // A line of a table's row did not say what kind of moment its scan has.
    if (scan.by_file) known[found] = scan;
    return found;
  }
  scans.set(day, [...known, scan]);
  return known.length;
}

/** Returns whether a scan is its kingdom's newest and the only one of its day. */
export function isNewestDay(
  { scans }: Pick<History, 'scans'>,
  { kingdom_id, captured_at }: Pick<HistoryScan, 'kingdom_id' | 'captured_at'>,
): boolean {
  const day = dayNumber(captured_at);
  for (const [other, all] of scans)
    if (other >= day && all.some((each) => each.kingdom_id === kingdom_id && each.captured_at !== captured_at))
      return false;
  return true;
}

/**
 * Returns one entry from two of the same day: rank and power from the newer scan, the profile from the newest scan that
 * read one. Returns `one` itself if `other` adds nothing.
 */
function joined(history: History, one: Entry, other: Entry): Entry {
  const timeOf = (scan: number) => scanOf(history, { day: one.day, scan }).captured_at;
  const isNewer = timeOf(other.scan) > timeOf(one.scan) || (isUntold(one) && timeOf(other.scan) === timeOf(one.scan));
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
    writeEntry(scratch, line.newest, newest);
    line.older = bytesOf(line);
    line.front = scratch.take();
    line.newest = newest;
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
  Object.assign(line, lineOf(entries, bytesOf(line).subarray(end), line.state, scratch));
  return true;
}

const unreadIn = (values: readonly number[]): number =>
  values.reduce((bits, value, at) => (Number.isNaN(value) ? bits | (1 << at) : bits), 0);

/**
 * Adds what a scan shows; `shown` has what it says besides the figures of the day. Scans may arrive in any order and
 * more than once. Returns whether anything changed.
 */
export function addScan(history: History, scan: HistoryScan, seen: Iterable<Seen>, shown?: Shown): boolean {
  const scratch = new ByteWriter();
  const nextState = shown && stateWriter(shown, scan.captured_at, history.columns);
  const day = dayNumber(scan.captured_at);
  const number = putScan(history, scan);
  let changed = false;
  for (const { governor_id, values, row } of seen) {
    const isRead = !values.includes(Number.NaN);
    const unread = isRead ? 0 : unreadIn(values);
    const known = isRead ? values : values.map((value) => (Number.isNaN(value) ? 0 : value));
    const before = history.lines.get(governor_id);
    const isNewer = !before || day > before.newest.day || scan.captured_at > seenAt(history, before);
    if (put(history, governor_id, { day, scan: number, read: 0, unread, values: known }, scratch)) changed = true;
    if (!nextState || row === undefined) continue;
    const line = before ?? (history.lines.get(governor_id) as Line);
    const state = nextState(line.state, row, isNewer);
    if (state === line.state) continue;
    line.state = state;
    changed = true;
  }
  return changed;
}

/** Adds the lines of these governors from another kingdom's history. Returns whether anything changed. */
export function addLines(history: History, from: History, governors: Iterable<number>): boolean {
  const scratch = new ByteWriter();
  let changed = false;
  for (const governor of governors) if (addLine(history, from, governor, scratch)) changed = true;
  return changed;
}

/** Empties the alliance of these governors, because theirs is in the kingdom from which they came. */
export function leaveAlliances(history: History, governors: Iterable<number>): void {
  for (const governor of governors) {
    const line = history.lines.get(governor);
    if (!line || line.state.length === 0) continue;
    const state = stateOf(line.state, history.columns);
    const { alliance_name: _, ...others } = state.others;
    line.state = packState({ ...state, alliance_tag: '', others }, history.columns);
  }
}

function addLine(history: History, from: History, governor: number, scratch: ByteWriter): boolean {
  const line = from.lines.get(governor);
  if (!line) return false;
  const entries = [...entriesOf(line)].map(([entry]) => {
    const moved = (scan: number) => putScan(history, scanOf(from, { day: entry.day, scan }));
    return { ...entry, scan: moved(entry.scan), read: entry.read === 0 ? 0 : moved(entry.read - 1) + 1 };
  });
  const known = history.lines.get(governor);
  let changed = !known;
  if (known) {
    for (const entry of entries) if (put(history, governor, entry, scratch)) changed = true;
  } else history.lines.set(governor, lineOf(entries, NOTHING, NOTHING, scratch));
  const theirs = { state: line.state, seen_at: seenAt(from, line), columns: from.columns };
  return mergeState(history, governor, known ? seenAt(history, known) : 0, theirs) || changed;
}

/** Merges another state of a governor into their line, last seen at `seen_at`. Returns whether it changed. */
export function mergeState(history: History, governor: number, seen_at: number, theirs: StateAt): boolean {
  const line = history.lines.get(governor);
  if (!line) return false;
  const state = mergedState({ state: line.state, seen_at, columns: history.columns }, theirs);
  if (state === line.state) return false;
  line.state = state;
  return true;
}

type IsKept = (scan: HistoryScan) => boolean;

/**
 * Returns the part of an entry that comes from scans that pass; null if none. Its rank and power may be of another scan
 * than its profile.
 */
function keptPart(history: History, entry: Entry, isKept: IsKept): Entry | null {
  const scan = profileScan(entry);
  const hasStanding = isKept(scanOf(history, entry));
  const isReadKept = scan === entry.scan ? hasStanding : isKept(scanOf(history, { day: entry.day, scan }));
  if (hasStanding) return isReadKept ? entry : withoutProfile(entry);
  return isReadKept ? withoutStanding({ ...entry, scan, read: 0 }) : null;
}

/** Sets a governor's entries, newest first, and keeps their state. Without entries, the line goes. */
function setEntries(history: History, governor: number, entries: readonly Entry[], scratch: ByteWriter): void {
  const state = history.lines.get(governor)?.state ?? NOTHING;
  if (entries.length === 0) history.lines.delete(governor);
  else history.lines.set(governor, lineOf(entries, NOTHING, state, scratch));
}

const allEntries = (line: Line | undefined): Entry[] => (line ? [...entriesOf(line)].map(([entry]) => entry) : []);

/** Removes what scans that do not pass gave to a governor. Returns the days that lost something: had they a profile? */
function takeOut(history: History, governor: number, isKept: IsKept, scratch: ByteWriter): Map<number, boolean> {
  const lost = new Map<number, boolean>();
  const kept: Entry[] = [];
  for (const entry of allEntries(history.lines.get(governor))) {
    const part = keptPart(history, entry, isKept);
    if (part) kept.push(part);
    if (part !== entry) lost.set(entry.day, hasProfile(entry));
  }
  if (lost.size > 0) setEntries(history, governor, kept, scratch);
  return lost;
}

/** Drops those of the `lost` days that still lack a rank. Returns all of them that lack something that they had. */
function dropHalves(
  history: History,
  governor: number,
  lost: ReadonlyMap<number, boolean>,
  scratch: ByteWriter,
): Iterable<number> {
  const entries = allEntries(history.lines.get(governor));
  const whole = entries.filter((entry) => !(lost.has(entry.day) && isUntold(entry)));
  if (whole.length < entries.length) setEntries(history, governor, whole, scratch);
  const lacking = new Map(lost);
  for (const entry of whole) if (hasProfile(entry) || !lost.get(entry.day)) lacking.delete(entry.day);
  return lacking.keys();
}

/** Returns the kingdoms that gave a day's figures besides `kingdom`. */
const othersOf = (history: History, day: number, kingdom: number): number[] =>
  (history.scans.get(day) ?? []).map(({ kingdom_id }) => kingdom_id).filter((each) => each !== kingdom);

/**
 * Replaces what scans of a kingdom that do not pass gave by the lines of `made`. Returns whether anything changed. The
 * kingdoms in `incomplete` must be packed again, because a removed scan may hide what they know of a day.
 */
export function replaceScans(
  history: History,
  kingdom: number,
  made: History,
  isKept: IsKept,
): { changed: boolean; incomplete: ReadonlySet<number> } {
  const incomplete = new Set<number>();
  if ([...history.scans.values()].every((scans) => scans.every(isKept)))
    return { changed: addLines(history, made, made.lines.keys()), incomplete };
  const scratch = new ByteWriter();
  let changed = false;
  // One governor at a time, because the lost days of all take much memory.
  for (const governor of new Set([...history.lines.keys(), ...made.lines.keys()])) {
    const lost = takeOut(history, governor, isKept, scratch);
    if (addLine(history, made, governor, scratch) || lost.size > 0) changed = true;
    if (lost.size === 0) continue;
    for (const day of dropHalves(history, governor, lost, scratch))
      for (const other of othersOf(history, day, kingdom)) incomplete.add(other);
  }
  return { changed, incomplete };
}

/**
 * Drops days before `first`. Of a governor who was not seen since, what was last known stays until `forgotten`.
 */
export function dropBefore(history: History, first: number, forgotten = first): void {
  for (const [governor, line] of history.lines) {
    const { newest, state } = line;
    if (newest.day < forgotten) history.lines.delete(governor);
    else if (newest.day < first) history.lines.set(governor, storedLineOf(untold(newest), NOTHING, state));
    else {
      let end = 0;
      for (const [{ day }, after] of entriesOf(line)) {
        if (day < first) break;
        end = after;
      }
      const older = bytesOf(line);
      if (end < older.length) history.lines.set(governor, storedLineOf(newest, older.slice(0, end), state));
    }
  }
  const used = new Set([...history.lines.values()].map(({ newest }) => newest.day));
  for (const day of history.scans.keys()) if (day < first && !used.has(day)) history.scans.delete(day);
}
