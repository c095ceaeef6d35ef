import { exact } from '../figures.ts';
import { type Column, type ColumnType, columnOf, GAMES, type GameId } from '../games/games.ts';
import { t } from '../language/text.ts';
import { type Kind, layoutOf, type Shape } from './layouts.ts';
import { orderOf } from './order.ts';

/**
 * Large sets of rows are stored in columns: a Float64Array for numbers (exact to 2^53, NaN if missing) and an array of
 * strings or null for text. Row objects take ten times as long to sort and compare.
 */
export type Numbers = Float64Array;
export type Texts = (string | null)[];

export interface Table extends Shape {
  count: number;
  numbers: Record<string, Numbers>;
  texts: Record<string, Texts>;
}

/** One row as an object, for files, the fleet and the results page. */
export type Row = Record<string, string | number | null>;

/** Returns a table of `count` rows without values. */
export function emptyTable(game: GameId, count: number, kind: Kind = 'scan'): Table {
  const table: Table = { game, kind, count, numbers: {}, texts: {} };
  for (const column of layoutOf(table).columns) {
    if (column.type === 'text') table.texts[column.key] = new Array<string | null>(count).fill(null);
    else table.numbers[column.key] = new Float64Array(count).fill(Number.NaN);
  }
  return table;
}

/** Returns a numeric column. Throws if the game has none of that key (a programming error). */
export function numbersOf(table: Table, key: string): Numbers {
  const numbers = table.numbers[key];
  if (!numbers) throw new Error(`${table.game} has no column of numbers '${key}'`);
  return numbers;
}

/** Returns a text column. Throws if the game has none of that key (a programming error). */
export function textsOf(table: Table, key: string): Texts {
  const texts = table.texts[key];
  if (!texts) throw new Error(`${table.game} has no column of text '${key}'`);
  return texts;
}

/** Returns a cell's JSON value. */
export function cellOf(table: Table, column: Column, row: number): string | number | null {
  if (column.type === 'text') return textsOf(table, column.key)[row] ?? null;
  const value = numbersOf(table, column.key)[row] as number;
  return Number.isNaN(value) ? null : value;
}

/** Builds a table from row objects. Unknown keys are ignored. */
export function tableOf(game: GameId, rows: readonly Row[]): Table {
  const table = emptyTable(game, rows.length);
  rows.forEach((row, index) => {
    for (const column of GAMES[game].columns) {
      const value = row[column.key];
      if (value === null || value === undefined) continue;
      if (column.type === 'text') textsOf(table, column.key)[index] = String(value);
      else numbersOf(table, column.key)[index] = Number(value);
    }
  });
  return table;
}

/** Returns the columns with a value in some row, plus those of the results table, in the game's order. */
export function presentColumns(table: Table): Column[] {
  const { columns, lead } = layoutOf(table);
  return columns.filter(
    ({ key, type }) =>
      lead.includes(key) || (type === 'text' ? hasText(textsOf(table, key)) : hasNumber(numbersOf(table, key))),
  );
}

// Loops instead of some(): most columns are empty, and a callback per cell takes a tenth of the time of writing a file.
function hasNumber(values: Numbers): boolean {
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) return true;
  return false;
}

function hasText(values: Texts): boolean {
  for (let row = 0; row < values.length; row++) if (values[row] !== null) return true;
  return false;
}

/**
 * Returns row indexes sorted by a numeric column, highest first unless `ascending`. Missing values come last, and the
 * sort is stable.
 */
export const orderBy = (table: Table, key: string, ascending = false): Uint32Array =>
  orderOf(numbersOf(table, key), ascending);

/** Returns the table's rows in another order. */
export function reorder(table: Table, order: Uint32Array): Table {
  const moved: Table = { ...table, count: order.length, numbers: {}, texts: {} };
  // Loops instead of from(), because a callback per cell takes five times as long.
  for (const [key, values] of Object.entries(table.numbers)) {
    const numbers = new Float64Array(order.length);
    for (let index = 0; index < order.length; index++) numbers[index] = values[order[index] as number] as number;
    moved.numbers[key] = numbers;
  }
  for (const [key, values] of Object.entries(table.texts)) {
    const texts = new Array<string | null>(order.length);
    for (let index = 0; index < order.length; index++) texts[index] = values[order[index] as number] ?? null;
    moved.texts[key] = texts;
  }
  return moved;
}

