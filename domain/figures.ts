/** Formats figures, days and names for people, on pages and cards. In English, and the same on every machine. */

/** Units of large figures, largest first. */
export const UNITS = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'K' },
] as const;

/** Formats three significant digits with a unit, rounded: 12.4B, 853M, 1.20K, 940. */
export function compact(value: number): string {
  const amount = Math.abs(value);
  // A figure that rounds up to the next unit uses that unit: 999,500 is 1.00M.
  const unit = UNITS.find(({ size }) => amount >= size * (size > 1e3 ? 0.9995 : 1));
  if (!unit) return String(value);
  const decimals = [2, 1, 0].find((places) => roundedTo(amount / unit.size, places) < 10 ** (3 - places)) ?? 0;
  return `${value < 0 ? '-' : ''}${roundedTo(amount / unit.size, decimals).toFixed(decimals)}${unit.suffix}`;
}

/** Rounds a non-negative value to some decimals, halves up. */
function roundedTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // 1.005 is slightly below itself in binary.
  return Math.round(value * factor + 1e-9) / factor;
}

/** Formats two decimals of a fixed unit, rounded: 0.85B, 12.40B. Compared rows share the unit. */
export function inUnit(value: number, suffix: (typeof UNITS)[number]['suffix']): string {
  const size = UNITS.find((unit) => unit.suffix === suffix)?.size ?? 1;
  const shown = roundedTo(Math.abs(value) / size, 2);
  return `${value < 0 && shown > 0 ? '-' : ''}${shown.toFixed(2)}${suffix}`;
}

/** Parses a figure in digits or short form: 12,400,000, 12.4M, 1.5 b. Null if it is not a figure. */
export function amountOf(text: string): number | null {
  const [, digits = '', suffix = ''] = /^([\d,'\s]*\d(?:\.\d+)?)\s*([tbmk]?)$/i.exec(text.trim()) ?? [];
  if (digits === '') return null;
  const size = UNITS.find((unit) => unit.suffix === suffix.toUpperCase())?.size ?? 1;
  return Math.round(Number(digits.replace(/[,'\s]/g, '')) * size);
}

// Formatted by hand, because creating the first `Intl` formatter takes a phone a tenth of a second.

/** Formats all digits in groups of three: 12,400,123. */
export const exact = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e21
    ? String(value).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',')
    : value.toLocaleString('en-US');

/** Formats a count with its noun: '1 item', '3 items'. The plural is regular unless given. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;

/** Formats a count of a part with the noun of the whole: '3 of 940 governors', or '940 governors' if it is all. */
export const countedOf = (count: number, all: number, { one, many }: { one: string; many: string }): string =>
  count === all ? counted(all, one, many) : `${exact(count)} of ${counted(all, one, many)}`;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a time (epoch milliseconds) as a UTC day and month: 21 Nov. */
export const monthDay = (moment: number): string => {
  const day = new Date(moment);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
};

/**
 * Formats a day ('2026-11-21') or a time as 21 Nov 2026.
 * @throws RangeError for anything else.
 */
export function date(day: string | number): string {
  const moment = new Date(day);
  return `${monthDay(moment.getTime())} ${moment.toISOString().slice(0, 4)}`;
}

/** Capitalises a word's first letter. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Shortens a text to `length` whole characters (an emoji is never cut in half), ending with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/**
 * Visible characters. Unicode counts Hangul fillers, joiners and the like as letters, and players make names of them.
 */
const DRAWN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\u2800]/u;

/** Returns a name, or `otherwise` if nothing of it is visible, so that there is something to press. */
export const nameOr = (name: string, otherwise: string): string => (DRAWN.test(name) ? name : otherwise);

const LONGEST_NAME = 60;

/**
 * Returns a name for titles, which are plain text: without control characters such as right-to-left marks, and not too
 * long. `otherwise` replaces an invisible name.
 */
export const titleName = (name: string, otherwise: string): string =>
  shortened(nameOr(name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim(), otherwise), LONGEST_NAME);

/** Formats a time in UTC, the games' own time: 21 Nov 2026, 03:32 UTC. */
export const dateTime = (epochMs: number): string => `${date(epochMs)}, ${hourOf(epochMs)} UTC`;

/** Formats the time of day in UTC: 03:32. */
export const hourOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(11, 16);
