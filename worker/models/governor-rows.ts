import { GAMES } from '../../domain/games.ts';
import { asciiJson } from '../../domain/json.ts';
import { cellOf, numbersOf, presentColumns, type Table, textsOf } from '../../domain/rows.ts';

/**
 * A scan's rows on their way into SQLite. Reading a JSON array of rows, cell by cell, cost three times what writing
 * the rows did. So the figures go as one text of digits, in which each has its fixed place and `substr` of a blob
 * reaches it at once, and only the texts of a row, in one string, are JSON.
 */

const FIELDS = [
  'id',
  'tag_length',
  'name_length',
  'rank',
  'power',
  'score',
  'deads',
  'hall',
  't1',
  't2',
  't3',
  't4',
  't5',
] as const;
export type Field = (typeof FIELDS)[number];

export interface PackedRows {
  /** The digits of every row. */
  figures: string;
  /** How many digits a row has. */
  rowWidth: number;
  /** Where a field's digits begin inside its row, and how many they are. */
  places: Readonly<Record<Field, { from: number; width: number }>>;
  /** JSON array of each row's tag, name and profile, one after the other. */
  texts: string;
}

/** No figure is below zero, so this says that there is none. */
const NOTHING = -1;

/** SQL that reads a figure of row `row` (from 0) out of parameter `figures`, for instance '?5'. */
export function figureAt({ places, rowWidth }: PackedRows, field: Field, figures: string, row: string): string {
  const { from, width } = places[field];
  // The cast of the parameter stands outside of the rows' loop: SQLite makes it once.
  return `nullif(CAST(substr(CAST(${figures} AS BLOB), ${row} * ${rowWidth} + ${from + 1}, ${width}) AS INTEGER), ${NOTHING})`;
}

/** SQL of a table `numbered(row)` with a row for each of the rows in parameter `figures`. */
export const numbered = ({ rowWidth }: PackedRows, figures: string): string =>
  `numbered(row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM numbered WHERE row + 1 < length(${figures}) / ${rowWidth})`;

const ZERO = 48;
const MINUS = 45;
/** Above this, whole numbers need more than the 31 bits that the engine counts in quickly. */
const HALF = 1e8;
const HALF_WIDTH = 8;

/** Writes a number below `HALF` so that its last digit stands before `end`. */
function writeDigits(into: Uint8Array, end: number, value: number): void {
  let rest = value;
  for (let at = end - 1; rest > 0; at--) {
    const next = (rest / 10) | 0;
    into[at] = ZERO + rest - next * 10;
    rest = next;
  }
}

/** Writes a figure over the zeros from `start` to `end`. */
function writeFigure(into: Uint8Array, start: number, end: number, value: number): void {
  if (Number.isNaN(value)) {
    into[start] = MINUS;
    into[end - 1] = ZERO - NOTHING;
  } else if (value < HALF) writeDigits(into, end, value);
  else {
    const high = Math.floor(value / HALF);
    writeDigits(into, end - HALF_WIDTH, high);
    writeDigits(into, end, value - high * HALF);
  }
}

/** Digits that every value of a column fits into; two at least, for the sign of a missing one. */
function widthOf(values: Float64Array): number {
  let most = 10;
  for (const value of values) if (value > most) most = value;
  return String(most).length;
}

/** Characters as SQLite counts them: code points. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) length--;
  return length;
}

/** What writes a row's profile: JSON of the columns that `governors` has none for, where the row has a value. */
function profilesOf(table: Table): (row: number) => string {
  const { id, name, kingdom, tag, power, score, deads, hall, tiers } = GAMES[table.game].roles;
  const own = new Set([id, name, kingdom, tag, power, score, deads, hall, ...tiers]);
  const others = presentColumns(table)
    .filter(({ key, ours }) => !ours && !own.has(key))
    .map((column) => ({ column, label: `${JSON.stringify(column.key)}:` }));
  return (row) => {
    let json = '';
    for (const { column, label } of others) {
      const value = cellOf(table, column, row);
      // JSON and JavaScript write numbers alike.
      if (value !== null) json += `${json && ','}${label}${typeof value === 'string' ? JSON.stringify(value) : value}`;
    }
    return `{${json}}`;
  };
}

/** Packs the rows at `order[from]` up to `order[to]`; a row's rank is its place in `order`, from 1. */
export function packRows(table: Table, order: Uint32Array, from: number, to: number): PackedRows {
  const { id, name, tag, power, score, deads, hall, tiers } = GAMES[table.game].roles;
  const [names, tags, profileOf] = [textsOf(table, name), textsOf(table, tag), profilesOf(table)];
  const rows = order.subarray(from, to);
  const read = (key: string) => {
    const [values, picked] = [numbersOf(table, key), new Float64Array(rows.length)];
    for (let index = 0; index < rows.length; index++) picked[index] = values[rows[index] as number] as number;
    return picked;
  };
  const [t1, t2, t3, t4, t5] = tiers.map(read) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const columns: Record<Field, Float64Array> = {
    id: read(id),
    tag_length: Float64Array.from(rows, (row) => lengthOf(tags[row] ?? '')),
    name_length: Float64Array.from(rows, (row) => lengthOf(names[row] ?? '')),
    rank: Float64Array.from(rows, (_, index) => from + index + 1),
    power: read(power),
    score: read(score),
    deads: read(deads),
    hall: read(hall),
    t1,
    t2,
    t3,
    t4,
    t5,
  };
  const places = {} as Record<Field, { from: number; width: number }>;
  let rowWidth = 0;
  for (const field of FIELDS) {
    places[field] = { from: rowWidth, width: widthOf(columns[field]) };
    rowWidth += places[field].width;
  }
  const figures = new Uint8Array(rows.length * rowWidth).fill(ZERO);
  for (const field of FIELDS) {
    const values = columns[field];
    let at = places[field].from;
    for (let index = 0; index < values.length; index++, at += rowWidth)
      writeFigure(figures, at, at + places[field].width, values[index] as number);
  }
  const texts = Array.from(rows, (row) => (tags[row] ?? '') + (names[row] ?? '') + profileOf(row));
  return { figures: Buffer.from(figures.buffer).toString('latin1'), rowWidth, places, texts: asciiJson(texts) };
}
