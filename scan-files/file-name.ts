import { DAY_MS, HOUR_MS } from '../domain/days.ts';

/** What the texts of a scan file and its name tell: when it was taken and of which kingdom. */

/** Characters that are looked at; no system has longer names of files. */
const MAX_TEXT = 300;

const DAY = String.raw`(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])`;
// Of two days in a row the second is no time of the first.
const GAP = String.raw`[T _-]{1,8}(?!20\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d))`;
const CLOCK = String.raw`(?:([01]\d|2[0-3])[:h_-]?|(\d)[:h])([0-5]\d)(?:[:_-]?([0-5]\d)(?!:))?(?!\d)(?:\.\d{1,9})?`;
/** `PM`, and how far the clock is from UTC: `+08:00`, `+0200`, `UTC-3`; `-0300` behind a clock with colons, as no file's name has. */
const HALF = String.raw`(?:[ _-]?([ap])\.?m(?![a-z\d])\.?)?`;
const OFFSETS = String.raw`(?:UTC|GMT)([+-]\d\d?)(?::?([0-5]\d))?|([+-]\d\d):([0-5]\d)|((?:\+|(?<=:\d\d(?:\.\d{1,9})? ?)-)\d\d)([0-5]\d)`;
const ZONE = String.raw`(?: ?(?:${OFFSETS})(?!\d)|Z)?`;
/** The furthest that a clock is from UTC, in hours. */
const FURTHEST = 14;
/** Clocks whose distance from UTC their letters alone do not tell for sure. */
const ELSEWHERE = /^ ?(?:[ecmp][sd]t|ces?t|[bijk]st|msk|wib)(?![\p{L}\d])/iu;
const MOMENT = new RegExp(String.raw`(?<!\d)${DAY}(?!\d)(?:${GAP}${CLOCK}${HALF}${ZONE})?`, 'i');

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `28Jul26-12h00m` of large bots. */
const SHORT = new RegExp(
  String.raw`(?<![\p{L}\d])(\d\d)(${MONTHS.join('|')})(\d\d)-([01]\d|2[0-3])h([0-5]\d)m(?!\d)`,
  'iu',
);

/** `19.01.2025`, `01192025`: days behind or before their month, which tell themselves where they are above 12. */
const OTHER_ORDER = /(?<!\d)(\d\d?)([-_./]?)(\d\d?)\2(20\d\d)(?!\d)/;
/** Seconds, milliseconds or microseconds since 1970, as programs name files. */
const SINCE_1970 = /(?<!\d)(\d{10}|\d{13}|\d{16})(?!\d)/;

/** RokTracker: `TOP300-2026-06-15-1215-[x7Y].xlsx`, in which the number behind the day is the kingdom and no time. */
const ROKTRACKER = /^(top[\s_-]{0,3}\d{1,9}-20\d\d-\d\d-\d\d)-([1-9]\d{3})(?!\d)/i;

