import type { Column } from '../games/games.ts';

/** Headers of several moments side by side: `Kill Score Pass 4`, `Power_before`. */

/** A header that names a column of figures and something beside it. */
export interface Beside {
  column: Column;
  /** The words beside the column's name, as people read them. */
  words: string;
}

/** No column and moment have more words together. */
const MAX_WORDS = 12;
/** Words between a column's name and a moment. */
const LINK = /^(?:at|of|in|on|the|-)$/i;
/** Words of the moments of a war, and of days. */
const MOMENT =
  /^(?:start|begin|beginning|end|final|finish|before|after|pre|post|initial|current|now|today|yesterday|latest|first|last|kvk|lk|kingsland|ziggurat|ruins|(?:pass?|altars?|zone|gate|day|week|round|stage|phase|wave|p|z)\d{0,3}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})$/;
const DATE = /^\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?$|^20\d{6}$/;
/** Words of what is no reading: how much a figure changed, its rank or share, what it should be. */
const CHANGE =
  /%|±|δ|^(?:difference|diff|gain|gained|gains|lost|loss|losses|change|changed|changes|delta|growth|increase|decrease|rank|ranking|percent|ratio|share|avg|average|goal|target|required|needed|remaining)$/;

/**
 * Takes a header apart: the longest beginning or end of it that is a column of figures, and the words that are left.
 * Null if no part of it is such a column, or if nothing is left. `known` finds a column by its name.
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
  // `Kill Score Power KVK End` is of the moment that `Power KVK End` is of.
  const moment = words.length > 1 && known(words[0] ?? '') ? words.slice(1) : words;
  return { column, words: moment.join(' ') };
}

/** Whether words beside a column's name name a moment: those of wars and days do, other words beside three columns. */
export function isMoment(words: string, columns: number): boolean {
  const each = words.toLowerCase().split(' ');
  const bare = each.map((word) => word.replace(/[()[\]:,]/g, ''));
  if (bare.some((word) => CHANGE.test(word)) || /\+\/-/.test(words)) return false;
  return columns >= 3 || bare.some((word) => MOMENT.test(word) || DATE.test(word));
}
