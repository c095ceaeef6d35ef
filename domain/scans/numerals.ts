import type { ColumnType } from '../games/games.ts';

/** A cell of a scan file as its reader found it. */
export type Cell = string | number | boolean | null;

/** What a cell of figures says: a number, nothing (`null`), or something that could not be understood. */
export type Numeral = number | null | { unclear: string };

/** Texts by which tools say that there is no value (`-` in Call of Dragons exports, `Skipped` in RokTracker). */
const NOTHING = new Set(['', '-', '–', '—', '?', 'n/a', 'na', 'nan', 'none', 'null', 'skipped', 'unknown', 'not read']);
/** RokTracker v5 and later: unknown, skipped, not a number. */
const SENTINELS = new Set([-1, -2, -3]);
/** Spaces of every width, apostrophes (thousands in Switzerland) and marks that show nothing. */
const FILLING = /[\s'’_\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
/** Thousands in threes, or the Indian way: twos and a last three. */
const GROUPED = /^\d{1,3}(?:[,.]\d{2,3})*[,.]\d{3}$/;

/**
 * The figure in a cell for a column of whole or decimal numbers. Knows thousands separators of every kind,
 * `(123)` and `-` as signs, `True` and `False` as 1 and 0, `15.2M` as 15,200,000. A figure that lost digits on its way (powers of ten,
 * more than 2^53) is unclear, not rounded.
 */
export function numeralOf(cell: Cell, type: Exclude<ColumnType, 'text'>): Numeral {
  // Nearly every cell of a scan is one of these.
  if (typeof cell === 'number' && cell > 0 && Number.isSafeInteger(cell)) return cell;
  if (cell === null) return null;
  if (typeof cell === 'boolean') return Number(cell);
  if (typeof cell === 'number') return fitting(cell, type, String(cell));
  const shown = cell.replace(FILLING, '');
  const word = shown.toLowerCase();
  if (NOTHING.has(word)) return null;
  if (word === 'true' || word === 'false') return Number(word === 'true');
  const [, open, sign, digits, unit, close] = /^(\()?([-−+])?(?=[.,]*\d)([\d.,]+)([kmb])?(\))?$/i.exec(shown) ?? [];
  if (digits === undefined || Boolean(open) !== Boolean(close)) {
    const powers = /^[-+]?[\d.,]+e[-+]?\d+$/i.test(shown);
    return { unclear: powers ? `'${shown}' has lost its last digits` : `'${clip(cell)}' is not a number` };
  }
  const size = unit ? roundedSize(digits, unit) : sizeOf(digits, type);
  if (size === null) return { unclear: `'${clip(cell)}' is not a number` };
  const negative = open !== undefined || (sign !== undefined && sign !== '+');
  return fitting(negative ? -size : size, type, cell);
}

/** True for `15.2M` and its like, which are all that a tool wrote of a figure. */
export const isRounded = (cell: string): boolean => /\d\s*[kmb]\)?\s*$/i.test(cell);

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

function roundedSize(digits: string, unit: string): number | null {
  const size = sizeOf(digits, 'decimal');
  return size === null ? null : Math.round(size * (UNITS[unit.toLowerCase()] ?? Number.NaN));
}

const clip = (text: string): string => text.slice(0, 40);

function fitting(value: number, type: ColumnType, shown: string): Numeral {
  if (SENTINELS.has(value)) return null;
  if (value < 0) return { unclear: `'${clip(shown)}' is negative` };
  if (!Number.isFinite(value) || value > Number.MAX_SAFE_INTEGER) return { unclear: `'${clip(shown)}' is too large` };
  if (type === 'integer' && !Number.isInteger(value)) return { unclear: `'${clip(shown)}' is not a whole number` };
  // The specification's figures have no sign: -0 would not equal 0 where rows are compared.
  return value === 0 ? 0 : value;
}

/** The value of digits with separators; null where the separators make no sense. */
function sizeOf(digits: string, type: ColumnType): number | null {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
  if (last < 0) return Number(digits);
  const mark = digits[last] as string;
  const whole = digits.slice(0, last);
  const once = !whole.includes(mark);
  const other = mark === ',' ? '.' : ',';
  // Two kinds of marks: the last one is the decimal's. One kind: in whole numbers groups come first, because nothing
  // follows a decimal mark there; in decimals a lone point is the decimal's.
  const groups = !digits.includes(other) && GROUPED.test(digits) && !(type === 'decimal' && once && mark === '.');
  if (groups) return Number(digits.replaceAll(mark, ''));
  if (!once || (whole.includes(other) && !GROUPED.test(whole))) return null;
  return Number(`${whole.replaceAll(other, '')}.${digits.slice(last + 1)}`);
}
