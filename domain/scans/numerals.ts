import { separated } from '../amounts.ts';
import type { Column } from '../games/games.ts';
import { type Sentence, sentence } from '../language/text.ts';
import { narrow } from '../narrow.ts';

/** A cell of a scan file, as its reader returns it. */
export type Cell = string | number | boolean | null;

/** The value of a numeric cell: a number, nothing (`null`), or something unclear. */
type Numeral = number | null | { unclear: Sentence };

/** What a numeric column holds: whole or decimal amounts, an identifying number, or yes and no. */
type FigureKind = 'integer' | 'decimal' | 'ident' | 'flag';

/** Returns the kind of a numeric column. */
export const kindOfFigure = ({ type, ident, flag }: Column): FigureKind =>
  flag ? 'flag' : ident ? 'ident' : type === 'decimal' ? 'decimal' : 'integer';

/** Texts with which tools mark a missing value (`-` in Call of Dragons exports, `Skipped` in RokTracker). */
const NOTHING = new Set([
  ...['', '-', '--', '–', '—', '?', '???', 'n/a', 'n.a.', 'na', 'nan', 'none', 'null', 'nil'],
  ...['skipped', 'unknown', 'notread'],
  ...['#n/a', '#null!', '#ref!', '#value!', '#div/0!', '#name?', '#num!'],
]);
/** RokTracker v5 and later: unknown, skipped, not a number. */
const SENTINELS = new Set([-1, -2, -3]);
/** Spaces of every width, apostrophes (thousands in Switzerland) and invisible marks. */
const FILLING = /[\s'\u2019_\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
/** Returns whether a cell has digits on several lines. These are several figures, not groups of thousands. */
const isOnLines = (text: string): boolean =>
  /[\t\n\r]/.test(text) && text.split(/[\t\n\r]/).filter((line) => /\d/.test(line)).length > 1;

/**
 * Parses a cell of a numeric column. It accepts all kinds of thousands separators, `(123)` and `-` as negative signs,
 * `15.2M` as 15,200,000 (not for ids), and `True` and `False` as 1 and 0 in flag columns. A figure that lost digits on
 * the way (powers of ten, more than 2^53) is unclear rather than rounded.
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
  const unclear = noNumber(String(cell));
  if (isOnLines(String(cell))) return unclear;
  const [, open, sign, digits, unit, close] = NUMERAL.exec(shown) ?? [];
  if (digits === undefined || Boolean(open) !== Boolean(close))
    return /^[-+]?[\d.,]+e[-+]?\d+$/i.test(shown)
      ? { unclear: sentence("'{text}' has lost its last digits", { text: clip(shown) }) }
      : unclear;
  if (unit && kind !== 'integer' && kind !== 'decimal') return unclear;
  const size = unit ? roundedSize(digits, unit) : sizeOf(digits, kind);
  if (size === null) return unclear;
  const negative = open !== undefined || (sign !== undefined && sign !== '+');
  return fitting(negative ? -size : size, kind, String(cell));
}

/** Characters of the longest figure, including separators and unit. */
const MAX_FIGURE = 64;
/** The same with surrounding spaces. */
const MAX_PADDED = 500;

/** Parses a long cell: a figure between many spaces, or no figure. */
function longNumeral(cell: string, kind: FigureKind): Numeral {
  const bare = cell.slice(0, MAX_PADDED).trim();
  return bare.length <= MAX_FIGURE ? numeralOf(bare, kind) : noNumber(bare);
}

/** Digits and separators only, like nearly all numeric texts. */
const PLAIN = /^\d[\d.,]*$/;

function plainNumeral(cell: string, kind: FigureKind): Numeral {
  const size = sizeOf(cell, kind);
  return size === null ? noNumber(cell) : fitting(size, kind, cell);
}

/** Units of thousands, millions and so on in several languages. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ k: 1e3, m: 1e6, b: 1e9, mio: 1e6, mln: 1e6, bn: 1e9, mrd: 1e9, тыс: 1e3, млн: 1e6, млрд: 1e9 },
  ...{ 万: 1e4, 萬: 1e4, 만: 1e4, 億: 1e8, 亿: 1e8, 억: 1e8 },
};
const UNIT = `(?:${Object.keys(UNITS).join('|')})`;
const NUMERAL = new RegExp(String.raw`^(\()?([-\u2212+])?(?=[.,]*\d)([\d.,]+)(?:(${UNIT})\.?)?(\))?$`, 'i');
const ROUNDED = new RegExp(String.raw`\d\s*${UNIT}\.?\)?\s*$`, 'i');

/** Returns whether a cell is a rounded figure like `15.2M`. */
export const isRounded = (cell: string): boolean => cell.length <= MAX_FIGURE && ROUNDED.test(narrow(cell));

function roundedSize(digits: string, unit: string): number | null {
  const size = sizeOf(digits, 'decimal');
  return size === null ? null : Math.round(size * (UNITS[unit.toLowerCase()] ?? Number.NaN));
}

const clip = (text: string): string => text.slice(0, 40);

const noNumber = (text: string) => ({ unclear: sentence("'{text}' is not a number", { text: clip(text) }) });

function fitting(value: number, kind: FigureKind, shown: string): Numeral {
  if (SENTINELS.has(value)) return null;
  if (value < 0) return { unclear: sentence("'{text}' is negative", { text: clip(shown) }) };
  if (!Number.isFinite(value) || value > Number.MAX_SAFE_INTEGER)
    return { unclear: sentence("'{text}' is too large", { text: clip(shown) }) };
  if (kind !== 'decimal' && !Number.isInteger(value))
    return { unclear: sentence("'{text}' is not a whole number", { text: clip(shown) }) };
  // Avoids -0, which would not equal 0 when rows are compared.
  return value === 0 ? 0 : value;
}

/** Parses digits with separators. In a whole number a single separator groups thousands, because it has no decimals. */
const sizeOf = (digits: string, kind: FigureKind): number | null => separated(digits, kind === 'decimal' ? '.' : null);
