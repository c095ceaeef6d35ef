import { GAMES } from '../games/games.ts';
import { readRows } from '../scans/read.ts';
import { type Numbers, numbersOf, presentColumns, type Row, type Table, type Texts, textsOf } from '../scans/rows.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/**
 * What scans show of a governor besides the figures of each day: name, alliance and the newest profile. A state is
 * packed as doubts, time of the profile, name, tag, and then the profile. Name and alliance come from the newest scan,
 * the profile from the newest scan that read it.
 */

export const STATE_FIGURES = ['score', 'deads', 'hall', 't1', 't2', 't3', 't4', 't5'] as const;
export type StateFigure = (typeof STATE_FIGURES)[number];

/** Figures of a profile that its check may doubt, by bit. */
const DOUBTED = ['power', 'score', 'deads'] as const;
export type DoubtedFigure = (typeof DOUBTED)[number];

export interface State {
  name: string;
  alliance_tag: string;
  /** When the profile was read (epoch ms); null if never. */
  profile_at: number | null;
  /** Null if the newest read profile did not have it. */
  figures: Readonly<Record<StateFigure, number | null>>;
  /** The profile's other columns in the game's order, and the result of its check. */
  others: Row;
}

/** The first part of a packed state. */
interface Opening {
  doubts: number;
  profile_at: number | null;
  /** Position of the name. */
  texts: number;
}

function openingOf(packed: Uint8Array): Opening {
  const from = new ByteReader(packed);
  const doubts = from.whole();
  return { doubts, profile_at: from.whole() || null, texts: from.at };
}

/** Returns when a packed state's profile was read, and whether its check doubts a figure. */
export function profileOf(packed: Uint8Array): {
  profile_at: number | null;
  doubts: (figure: DoubtedFigure) => boolean;
} {
  if (packed.length === 0) return { profile_at: null, doubts: () => false };
  const { doubts, profile_at } = openingOf(packed);
  return { profile_at, doubts: (figure) => (doubts & (1 << DOUBTED.indexOf(figure))) !== 0 };
}

/** Returns the name and alliance in a packed state, and the position of the profile after them. */
function identityOf(packed: Uint8Array, { texts }: Opening): { name: string; alliance_tag: string; rest: number } {
  const from = new ByteReader(packed, texts);
  const name = from.text();
  return { name, alliance_tag: from.text(), rest: from.at };
}

const NO_FIGURES = Object.fromEntries(STATE_FIGURES.map((figure) => [figure, null])) as State['figures'];
const UNKNOWN: State = { name: '', alliance_tag: '', profile_at: null, figures: NO_FIGURES, others: {} };

// How a cell's value is written, in the lowest bits of its column's number.
const WHOLE = 0;
const TEXT = 1;
const OTHER = 2;
const KINDS = 4;

/** Unpacks a state. `columns` are the keys to which its cells refer. An empty one belongs to an unknown governor. */
export function stateOf(packed: Uint8Array, columns: readonly string[]): State {
  if (packed.length === 0) return UNKNOWN;
  const opening = openingOf(packed);
  const { name, alliance_tag, rest } = identityOf(packed, opening);
  const from = new ByteReader(packed, rest);
  const present = from.whole();
  const figures = STATE_FIGURES.map((figure, at) => [figure, present & (1 << at) ? from.whole() : null]);
  const others: Row = {};
  while (!from.ended) {
    const cell = from.whole();
    const kind = cell % KINDS;
    const key = columns[(cell - kind) / KINDS] as string;
    others[key] = kind === WHOLE ? from.whole() : kind === TEXT ? from.text() : Number(from.text());
  }
  return { name, alliance_tag, profile_at: opening.profile_at, figures: Object.fromEntries(figures), others };
}

function placeOf(columns: string[], key: string): number {
  const found = columns.indexOf(key);
  return found < 0 ? columns.push(key) - 1 : found;
}

