import { locale } from './current.ts';
import { LANGUAGES, type Locale } from './locales.ts';

/** How each language writes figures and days. All but English come with its catalogue (format-table.ts). */

export interface Format {
  decimal: '.' | ',';
  group: string;
  /** Fewest digits that are grouped. */
  grouped: 4 | 5;
  /** A pattern with `n` in braces. */
  percent: string;
  /** Units of short figures, largest first, with the space in front of their suffix. */
  units: readonly (readonly [size: number, suffix: string])[];
  /** Short month names, January first. */
  months: readonly string[];
  /** Short weekday names, Sunday first. */
  weekdays: readonly string[];
  /** Patterns with `d`, `m` (the month's name or number), `y` and `w` in braces. */
  date: string;
  monthDay: string;
  weekdayMonthDay: string;
  /** Between a day and an hour. */
  beforeHour: string;
}

const ENGLISH: Format = {
  decimal: '.',
  group: ',',
  grouped: 4,
  percent: '{n}%',
  units: [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ],
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'],
  weekdays: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  date: '{d} {m} {y}',
  monthDay: '{d} {m}',
  weekdayMonthDay: '{w}, {d} {m}',
  beforeHour: ', ',
};

const others = new Map<Locale, Format>();

export const addFormat = (of: Locale, format: Format): void => void others.set(of, format);

/** Returns the formats of a language, by default the current one. */
export const formats = (of: Locale = locale()): Format => others.get(of) ?? ENGLISH;

export const isRightToLeft = (): boolean => LANGUAGES[locale()].dir === 'rtl';

/** Keeps signs in front of their figure, also where text runs from right to left. */
export const leftToRight = (figure: string): string => (isRightToLeft() ? `\u200e${figure}` : figure);

/** Returns an arrow from what was to what is. */
export const arrow = (): '→' | '←' => (isRightToLeft() ? '←' : '→');

/** Returns a sign that stays in front of its figure. */
export const sign = (mark: '+' | '-' | '−' | '±'): string => leftToRight(mark);

/**
 * Unicode's marks around a part whose direction follows its first letter, or runs from right to left
 * (https://www.unicode.org/reports/tr9/).
 */
const FIRST_STRONG_ISOLATE = '\u2068';
export const RIGHT_TO_LEFT_ISOLATE = '\u2067';
export const POP_ISOLATE = '\u2069';

/** A letter of a script that runs from left to right. */
const OTHER_LETTER = /[^\p{Script=Arabic}\P{L}]/u;

/** Isolates foreign words in a language that runs from right to left, so that numbers beside them keep their place. */
export const isolated = (text: string): string =>
  isRightToLeft() && OTHER_LETTER.test(text) ? FIRST_STRONG_ISOLATE + text + POP_ISOLATE : text;

/** Gives a text the direction of the language inside a drawing that runs from left to right. */
export const inLanguageDirection = (text: string): string =>
  isRightToLeft() ? RIGHT_TO_LEFT_ISOLATE + text + POP_ISOLATE : text;

/** Returns the sign of a change, to be followed by its absolute value. */
export const signOf = (value: number): string => sign(value > 0 ? '+' : value < 0 ? '−' : '±');

/** Returns a plus sign for a positive value, to be followed by the value, and nothing for others. */
export const plus = (value: number): string => (value > 0 ? sign('+') : '');

/** Infinity has none. */
const DIGITS = /^\d+$/;

/** Groups the digits of a number in plain decimal notation. */
export function grouped(plain: string): string {
  const { decimal, group, grouped } = formats();
  const isNegative = plain.startsWith('-');
  const [whole = '', part] = plain.slice(isNegative ? 1 : 0).split('.');
  // In a loop, which takes a fifth of the time of a regular expression that inserts the separators.
  const isGrouped = whole.length >= grouped && DIGITS.test(whole);
  let from = isGrouped ? whole.length % 3 || 3 : whole.length;
  let shown = isNegative ? sign('-') + whole.slice(0, from) : whole.slice(0, from);
  for (; from < whole.length; from += 3) shown += group + whole.slice(from, from + 3);
  return part === undefined ? shown : `${shown}${decimal}${part}`;
}

/** Writes whole cents as dollars: 1,234.50. */
export const centsText = (cents: number): string => grouped((Math.round(cents) / 100).toFixed(2));

/** Fills the pattern of a day. */
export function day(pattern: 'date' | 'monthDay' | 'weekdayMonthDay', epochMs: number): string {
  const format = formats();
  const at = new Date(epochMs);
  const parts: Readonly<Record<string, string | number | undefined>> = {
    d: at.getUTCDate(),
    m: format.months[at.getUTCMonth()],
    y: at.toISOString().slice(0, 4),
    w: format.weekdays[at.getUTCDay()],
  };
  return format[pattern].replace(/\{([dmyw])\}/g, (_, name: string) => String(parts[name]));
}
