import { DAY_MS, dayOf, dayStart, HOUR_MS } from '../domain/days.ts';

/** Finds the time and kingdom of a scan in a file's texts and name. */

/** Characters that are searched; no system allows longer file names. */
const MAX_TEXT = 300;

const DAY = String.raw`(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])`;
/** `PM`, also behind the narrow space that browsers write. */
const HALF = String.raw`[\s_-]?([ap])\.?m(?![a-z\d])\.?`;
// After a comma, a time needs a colon, an `h` or AM/PM, because four digits alone are usually a kingdom. If two dates
// follow each other, the second is not the first one's time.
const GAP = String.raw`(?:, {0,3}(?=\d\d?(?:[:h]|[\s_-]?[ap]\.?m))|[T _-]{1,8})(?!20\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d))`;
const MINUTES = String.raw`(?:([01]\d|2[0-3])[:h_-]?|(\d)[:h])([0-5]\d)(?:[:_-]?([0-5]\d)(?!:))?(?!\d)(?:\.\d{1,9})?`;
const CLOCK = `(?:${MINUTES}(?:${HALF})?|(1[0-2]|0?[1-9])${HALF})`;
/**
 * The offset from UTC: `+08:00`, `+0200`, `UTC-3`, also in brackets. `-0300` counts only after a time with colons, which
 * file names cannot contain.
 */