function doubtsIn(doubted: unknown): number {
  if (typeof doubted !== 'string' || doubted === '') return 0;
  const named = doubted.split(' ');
  return DOUBTED.reduce((bits, figure, at) => (named.includes(figure) ? bits | (1 << at) : bits), 0);
}

function writeNumber(into: ByteWriter, place: number, value: number): void {
  if (value >= 0 && Number.isInteger(value)) {
    into.whole(place * KINDS + WHOLE);
    into.whole(value);
  } else {
    into.whole(place * KINDS + OTHER);
    into.text(String(value));
  }
}

function writeText(into: ByteWriter, place: number, value: string): void {
  into.whole(place * KINDS + TEXT);
  into.text(value);
}

/** Packs a state. Adds the keys of its cells to `columns`. */
export function packState({ name, alliance_tag, profile_at, figures, others }: State, columns: string[]): Uint8Array {
  const into = new ByteWriter();
  into.whole(doubtsIn(others.doubted));
  into.whole(profile_at ?? 0);
  into.text(name);
  into.text(alliance_tag);
  const values = STATE_FIGURES.map((figure) => figures[figure]);
  into.whole(values.reduce<number>((bits, value, at) => (value === null ? bits : bits | (1 << at)), 0));
  for (const value of values) if (value !== null) into.whole(value);
  for (const [key, value] of Object.entries(others))
    if (typeof value === 'string') writeText(into, placeOf(columns, key), value);
    else if (value !== null) writeNumber(into, placeOf(columns, key), value);
  return into.take();
}

/** The columns of a scan that make states. */
export interface Shown {
  /** Null if the scan has none. A file from a tool that does not read names must not delete known ones. */
  names: Texts | null;
  tags: Texts | null;
  /** 1 for each row whose profile was read. */
  read: Uint8Array;
  /** By `STATE_FIGURES`. */
  figures: Numbers[];
  others: { key: string; numbers?: Numbers; texts?: Texts }[];
  doubted: Texts | undefined;
}

export function shownIn(table: Table): Shown {
  const { id, name, kingdom, tag, power, score, deads, hall, tiers } = GAMES[table.game].roles;
  const own = new Set([id, name, kingdom, tag, power, score, deads, hall, ...tiers]);
  const texts = (key: string) => (textsOf(table, key).some(Boolean) ? textsOf(table, key) : null);
  return {
    names: texts(name),
    tags: texts(tag),
    read: readRows(table),
    figures: [score, deads, hall, ...tiers].map((key) => numbersOf(table, key)),
    others: presentColumns(table)
      .filter(({ key }) => !own.has(key))
      .map(({ key, type }) =>
        type === 'text' ? { key, texts: textsOf(table, key) } : { key, numbers: numbersOf(table, key) },
      ),
    doubted: table.texts.doubted,
  };
}

/** A column of texts, or neighbouring columns of numbers with the heads of their cells. */
type Cells = { place: number; texts: Texts } | { heads: number[]; columns: Numbers[] };

/** Joins neighbouring columns of numbers, whose cells are written in one call. */
function cellsOf(others: Shown['others'], columns: string[]): Cells[] {
  const cells: Cells[] = [];
  for (const { key, numbers, texts } of others) {
    const place = placeOf(columns, key);
    const last = cells.at(-1);
    if (texts) cells.push({ place, texts });
    else if (numbers && last && 'heads' in last) {
      last.heads.push(place * KINDS + WHOLE);
      last.columns.push(numbers);
    } else if (numbers) cells.push({ heads: [place * KINDS + WHOLE], columns: [numbers] });
  }
  return cells;
}

