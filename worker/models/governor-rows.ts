import { GAMES } from '../../domain/games.ts';
import { cellOf, numbersOf, presentColumns, type Table, textsOf } from '../../domain/rows.ts';

/**
 * A scan's rows on their way into SQLite. Reading a JSON array of rows, cell by cell, cost three times what writing
 * the rows did. So the figures go as one text of numbers of equal width, which `substr` of a blob reaches at once, and
 * only the texts of a row, in one string, are JSON.
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
type Field = (typeof FIELDS)[number];

/** The digits of 2^53. */
const WIDTH = 16;
const HALF = 10 ** (WIDTH / 2);
const ROW_WIDTH = WIDTH * FIELDS.length;
/** No figure is below zero, so this says that there is none. */
const NOTHING = -1;

export interface PackedRows {
  count: number;
  /** Every row's figures, `ROW_WIDTH` digits a row. */
  figures: string;
  /** JSON array of each row's tag, name and profile, one after the other. */
  texts: string;
}

/** SQL that reads a figure of row `row` (from 0) out of parameter `figures`, for instance '?5'. */
export const figureAt = (field: Field, figures: string, row: string): string =>
  // The cast of the parameter stands outside of the rows' loop: SQLite makes it once.
  `nullif(CAST(substr(CAST(${figures} AS BLOB), ${row} * ${ROW_WIDTH} + ${FIELDS.indexOf(field) * WIDTH + 1}, ${WIDTH}) AS INTEGER), ${NOTHING})`;

/** SQL of a table `numbered(row)` with a row for each of the rows in parameter `figures`. */
export const numbered = (figures: string): string =>
  `numbered(row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM numbered WHERE row + 1 < length(${figures}) / ${ROW_WIDTH})`;

const ZERO = 48;
const MINUS = 45;

/** Writes a number below `HALF` so that its last digit stands before `end`. */
function writeDigits(into: Uint8Array, end: number, value: number): void {
  let rest = value;
  for (let at = end - 1; rest > 0; at--) {
    const next = (rest / 10) | 0;
    into[at] = ZERO + rest - next * 10;
    rest = next;
  }
}

/** Writes a figure over the zeros at `from`. */
function writeFigure(into: Uint8Array, from: number, value: number): void {
  const end = from + WIDTH;
  if (Number.isNaN(value)) {
    into[from] = MINUS;
    writeDigits(into, end, -NOTHING);
  } else if (value < HALF) writeDigits(into, end, value);
  else {
    const high = Math.floor(value / HALF);
    writeDigits(into, end - WIDTH / 2, high);
    writeDigits(into, end, value - high * HALF);
  }
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
  const ids = numbersOf(table, id);
  const rest = [power, score, deads, hall, ...tiers].map((key) => numbersOf(table, key));
  const figures = new Uint8Array((to - from) * ROW_WIDTH).fill(ZERO);
  const texts: string[] = [];
  let at = 0;
  const put = (value: number) => {
    writeFigure(figures, at, value);
    at += WIDTH;
  };
  for (let place = from; place < to; place++) {
    const row = order[place] as number;
    const [rowTag, rowName] = [tags[row] ?? '', names[row] ?? ''];
    texts.push(rowTag + rowName + profileOf(row));
    put(ids[row] as number);
    put(lengthOf(rowTag));
    put(lengthOf(rowName));
    put(place + 1);
    for (const column of rest) put(column[row] as number);
  }
  return { count: to - from, figures: Buffer.from(figures.buffer).toString('latin1'), texts: JSON.stringify(texts) };
}