const OFFSETS = String.raw`(?:UTC|GMT)([+-]\d\d?)(?::?([0-5]\d))?|([+-]\d\d):([0-5]\d)|((?:\+|(?<=:\d\d(?:\.\d{1,9})? ?\(?)-)\d\d)([0-5]\d)`;
const ZONE = String.raw`(?: ?\(?(?:${OFFSETS})(?!\d)|Z)?`;
/** Maximum offset from UTC, in hours. */
const FURTHEST = 14;
/** Time zones whose abbreviations are ambiguous. */
const ELSEWHERE = /^ ?\(?(?:[ecmp][sd]t|ces?t|[bijk]st|msk|wib)(?![\p{L}\d])/iu;
const MOMENT = new RegExp(String.raw`(?<!\d)${DAY}(?!\d)(?:${GAP}${CLOCK}${ZONE})?`, 'i');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `28Jul26-12h00m`, as large bots write it. */
const SHORT = new RegExp(
  String.raw`(?<![\p{L}\d])(\d\d)(${MONTHS.join('|')})(\d\d)-([01]\d|2[0-3])h([0-5]\d)m(?!\d)`,
  'iu',
);

/** `19.01.2025`, `01192025`: day and month in either order. Numbers above 12 must be days. */
const OTHER_ORDER = /(?<!\d)(\d\d?)([-_./]?)(\d\d?)\2(20\d\d)(?!\d)/;
/** Seconds, milliseconds or microseconds since 1970, as programs name files; not the decimals of a number. */
const SINCE_1970 = /(?<!\d\.?)(\d{10}|\d{13}|\d{16})(?!\d)/;

/**
 * RokTracker names like `TOP300-2026-06-15-1215-[x7Y].xlsx`, in which the number after the day is the kingdom, not a
 * time.
 */
const ROKTRACKER = /^(top[\s_-]{0,3}\d{1,9}-20\d\d-\d\d-\d\d)-([1-9]\d{3})(?!\d)/i;

/**
 * Parses the time in a text, in epoch milliseconds: `2025-12-17T2021Z`, `2025-12-17 20:21 UTC`, `20251217`,
 * `TOP300-2026-06-15-…`, `2026-01-05 08:21 PM +02:00`. In UTC unless stated otherwise. A day alone means midnight. Null
 * if there is none, or if day and month cannot be told apart.
 */
export function momentIn(written: string): number | null {
  const text = written.slice(0, MAX_TEXT);
  const short = SHORT.exec(text);
  if (short) {
    const [day, year, hour, minute] = [short[1], short[3], short[4], short[5]].map(Number) as [
      number,
      number,
      number,
      number,
    ];
    return utc(2000 + year, MONTHS.indexOf((short[2] as string).toLowerCase()) + 1, day, hour, minute);
  }
  const dated = ROKTRACKER.exec(text)?.[1] ?? text;
  const found = MOMENT.exec(dated);
  if (!found) return dayInOtherOrder(dated) ?? since1970(dated);
  const [said, year, month, day, twoDigits, oneDigit, minute, second, half, whole, wholeHalf, ...zone] = found;
  const clock = twoDigits ?? oneDigit ?? whole;
  const hour = hourOf(Number(clock ?? 0), half ?? wholeHalf);
  const at = utc(Number(year), Number(month), Number(day), hour, Number(minute ?? 0), Number(second ?? 0));
  const offset = offsetOf(zone);
  const elsewhere = clock !== undefined && ELSEWHERE.test(dated.slice(found.index + said.length));
  return at === null || offset === null || elsewhere ? null : at - offset;
}

/** Parses a date in which the day is above 12, in either order. Null if both numbers could be the month. */
function dayInOtherOrder(text: string): number | null {
  const found = OTHER_ORDER.exec(text);
  if (!found) return null;
  const [said, first = '', mark, second = '', year] = found;
  // `1192025` may be 1/19 or 11/9.
  if (mark === '' && first.length + second.length < 4) return null;
  const [one, other] = [Number(first), Number(second)];
  if (one > 12 === other > 12 && one !== other) return null;
  const [day, month] = one > 12 ? [one, other] : [other, one];
  const ordered = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return momentIn(ordered + text.slice(found.index + said.length));
}

function since1970(text: string): number | null {
  const digits = SINCE_1970.exec(text)?.[1];
  if (digits === undefined) return null;
  const count = Number(digits);
  return momentOfNumber(digits.length === 16 ? Math.floor(count / 1000) : count);
}

/** Returns null for dates like 31 February, which would roll over into the next month. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second = 0): number | null {
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? at : null;
}

const hourOf = (hour: number, half: string | undefined): number =>
  half === undefined || hour > 12 ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);

/** Returns an offset from UTC in ms, from pairs of hours and minutes; null if it is too large. */
function offsetOf(zone: readonly (string | undefined)[]): number | null {
  const place = zone.findIndex((part, index) => index % 2 === 0 && part !== undefined);
  if (place < 0) return 0;
  const said = zone[place] as string;
  const hours = Math.abs(Number(said)) + Number(zone[place + 1] ?? 0) / 60;
  return hours > FURTHEST ? null : hours * HOUR_MS * (said.startsWith('-') ? -1 : 1);
}

/** Returns the time of a sheet: if its name is only a day, the time of that day in the file's name. */
export function momentOfSheet(sheet: string, file: string): number | null {
  const own = momentIn(sheet);
  const of = momentIn(file);
  return own !== null && of !== null && own === dayStart(dayOf(of)) ? of : own;
}

/** Day 0 of workbooks. Those of 1900 count a 29 February that did not exist. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/**
 * Ranges of plausible numbers: days in this century, and seconds and milliseconds since 1970 after the games' release.
 */
const isDays = (count: number) => count > 35_000 && count < 80_000;
const isSeconds = (count: number) => count > 1.5e9 && count < 4.2e9;
const isMilliseconds = (count: number) => count > 1.5e12 && count < 4.2e12;

/** Interprets a number as a time: days as in workbooks (to the minute), or time since 1970. Null if it is neither. */
export function momentOfNumber(count: number, from1904 = false): number | null {
  if (isSeconds(count)) return Math.floor(count * 1000);
  if (isMilliseconds(count)) return Math.floor(count);
  if (!isDays(count)) return null;
  return (from1904 ? DAY_0_OF_1904 : DAY_0) + Math.round(count * 1440) * (DAY_MS / 1440);
}

/** Returns all times in a text, in order. */
export function momentsIn(text: string): number[] {
  const moments: number[] = [];
  for (let rest = text.slice(0, MAX_TEXT); ; ) {
    const found = MOMENT.exec(rest);
    if (!found) return moments;
    const moment = momentIn(found[0]);
    if (moment !== null) moments.push(moment);
    rest = rest.slice(found.index + found[0].length);
  }
}

/** Words for things other than kingdoms that people number in file names. */
const COUNTED =
  '(?:players?|governors?|lords?|members?|rows?|lines?|ranks?|accounts?|tests?|dkp|kp|power|kills?|deads?|min|max|goal|p|m|mb|kb|am|pm)';

/**
 * Numbers that are not kingdoms: dates in other orders than year, month, day; copies (`scan (12)`); and counts of other
 * things.
 */
const NO_KINGDOM = [
  /(?<!\d)\d{1,2}([-_. ])\d{1,2}\1(?:20)?\d\d(?!\d)/g,
  /(?<!\d)20\d\d([-_. ])\d{1,2}\1\d{1,2}(?!\d)/g,
  new RegExp(
    String.raw`(?:(?<!\d)\d{1,2}(?:st|nd|rd|th)?[-_. ]{0,3})?(?:${MONTHS.join('|')})[a-z]{0,6}[-_., ]{1,3}\d{1,2}?[-_., ]{0,3}(?:20)?\d\d(?!\d)`,
    'gi',
  ),
  /\(\d{1,9}\)/g,
  /kvk_u\d{1,9}_\d{1,9}/gi,
  // `DKP 40`, `players 1000`, `p7`, `400 rows`.
  new RegExp(String.raw`(?<!\p{L})${COUNTED}[\s_-]{0,3}\d+`, 'giu'),
  new RegExp(String.raw`(?<![\p{L}\d])\d{1,9}[\s_-]{0,3}${COUNTED}(?!\p{L})`, 'giu'),
  /(?<!\p{L})(?:top|day|week|pass|zone|part|season|kvk|lk|round|stage|rank|page|fight|v)[\s_-]{0,3}\d+/giu,
];

/**
 * Returns the kingdom's number in a file name without folders: `1599_2024-11-20.csv`, `kingdom_3584_2025….xlsx`,
 * `K1599`. Ranks (`TOP300`) and dates do not count. Null if there is none, or several candidates.
 */
export function kingdomIn(written: string): number | null {
  const name = written.slice(0, MAX_TEXT);
  const tracked = ROKTRACKER.exec(name)?.[2];
  if (tracked) return Number(tracked);
  const dated = MOMENT.test(name);
  const bare = name.replace(/\.\w+$/, '').replace(MOMENT, ' ');
  const named = numbersIn(bare, NAMED);
  if (named.length > 0) return onlyOf(named);
  const rest = NO_KINGDOM.reduce((text, other) => text.replace(other, ' '), bare);
  // Without another date, such a number is as likely a year.
  const possible = numbersIn(rest, BARE).filter((number) => dated || number < 2018 || number > 2035);
  const usual = possible.filter((number) => number >= 1000);
  if (usual.length > 0) return onlyOf(usual);
  // A number below 1000 counts only alone, or next to a date or words for a scan.
  return OTHER_WORDS.test(rest.replace(SCAN_WORDS, ' ')) ? null : onlyOf(possible);
}

const SCAN_WORDS = /(?<!\p{L})(?:rok|cod|scans?|snapshots?|exports?|data|results?|start|end)(?!\p{L})/giu;
const OTHER_WORDS = /\p{L}/u;

const NAMED = /(?:kingdom|server|kd|(?<![\p{L}\p{N}])k(?=[\s_#-]?\d{4}))[\s_#-]{0,3}([1-9]\d{0,4})(?!\d)/giu;
const BARE = /(?<![\p{L}\p{N}.])([1-9]\d{1,4})(?![\p{L}\p{N}.])/gu;

/** Returns the distinct numbers that a pattern finds. */
const numbersIn = (text: string, pattern: RegExp): number[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, number]) => Number(number))),
];

const onlyOf = ([only, ...others]: readonly number[]): number | null =>
  only !== undefined && others.length === 0 ? only : null;