/** Returns the rows that totals cover: those of the last day if rows have days, otherwise all. */
export function lastDay(table: Table): Table {
  const { day } = layoutOf(table);
  if (day === null) return table;
  const days = textsOf(table, day);
  const last = days.reduce((latest, each) => ((each ?? '') > (latest ?? '') ? each : latest), null);
  return reorder(
    table,
    Uint32Array.from(days.keys()).filter((row) => days[row] === last),
  );
}

export const MAX_NAME = 200;

/** What a cell of each type may contain, besides null. */
const CELLS: Readonly<Record<ColumnType, { fits: (value: unknown) => boolean; wanted: string }>> = {
  integer: {
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
    wanted: 'a whole number from 0 to 2^53 - 1',
  },
  decimal: {
    fits: (value) => Number.isFinite(value) && (value as number) >= 0,
    wanted: 'a number of 0 or more',
  },
  text: {
    fits: (value) => typeof value === 'string' && value.length <= MAX_NAME,
    wanted: `text of ${MAX_NAME} characters at most`,
  },
};

/** Describes a figure above a column's `most`. */
export const beyondText = (value: number, most: number): string =>
  t('{value} is more than anybody can have ({most} at most).', { value: exact(value), most: exact(most) });

/**
 * Returns the first invalid cell of a hand-in, as a sentence, or null. Unknown columns are refused so that a misspelt
 * key does not silently lose figures. Written by hand because a schema would take most of a hand-in's time; this checks
 * two million cells a second.
 */
function cellFlaw(game: GameId, columns: WireColumns): string | null {
  for (const [key, values] of Object.entries(columns)) {
    const column = columnOf(game, key);
    if (!column || column.ours) return `columns: ${key} is not a column of ${GAMES[game].name}.`;
    const { fits, wanted } = CELLS[column.type];
    const { most = Infinity } = column;
    for (let row = 0; row < values.length; row++) {
      const value = values[row];
      if (value === null) continue;
      if (!fits(value)) return `row ${row + 1}: ${key}: must be ${wanted}, or null.`;
      if ((value as number) > most)
        return `row ${row + 1} (${GAMES[game].governor.one} ${columns[GAMES[game].roles.id]?.[row]}): ${key}: ${beyondText(value as number, most)}`;
    }
  }
  return null;
}

/** Rows in a bot's hand-in, by column: half the bytes and half the checking of row objects. */
export type WireColumns = Record<string, (string | number | null)[]>;

/** Returns the columns in which every row of a hand-in needs a value. */
const required = (game: GameId): string[] => {
  const { id, kingdom, name, power } = GAMES[game].roles;
  return [id, kingdom, name, power];
};

/**
 * Returns what is wrong with a subtask's columns, as a sentence that names the row, or null. A foreign kingdom, missing
 * or repeated ids, and more rows than ranks refuse the whole subtask, because the bot must have read the wrong screen.
 */
export function checkColumns(
  game: GameId,
  columns: WireColumns,
  task: { kingdom: number; ranks: number },
): string | null {
  const { roles, governor, kingdom } = GAMES[game];
  const flaw = cellFlaw(game, columns);
  if (flaw) return flaw;
  const count = columns[roles.id]?.length ?? 0;
  for (const [key, values] of Object.entries(columns)) {
    if (values.length !== count) return `column ${key} has ${values.length} values where ${roles.id} has ${count}.`;
  }
  if (count > task.ranks) return `${count} rows are more than the ${task.ranks} ranks of the subtask.`;
  const seen = new Set<number>();
  const ids = columns[roles.id] as number[] | undefined;
  for (let row = 0; row < count; row++) {
    const id = ids?.[row];
    const where = `row ${row + 1} (${governor.one} ${id ?? 'without id'})`;
    for (const key of required(game)) if (columns[key]?.[row] == null) return `${where}: ${key} is missing.`;
    if (!id) return `${where}: ${roles.id} must be above 0.`;
    if (seen.has(id)) return `${where}: the id appears twice in this subtask.`;
    seen.add(id);
    const home = columns[roles.kingdom]?.[row];
    if (home !== task.kingdom) return `${where}: belongs to ${kingdom.one} ${home}, the subtask is of ${task.kingdom}.`;
  }
  return null;
}
