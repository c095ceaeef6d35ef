import { locale } from './language/current.ts';
import { day, formats, grouped, leftToRight, sign } from './language/formats.ts';
import { countMessage, t } from './language/text.ts';

/** Formats figures, days and names for people, in the current language and the same on every machine. */

/** Suffixes that people type, with their sizes. */
export const UNITS = [
  { size: 1e12, suffix: 'T' },
  { size: 1e9, suffix: 'B' },
  { size: 1e6, suffix: 'M' },
  { size: 1e3, suffix: 'K' },
] as const;

/** Formats three significant digits with a unit, rounded: 12.4B, 853M, 1.20K, 940; in Japanese 124億. */
export function compact(value: number): string {
  const amount = Math.abs(value);
  const { units, decimal } = formats();
  const smallest = units.at(-1)?.[0];
  // A figure that rounds up to the next unit uses that unit: 999,500 is 1.00M.
  const unit = units.find(([size]) => amount >= size * (size === smallest ? 1 : 0.9995));
  if (!unit) return exact(value);
  const [size, suffix] = unit;
  const decimals = [2, 1, 0].find((places) => roundedTo(amount / size, places) < 10 ** (3 - places)) ?? 0;
  const digits = roundedTo(amount / size, decimals)
    .toFixed(decimals)
    .replace('.', decimal);
  return `${value < 0 ? sign('-') : ''}${digits}${suffix}`;
}

/** Rounds a non-negative value to some decimals, halves up. */
function roundedTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // 1.005 is slightly below itself in binary.
  return Math.round(value * factor + 1e-9) / factor;
}

/**
 * Formats two decimals of a fixed unit, rounded: 0.85B, 12.40B. Compared rows share the unit. A language without this
 * unit uses its next smaller one.
 */
export function inUnit(value: number, unit: (typeof UNITS)[number]['suffix']): string {
  const wanted = UNITS.find(({ suffix }) => suffix === unit)?.size ?? 1;
  const [size, suffix] = formats().units.find(([each]) => each <= wanted) ?? [1, ''];
  const shown = roundedTo(Math.abs(value) / size, 2);
  return `${value < 0 && shown > 0 ? sign('-') : ''}${grouped(shown.toFixed(2))}${suffix}`;
}

/** Formats all digits in groups of three: 12,400,123. At most three decimals. */
export const exact = (value: number): string =>
  grouped(Number.isInteger(value) && Math.abs(value) < 1e21 ? String(value) : plainOf(value));

/** Formats a percentage: 12.4%; in German 12,4 %, in Turkish %12,4. */
export const percentage = (value: number, decimals = 0): string =>
  leftToRight(formats().percent.replace('{n}', grouped(value.toFixed(decimals))));

/** Formats a rank or an id: #1,234. Ids are given as texts, which are not grouped. */
export const numbered = (of: number | string): string => leftToRight(`#${typeof of === 'number' ? exact(of) : of}`);

/** Returns a number in plain notation, rounded to three decimals. */
const plainOf = (value: number): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 3 })
    : String(value);

/** Formats a count with its noun: '1 item', '3 items'. The plural is regular unless given. */
export const counted = (count: number, one: string, many = `${one}s`): string => t(countMessage(one, many), { count });

/** Formats a count of a part with the noun of the whole: '3 of 940 governors', or '940 governors' if it is all. */
export const countedOf = (count: number, all: number, { one, many }: { one: string; many: string }): string =>
  count === all
    ? counted(all, one, many)
    : t('{count} of {all}', { count: exact(count), all: counted(all, one, many) });

/** Formats a time (epoch milliseconds) as a UTC day and month: 21 Nov. */
export const monthDay = (moment: number): string => day('monthDay', moment);

/** Formats a time as a UTC weekday, day and month: Sat, 21 Nov. */
export const weekday = (moment: number): string => day('weekdayMonthDay', moment);

/**
 * Formats a day ('2026-11-21') or a time as 21 Nov 2026.
 * @throws RangeError for anything else.
 */
export const date = (of: string | number): string => day('date', new Date(of).getTime());

/** Capitalises a word's first letter. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns a translated title as it is written inside a sentence: in lower case, but in German, whose nouns keep theirs. */
export const inSentence = (title: string): string => (locale() === 'de' ? title : title.toLocaleLowerCase(locale()));

/** Shortens a text to `length` whole characters (an emoji is never cut in half), ending with an ellipsis. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/**
 * Visible characters. Unicode counts Hangul fillers, joiners and the like as letters, and players make names of them.
 */
const DRAWN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\u2800]/u;

/** Returns a name, or `otherwise` if it is invisible, so that a link has a text. */
export const nameOr = (name: string, otherwise: string): string => (DRAWN.test(name) ? name : otherwise);

const LONGEST_NAME = 60;

/**
 * Returns a name for titles, which are plain text: without control characters such as right-to-left marks, and not too
 * long. `otherwise` replaces an invisible name.
 */
export const titleName = (name: string, otherwise: string): string =>
  shortened(nameOr(name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim(), otherwise), LONGEST_NAME);

/** Formats a time in UTC, the games' own time: 21 Nov 2026, 03:32 UTC. */
export const dateTime = (epochMs: number): string => withHour(date(epochMs), epochMs);

/** Formats a time of the coming days in UTC: Sat, 21 Nov, 03:32 UTC. */
export const weekdayTime = (epochMs: number): string => withHour(weekday(epochMs), epochMs);

/** Adds the time of day to a formatted day: 03:32 UTC. */
export const withHour = (day: string, epochMs: number, zone = 'UTC'): string =>
  `${day}${formats().beforeHour}${new Date(epochMs).toISOString().slice(11, 16)} ${zone}`;