/**
 * The moment (epoch milliseconds) written in a text: `2025-12-17T2021Z`, `2025-12-17 20:21 UTC`, `20251217`,
 * `TOP300-2026-06-15-…`, `2026-01-05 08:21 PM +02:00`; UTC unless it says otherwise. A day alone is its midnight. Null
 * where there is none, and where the day cannot be told from the month.
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
  const [said, year, month, day, twoDigits, oneDigit, minute, second, half, ...zone] = found;
  const hour = hourOf(Number(twoDigits ?? oneDigit ?? 0), half);
  const at = utc(Number(year), Number(month), Number(day), hour, Number(minute ?? 0), Number(second ?? 0));
  const offset = offsetOf(zone);
  const elsewhere = minute !== undefined && ELSEWHERE.test(dated.slice(found.index + said.length));
  return at === null || offset === null || elsewhere ? null : at - offset;
}

/** A moment whose day cannot be a month, in whichever order they stand. Null where both numbers could be either. */
function dayInOtherOrder(text: string): number | null {
  const found = OTHER_ORDER.exec(text);
  if (!found) return null;
  const [said, first = '', mark, second = '', year] = found;
  // `1192025` may be 1/19 and 11/9.
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

/** Null for 31 February and its like, which would roll over into the next month. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second = 0): number | null {
  const at = Date.UTC(year, month - 1, day, hour, minute, second);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? at : null;
}

const hourOf = (hour: number, half: string | undefined): number =>
  half === undefined || hour > 12 ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);

/** How far ahead of UTC a clock is, in milliseconds, by the pairs of hours and minutes that may tell; null where none is so far. */
function offsetOf(zone: readonly (string | undefined)[]): number | null {
  const place = zone.findIndex((part, index) => index % 2 === 0 && part !== undefined);
  if (place < 0) return 0;
  const said = zone[place] as string;
  const hours = Math.abs(Number(said)) + Number(zone[place + 1] ?? 0) / 60;
  return hours > FURTHEST ? null : hours * HOUR_MS * (said.startsWith('-') ? -1 : 1);
}

/** Day 0 of workbooks: those of 1900 count a 29 February that was none. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** Numbers of days in this century, and of seconds and milliseconds since 1970 after the games came out. */
const isDays = (count: number) => count > 35_000 && count < 80_000;
const isSeconds = (count: number) => count > 1.5e9 && count < 4.2e9;
const isMilliseconds = (count: number) => count > 1.5e12 && count < 4.2e12;

/** The moment that a number says: days as workbooks count them (to the minute), or time since 1970. Null where it says none. */
export function momentOfNumber(count: number, from1904 = false): number | null {
  if (isSeconds(count)) return Math.floor(count * 1000);
  if (isMilliseconds(count)) return Math.floor(count);
  if (!isDays(count)) return null;
  return (from1904 ? DAY_0_OF_1904 : DAY_0) + Math.round(count * 1440) * (DAY_MS / 1440);
}

/** All moments written in a text, in its order. */
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

/** What people count in names of files besides kingdoms. */
const COUNTED =
  '(?:players?|governors?|lords?|members?|rows?|lines?|ranks?|accounts?|tests?|dkp|kp|power|kills?|deads?|min|max|goal|p|m|mb|kb|am|pm)';

/** Days in other orders than year, month, day; copies (`scan (12)`); and what people count besides kingdoms. */
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
 * The kingdom's number in a file's name without folders: `1599_2024-11-20.csv`, `kingdom_3584_2025….xlsx`, `K1599`.
 * Neither the number of ranks (`TOP300`) nor a date is one. Null where there is none, or more than one that could be.
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
  // Beside no other date it is as likely a year.
  const possible = numbersIn(rest, BARE).filter((number) => dated || number < 2018 || number > 2035);
  const usual = possible.filter((number) => number >= 1000);
  if (usual.length > 0) return onlyOf(usual);
  // A number that few kingdoms have stands alone, beside a day or words for a scan.
  return OTHER_WORDS.test(rest.replace(SCAN_WORDS, ' ')) ? null : onlyOf(possible);
}

const SCAN_WORDS = /(?<!\p{L})(?:rok|cod|scans?|snapshots?|exports?|data|results?|start|end)(?!\p{L})/giu;
const OTHER_WORDS = /\p{L}/u;

const NAMED = /(?:kingdom|server|kd|(?<![\p{L}\p{N}])k(?=[\s_#-]?\d{4}))[\s_#-]{0,3}([1-9]\d{0,4})(?!\d)/giu;
const BARE = /(?<![\p{L}\p{N}.])([1-9]\d{1,4})(?![\p{L}\p{N}.])/gu;

/** The different numbers that a pattern finds. */
const numbersIn = (text: string, pattern: RegExp): number[] => [
  ...new Set(Array.from(text.matchAll(pattern), ([, number]) => Number(number))),
];

const onlyOf = ([only, ...others]: readonly number[]): number | null =>
  only !== undefined && others.length === 0 ? only : null;
