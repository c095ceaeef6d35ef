import type { Column } from '../games/games.ts';
import { narrow } from './narrow.ts';

/** A cell of a scan file as its reader found it. */
export type Cell = string | number | boolean | null;

/** What a cell of figures says: a number, nothing (`null`), or something that could not be understood. */
export type Numeral = number | null | { unclear: string };

/** What a column of numbers holds: amounts, whole or not, the number that names something, or yes and no. */
export type FigureKind = 'integer' | 'decimal' | 'ident' | 'flag';

/** True for a number that is what it says in any column, as nearly every cell of a scan is. */
export const isWhole = (cell: Cell): cell is number =>
  typeof cell === 'number' && cell > 0 && Number.isSafeInteger(cell);

/** What the cells of a column of numbers are. */
export const kindOfFigure = ({ type, ident, flag }: Column): FigureKind =>
  flag ? 'flag' : ident ? 'ident' : type === 'decimal' ? 'decimal' : 'integer';

/** Texts by which tools say that there is no value (`-` in Call of Dragons exports, `Skipped` in RokTracker). */
const NOTHING = new Set([
  ...['', '-', '--', '–', '—', '?', '???', 'n/a', 'n.a.', 'na', 'nan', 'none', 'null', 'nil'],
  ...['skipped', 'unknown', 'notread'],
  ...['#n/a', '#null!', '#ref!', '#value!', '#div/0!', '#name?', '#num!'],
]);
/** RokTracker v5 and later: unknown, skipped, not a number. */
const SENTINELS = new Set([-1, -2, -3]);
/** Spaces of every width, apostrophes (thousands in Switzerland) and marks that show nothing. */
const FILLING = /[\s'’_\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
/** Between digits these are no thousands: what stands on two lines of a cell are two figures. */
const isOnLines = (text: string): boolean =>
  /[\t\n\r]/.test(text) && text.split(/[\t\n\r]/).filter((line) => /\d/.test(line)).length > 1;
/** Thousands in threes, or the Indian way: twos and a last three. */
const GROUPED = /^\d{1,3}(?:[,.]\d{2,3})*[,.]\d{3}$/;

/**
 * The figure in a cell for a column of numbers. Knows thousands separators of every kind, `(123)` and `-` as signs,
 * `15.2M` as 15,200,000 (no id is written so), and `True` and `False` as 1 and 0 where a column is of these. A figure
 * that lost digits on its way (powers of ten, more than 2^53) is unclear, not rounded.
 */
export function numeralOf(cell: Cell, kind: FigureKind): Numeral {
  if (cell === null) return null;
  if (typeof cell === 'number') return fitting(cell, kind, String(cell));
  if (typeof cell === 'string' && cell.length > MAX_FIGURE) return longNumeral(cell, kind);
  if (typeof cell === 'string' && PLAIN.test(cell)) return plainNumeral(cell, kind);
  const shown = narrow(String(cell)).replace(FILLING, '');
  const word = shown.toLowerCase();
  if (NOTHING.has(word)) return null;
  if (kind === 'flag' && (word === 'true' || word === 'false')) return Number(word === 'true');
  const unclear = { unclear: `'${clip(String(cell))}' is not a number` };
  if (isOnLines(String(cell))) return unclear;
  const [, open, sign, digits, unit, close] = NUMERAL.exec(shown) ?? [];
  if (digits === undefined || Boolean(open) !== Boolean(close))
    return /^[-+]?[\d.,]+e[-+]?\d+$/i.test(shown) ? { unclear: `'${clip(shown)}' has lost its last digits` } : unclear;
  if (unit && kind !== 'integer' && kind !== 'decimal') return unclear;
  const size = unit ? roundedSize(digits, unit) : sizeOf(digits, kind);
  if (size === null) return unclear;
  const negative = open !== undefined || (sign !== undefined && sign !== '+');
  return fitting(negative ? -size : size, kind, String(cell));
}

/** Characters of the longest figure, with its marks and unit. */
const MAX_FIGURE = 64;
/** And with the spaces around it. */
const MAX_PADDED = 500;

/** What stands between many spaces, or is no figure. */
function longNumeral(cell: string, kind: FigureKind): Numeral {
  const bare = cell.slice(0, MAX_PADDED).trim();
  return bare.length <= MAX_FIGURE ? numeralOf(bare, kind) : { unclear: `'${clip(bare)}' is not a number` };
}

/** Digits with their marks and nothing else, as nearly all texts of figures are. */
const PLAIN = /^\d[\d.,]*$/;

function plainNumeral(cell: string, kind: FigureKind): Numeral {
  const size = sizeOf(cell, kind);
  return size === null ? { unclear: `'${clip(cell)}' is not a number` } : fitting(size, kind, cell);
}

/** Thousands, millions and so on as tools of different countries shorten them. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, m: 1e6, b: 1e9, mio: 1e6, mln: 1e6, bn: 1e9, mrd: 1e9, тыс: 1e3, млн: 1e6, млрд: 1e9 },
  ...{ 万: 1e4, 萬: 1e4, 만: 1e4, 億: 1e8, 亿: 1e8, 억: 1e8 },
};
const UNIT = `(?:${Object.keys(UNITS).join('|')})`;
const NUMERAL = new RegExp(String.raw`^(\()?([-−+])?(?=[.,]*\d)([\d.,]+)(?:(${UNIT})\.?)?(\))?$`, 'i');
const ROUNDED = new RegExp(String.raw`\d\s*${UNIT}\.?\)?\s*$`, 'i');

/** True for `15.2M` and its like, which are all that a tool wrote of a figure. */
export const isRounded = (cell: string): boolean => cell.length <= MAX_FIGURE && ROUNDED.test(narrow(cell));

function roundedSize(digits: string, unit: string): number | null {
  const size = sizeOf(digits, 'decimal');
  return size === null ? null : Math.round(size * (UNITS[unit.toLowerCase()] ?? Number.NaN));
}

const clip = (text: string): string => text.slice(0, 40);

function fitting(value: number, kind: FigureKind, shown: string): Numeral {
  if (SENTINELS.has(value)) return null;
  if (value < 0) return { unclear: `'${clip(shown)}' is negative` };
  if (!Number.isFinite(value) || value > Number.MAX_SAFE_INTEGER) return { unclear: `'${clip(shown)}' is too large` };
  if (kind !== 'decimal' && !Number.isInteger(value)) return { unclear: `'${clip(shown)}' is not a whole number` };
  // The specification's figures have no sign: -0 would not equal 0 where rows are compared.
  return value === 0 ? 0 : value;
}

/** The value of digits with separators; null where the separators make no sense. */
function sizeOf(digits: string, kind: FigureKind): number | null {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
  if (last < 0) return Number(digits);
  const mark = digits[last] as string;
  const whole = digits.slice(0, last);
  const once = !whole.includes(mark);
  const other = mark === ',' ? '.' : ',';
  // Two kinds of marks: the last one is the decimal's. One kind: in whole numbers groups come first, because nothing
  // follows a decimal mark there; in decimals a lone point is the decimal's.
  const groups = !digits.includes(other) && GROUPED.test(digits) && !(kind === 'decimal' && once && mark === '.');
  if (groups) return Number(digits.replaceAll(mark, ''));
  if (!once || (whole.includes(other) && !GROUPED.test(whole))) return null;
  return Number(`${whole.replaceAll(other, '')}.${digits.slice(last + 1)}`);
}