/** Returns a function that packs the profile of a row. Adds the keys of the scan's columns to `columns`. */
function profileWriter({ figures, others }: Shown, columns: string[]): (into: ByteWriter, row: number) => void {
  const cells = cellsOf(others, columns);
  return (into, row) => {
    let present = 0;
    for (let at = 0; at < figures.length; at++) if (((figures[at] as Numbers)[row] as number) >= 0) present |= 1 << at;
    into.whole(present);
    if (into.wholes(null, figures, row, 0) >= 0) throw new Error('a figure is not a whole number');
    for (const cell of cells)
      if ('texts' in cell) {
        const value = cell.texts[row];
        if (value !== null && value !== undefined) writeText(into, cell.place, value);
      } else
        for (let at = into.wholes(cell.heads, cell.columns, row, 0); at >= 0; ) {
          const place = ((cell.heads[at] as number) - WHOLE) / KINDS;
          writeNumber(into, place, (cell.columns[at] as Numbers)[row] as number);
          at = into.wholes(cell.heads, cell.columns, row, at + 1);
        }
  };
}

/**
 * Returns a function that gives a governor's state after a scan, from the one before it (empty if none) and the row
 * that shows them. `isNewer` means that no later scan showed them. Returns the same bytes if nothing changed.
 */
export function stateWriter(
  shown: Shown,
  captured_at: number,
  columns: string[],
): (known: Uint8Array, row: number, isNewer: boolean) => Uint8Array {
  const into = new ByteWriter();
  const { names, tags, read, doubted } = shown;
  // Many rows have the same words, so what precedes the texts of a read profile is made once for each.
  const openings = new Map<string | null, Uint8Array>();
  for (const words of new Set<string | null>(doubted).add(null)) {
    into.whole(doubtsIn(words));
    into.whole(captured_at);
    openings.set(words, into.take());
  }
  const writeProfile = profileWriter(shown, columns);
  return (known, row, isNewer) => {
    // A newer scan that shows everything keeps nothing of the state before, which is then not read.
    const isWhole = isNewer && read[row] === 1 && names !== null && tags !== null;
    const opening = isWhole || known.length === 0 ? null : openingOf(known);
    const isRead = read[row] === 1 && captured_at > (opening?.profile_at ?? 0);
    if (opening && !isNewer && !isRead) return known;
    const takesName = opening === null || (isNewer && names !== null);
    const takesTag = opening === null || (isNewer && tags !== null);
    // Texts take longest to read, and usually none of the state before is kept.
    const before = opening && !(isRead && takesName && takesTag) ? identityOf(known, opening) : null;
    const name = before && !takesName ? before.name : (names?.[row] ?? '');
    const tag = before && !takesTag ? before.alliance_tag : (tags?.[row] ?? '');
    if (before && !isRead && name === before.name && tag === before.alliance_tag) return known;
    const keepsProfile = opening !== null && before !== null && !isRead;
    if (keepsProfile) into.raw(known.subarray(0, opening.texts));
    else if (isRead) into.raw(openings.get(doubted?.[row] ?? null) as Uint8Array);
    else {
      into.whole(doubtsIn(doubted?.[row]));
      into.whole(0);
    }
    into.text(name);
    into.text(tag);
    if (keepsProfile) into.raw(known.subarray(before.rest));
    else writeProfile(into, row);
    return into.take();
  };
}

/** A packed state of a governor, with when they were last seen. */
export interface StateAt {
  state: Uint8Array;
  seen_at: number;
  columns: readonly string[];
}

/** Returns the state that follows from two of the same governor, packed with `columns`, to which `one` refers. */
export function mergedState(one: StateAt & { columns: string[] }, other: StateAt): Uint8Array {
  if (other.state.length === 0) return one.state;
  const theirs = stateOf(other.state, other.columns);
  if (one.state.length === 0) return packState(theirs, one.columns);
  const ours = stateOf(one.state, one.columns);
  const isSeenLater = other.seen_at > one.seen_at;
  const isReadLater = (theirs.profile_at ?? 0) > (ours.profile_at ?? 0);
  if (!isSeenLater && !isReadLater) return one.state;
  const { name, alliance_tag } = isSeenLater ? theirs : ours;
  return packState({ ...(isReadLater ? theirs : ours), name, alliance_tag }, one.columns);
}
