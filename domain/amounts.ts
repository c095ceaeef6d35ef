import { UNITS } from './figures.ts';
import { type Format, formats } from './language/formats.ts';
import { narrow } from './narrow.ts';

/** Figures that people type, or that a tool wrote in another language's form. */

/** Groups of three digits, or Indian groups: twos and a last three. */
const GROUPED = /^\d{1,3}(?:[,.]\d{2,3})*[,.]\d{3}$/;

/**
 * Parses digits with separators; null if the separators are inconsistent. Of two kinds of separators the last one is
 * the decimal separator. One kind separates thousands where it can, unless it stands once and is `decimal`.
 */
export function separated(digits: string, decimal: '.' | ',' | null): number | null {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
  if (last < 0) return Number(digits);
  const mark = digits[last] as string;
  const whole = digits.slice(0, last);
  const once = !whole.includes(mark);
  const other = mark === ',' ? '.' : ',';
  const groups = !digits.includes(other) && GROUPED.test(digits) && !(once && mark === decimal);
  if (groups) return Number(digits.replaceAll(mark, ''));
  if (!once || (whole.includes(other) && !GROUPED.test(whole))) return null;
  return Number(`${whole.replaceAll(other, '')}.${digits.slice(last + 1)}`);
}

const wordOf = (unit: string): string => unit.trim().replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase();

/** Returns the size of a typed unit: of a language, or else of English, as the games write it. */
function sizeOf(unit: string, { units }: Format): number | null {
  const word = wordOf(unit);
  if (word === '') return 1;
  const [own] = units.find(([, suffix]) => wordOf(suffix) === word) ?? [];
  return own ?? UNITS.find(({ suffix }) => wordOf(suffix) === word)?.size ?? null;
}

/**
 * Parses a figure as the reader's language or the games write it: 12,400,000, 12.4M, 1.5 b; in German also 12.400.000
 * and 12,4 Mrd. Null if it is not a figure.
 */
export function amountOf(text: string, format = formats()): number | null {
  const [, digits, unit = ''] = /^([\d.,'\u2019\s]*\d)(\D*)$/.exec(narrow(text).trim()) ?? [];
  if (digits === undefined) return null;
  const number = separated(digits.replace(/['\u2019\s]/g, ''), format.decimal);
  const size = sizeOf(unit, format);
  const amount = number === null || size === null ? Number.NaN : Math.round(number * size);
  return Number.isFinite(amount) ? amount : null;
}
