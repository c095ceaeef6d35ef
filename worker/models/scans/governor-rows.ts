import { GAMES } from '../../../domain/games/games.ts';
import { asciiJson } from '../../../domain/json.ts';
import { readRows } from '../../../domain/scans/read.ts';
import { cellOf, numbersOf, presentColumns, type Table, textsOf } from '../../../domain/scans/rows.ts';

/**
 * Packs a scan's rows for SQLite. Reading a JSON array cell by cell costs three times as much as writing the rows. So
 * figures go as one text of digits at fixed positions, which `substr` of a blob reaches directly. Names and profiles go
 * as another text, with their positions among the figures.
 */

type Text = 'tag' | 'name' | 'profile';

const FIELDS = [
  'id',
  'tag_at',
  'tag_length',
  'name_at',
  'name_length',
  'profile_at',
  'profile_length',
  'power',
  'score',
  'deads',
  'hall',
  't1',
  't2',
  't3',
  't4',
  't5',
  'read',
] as const;
export type StoredField = (typeof FIELDS)[number];

/** Position and number of a field's digits within its row, and whether some rows have no value. */
interface Place {
  from: number;
  width: number;
  gaps: boolean;
}

export interface PackedRows {
  /** Number of rows. */
  count: number;
  /** The digits of all rows. */
  figures: string;
  /** Digits per row. */
  rowWidth: number;
  places: Readonly<Record<StoredField, Place>>;
  /** All tags and names as hexadecimal UTF-8 and all profiles as JSON, in ASCII throughout. */
  texts: string;
}

/** Means 'no value', because figures are never negative. */
const NOTHING = -1;

/** Returns SQL of a figure of row `row` (from 0) in the parameter `figures` ('?4'). */
export function figureAt({ places, rowWidth }: PackedRows, field: StoredField, figures: string): string {
  const { from, width, gaps } = places[field];
  // The cast does not depend on the row, so SQLite evaluates it once.
  const figure = `CAST(substr(CAST(${figures} AS BLOB), row * ${rowWidth} + ${from + 1}, ${width}) AS INTEGER)`;
  return gaps ? `nullif(${figure}, ${NOTHING})` : figure;
}

/** Returns SQL of a text of row `row` in the parameters of figures and texts. */
export function textAt(packed: PackedRows, text: Text, figures: string, texts: string): string {
  const figure = (field: StoredField) => figureAt(packed, field, figures);
  const written = `substr(CAST(${texts} AS BLOB), ${figure(`${text}_at`)}, ${figure(`${text}_length`)})`;
  return `CAST(${text === 'profile' ? written : `unhex(${written})`} AS TEXT)`;
}

/** Returns SQL of a table `numbered(row)` with all row numbers. */
export const numbered = ({ count }: PackedRows): string =>
  `numbered(row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM numbered WHERE row + 1 < ${count})`;

const ZERO = 48;
const MINUS = 45;
/** Above this, whole numbers exceed the 31 bits that V8 handles fast. */
const HALF = 1e8;
const HALF_WIDTH = 8;

/** The two digits of every number below 100, in sequence. */
const PAIRS = Uint8Array.from({ length: 200 }, (_, at) => ZERO + (at % 2 === 0 ? Math.floor(at / 20) : (at >> 1) % 10));

/** Writes a number below `HALF` with its last digit before `end`. */
function writeDigits(into: Uint8Array, end: number, value: number): void {
  let rest = value | 0;
  let at = end;
  while (rest > 9) {
    const next = (rest / 100) | 0;
    const pair = (rest - next * 100) << 1;
    into[--at] = PAIRS[pair + 1] as number;
    into[--at] = PAIRS[pair] as number;
    rest = next;
  }
  if (rest > 0) into[--at] = ZERO + rest;
}

/** Writes a figure over the zeros from `start` to `end`. */
function writeFigure(into: Uint8Array, start: number, end: number, value: number): void {
  if (value < HALF) writeDigits(into, end, value);
  else if (value >= HALF) {
    const high = Math.floor(value / HALF);
    writeDigits(into, end - HALF_WIDTH, high);
    writeDigits(into, end, value - high * HALF);
  } else {
    into[start] = MINUS;
    into[end - 1] = ZERO - NOTHING;
  }
}

/**
 * Returns the position of a column's digits, wide enough for every value, and at least two for the sign of a missing
 * one.
 */
