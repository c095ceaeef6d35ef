import { DAY_MS } from '../days.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { emptyHistory, type History, type HistoryScan } from './history.ts';
import { DAY_FIGURES, type Line, storedLineOf } from './line.ts';

/** The bytes of a packed history: opening, head with the newest day of each line, older days, states. */

/** Incremented when the bytes change. A history of another version is made again from the snapshots. */
export const HISTORY_VERSION = 1;

/** Bytes before the head: the version and the head's length. */
const OPENING = 8;

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

/** Writes the newest day of each line, which is copied in one piece instead of number by number. */
function writeColumns(into: ByteWriter, ids: Float64Array, lines: readonly Line[]): void {
  const count = ids.length;
  const wide = new Float64Array(count * WIDE);
  const middle = new Uint32Array(count * MIDDLE);
  const narrow = new Uint16Array(count * NARROW);
  for (let at = 0; at < count; at++) {
    const { newest, front, older } = lines[at] as Line;
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

/**
 * Returns a history's bytes. The states come last, because the release before them reads what precedes and ignores the
 * rest.
 */
export function historyBytes(history: History): Uint8Array {
  const { scans } = history;
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
  const ids = Float64Array.from(history.lines.keys()).sort();
  const lines: Line[] = [];
  for (const id of ids) lines.push(history.lines.get(id) as Line);
  head.whole(ids.length);
  writeColumns(head, ids, lines);
  const written = head.take();
  const opened = history.stated ? statesHead(history, lines) : null;
  let at = OPENING + written.length;
  let statesAt = at;
  let statesSize = opened?.length ?? 0;
  for (const { front, older, state } of lines) {
    statesAt += front.length + older.length;
    if (opened) statesSize += state.length;
  }
  const whole = new Uint8Array(statesAt + statesSize);
  const opening = new DataView(whole.buffer);
  opening.setUint32(0, HISTORY_VERSION);
  opening.setUint32(4, written.length);
  whole.set(written, OPENING);
  if (opened) {
    whole.set(opened, statesAt);
    statesAt += opened.length;
  }
  for (const { front, older, state } of lines) {
    whole.set(front, at);
    at += front.length;
    whole.set(older, at);
    at += older.length;
    if (!opened) continue;
    whole.set(state, statesAt);
    statesAt += state.length;
  }
  return whole;
}

/** Incremented when the bytes of states change. */
const STATES_VERSION = 1;

/** Returns what precedes the states: their version, when old days were dropped, keys of columns, and each length. */
function statesHead({ columns, trimmed }: History, lines: readonly Line[]): Uint8Array {
  const into = new ByteWriter();
  into.whole(STATES_VERSION);
  into.whole(trimmed);
  into.whole(columns.length);
  for (const key of columns) into.text(key);
  for (const { state } of lines) into.whole(state.length);
  return into.take();
}

/** Reads the states from `at` into the lines. Leaves them empty if there are none, or of another version. */
function readStates(history: History, bytes: Uint8Array, at: number): void {
  const from = new ByteReader(bytes, at);
  history.stated = !from.ended && from.whole() === STATES_VERSION;
  if (!history.stated) return;
  history.trimmed = from.whole();
  for (let count = from.whole(); count > 0; count--) history.columns.push(from.text());
  const sizes = new Uint32Array(history.lines.size);
  for (let line = 0; line < sizes.length; line++) sizes[line] = from.whole();
  let line = 0;
  for (const each of history.lines.values()) each.state = from.raw(sizes[line++] as number);
}

/** Reads a file; null if it is of another version. */
export function readHistory(bytes: Uint8Array): History | null {
  if (bytes.length < OPENING) throw new Error('a history ends too early');
  const view = new DataView(bytes.buffer, bytes.byteOffset, OPENING);
  if (view.getUint32(0) !== HISTORY_VERSION) return null;
  const history = emptyHistory();
  const { scans, lines } = history;
  const from = new ByteReader(bytes, OPENING);
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
  let offset = OPENING + view.getUint32(4);
  for (let at = 0; at < count; at++) {
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
    lines.set(wide[at] as number, storedLineOf(newest, bytes.subarray(offset, offset + size)));
    offset += size;
  }
  readStates(history, bytes, offset);
  return history;
}
