import type { Column } from '../games/games.ts';

/** Interprets headers of several stages side by side: `Kill Score Pass 4`, `Power_before`. */

/** A header that consists of a numeric column's name and further words. */
export interface Beside {
  column: Column;
  /** The words next to the column's name, as written. */
  words: string;
}

/** Longer headers are not split. */
const MAX_WORDS = 12;
/** Filler words between a column's name and a stage. */
const LINK = /^(?:at|of|in|on|the|-)$/i;
/** Words for the stages of a war, and for days. */
const MOMENT =
  /^(?:start|begin|beginning|end|final|finish|before|after|pre|post|initial|current|now|today|yesterday|latest|first|last|kvk|lk|kingsland|ziggurat|ruins|(?:pass?|altars?|zone|gate|day|week|round|stage|phase|wave|p|z)\d{0,3}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})$/;
const DATE = /^\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?$|^20\d{6}$/;
/** Words for derived figures rather than readings: changes, ranks, shares, targets. */
const CHANGE =
  /%|±|\u03b4|^(?:difference|diff|gain|gained|gains|lost|loss|losses|change|changed|changes|delta|growth|increase|decrease|rank|ranking|percent|ratio|share|avg|average|goal|target|required|needed|remaining)$/;

/**
 * Splits a header into the longest prefix or suffix that names a numeric column, and the remaining words. Null if no
 * part names one, or nothing remains. `known` finds a column by name.
 */
export function besideOf(header: string, known: (name: string) => Column | undefined): Beside | null {
  const words = header.split(/[\s_]+/, MAX_WORDS + 3).filter((word) => word !== '');
  if (words.length > MAX_WORDS) return null;
  const figures = (some: readonly string[]): Column | undefined => {
    const column = known(some.join(''));
    return column?.type === 'text' ? undefined : column;
  };
  for (let length = words.length - 1; length > 0; length--) {
    const front = figures(words.slice(0, length));
    if (front) return told(front, words.slice(length), known);
    const back = figures(words.slice(-length));
    if (back) return told(back, words.slice(0, -length), known);
  }
  return null;
}

function told(column: Column, left: readonly string[], known: (name: string) => Column | undefined): Beside {
  const words = left.filter((word) => !LINK.test(word));
  // `Kill Score Power KVK End` belongs to the same stage as `Power KVK End`.
  const moment = words.length > 1 && known(words[0] ?? '') ? words.slice(1) : words;
  return { column, words: moment.join(' ') };
}

/**
 * Returns whether the words next to a column's name are a stage: they name one of a war or a day, or occur with three
 * columns.
 */
export function isMoment(words: string, columns: number): boolean {
  const each = words.toLowerCase().split(' ');
  const bare = each.map((word) => word.replace(/[()[\]:,]/g, ''));
  if (bare.some((word) => CHANGE.test(word)) || /\+\/-/.test(words)) return false;
  return columns >= 3 || bare.some((word) => MOMENT.test(word) || DATE.test(word));
}