function placeOf(values: Float64Array, from: number): Place {
  let most = 10;
  let gaps = false;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value > most) most = value;
    else if (Number.isNaN(value)) gaps = true;
  }
  return { from, width: String(most).length, gaps };
}

/**
 * Returns a function that writes a row's profile: JSON of the columns without a column of their own in `governors`,
 * including the check's results, where they have a value.
 */
function profilesOf(table: Table): (row: number) => string {
  const { id, name, kingdom, tag, power, score, deads, hall, tiers } = GAMES[table.game].roles;
  const own = new Set([id, name, kingdom, tag, power, score, deads, hall, ...tiers]);
  const others = presentColumns(table)
    .filter(({ key }) => !own.has(key))
    .map((column) => ({ column, label: `${JSON.stringify(column.key)}:` }));
  return (row) => {
    let json = '';
    for (const { column, label } of others) {
      const value = cellOf(table, column, row);
      // JSON and JavaScript format numbers alike.
      if (value !== null) json += `${json && ','}${label}${typeof value === 'string' ? asciiJson(value) : value}`;
    }
    return `{${json}}`;
  };
}

/** Packs the rows from `order[from]` up to `order[to]`. */
export function packRows(table: Table, order: Uint32Array, from: number, to: number): PackedRows {
  const { id, power, score, deads, hall, tiers } = GAMES[table.game].roles;
  const rows = order.subarray(from, to);
  const columns = {} as Record<StoredField, Float64Array>;
  for (const field of FIELDS) columns[field] = new Float64Array(rows.length);
  const [t1, t2, t3, t4, t5] = tiers;
  for (const [field, key] of Object.entries({ id, power, score, deads, hall, t1, t2, t3, t4, t5 })) {
    const [values, picked] = [numbersOf(table, key), columns[field as StoredField]];
    for (let index = 0; index < rows.length; index++) picked[index] = values[rows[index] as number] as number;
  }
  const read = readRows(table);
  for (let index = 0; index < rows.length; index++) {
    columns.read[index] = read[rows[index] as number] as number;
  }
  const texts = packTexts(table, rows, columns);
  const places = {} as Record<StoredField, Place>;
  let rowWidth = 0;
  for (const field of FIELDS) {
    places[field] = placeOf(columns[field], rowWidth);
    rowWidth += places[field].width;
  }
  const figures = new Uint8Array(rows.length * rowWidth).fill(ZERO);
  for (const field of FIELDS) {
    const values = columns[field];
    let at = places[field].from;
    for (let index = 0; index < values.length; index++, at += rowWidth)
      writeFigure(figures, at, at + places[field].width, values[index] as number);
  }
  return { count: rows.length, figures: Buffer.from(figures.buffer).toString('latin1'), rowWidth, places, texts };
}

/** Concatenates tags, names and profiles, and writes the position of each, from 1, into `columns`. */
function packTexts(table: Table, rows: Uint32Array, columns: Record<StoredField, Float64Array>): string {
  const { tag, name } = GAMES[table.game].roles;
  let all = '';
  const place = (text: Text, lengths: ArrayLike<number>, gap: number) => {
    columns[`${text}_length`].set(lengths);
    const places = columns[`${text}_at`];
    let at = all.length + 1;
    for (let index = 0; index < places.length; index++) {
      places[index] = at;
      at += (lengths[index] as number) + gap;
    }
  };
  for (const [text, key] of [
    ['tag', tag],
    ['name', name],
  ] as const) {
    const values = textsOf(table, key);
    const { hex, lengths } = hexOf(Array.from(rows, (row) => values[row] ?? ''));
    place(text, lengths, HEX_GAP);
    all += hex;
  }
  const profiles = Array.from(rows, profilesOf(table));
  place(
    'profile',
    profiles.map(({ length }) => length),
    0,
  );
  return all + profiles.join('');
}

/** Hex digits of the separator U+0000, which no text contains because SQLite ends text there. */
const HEX_GAP = 2;

/**
 * Converts all texts to hexadecimal UTF-8 at once, because each call costs more than a name. Returns the number of
 * digits of each.
 */
function hexOf(texts: readonly string[]): { hex: string; lengths: Uint32Array } {
  const bytes = Buffer.from(texts.join('\0'));
  const lengths = new Uint32Array(texts.length);
  let [index, start] = [0, 0];
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== 0) continue;
    lengths[index++] = (at - start) * 2;
    start = at + 1;
  }
  if (index !== texts.length) throw new Error('a text with U+0000');
  return { hex: bytes.toString('hex'), lengths };
}
