import type { GameId } from './games/games.ts';

/** How names are normalised and matched in searches, and how hits are ordered. */

/** Decorative letters that players use and Unicode does not fold into plain ones. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ';
const PLAIN = new Map([...SMALL_CAPITALS].map((letter, index) => [letter, String.fromCharCode(97 + index)]));
const FANCY = new RegExp(`[${SMALL_CAPITALS}]`, 'gu');

const MAX_KEY = 200;
/** Most names are plain; folding one takes a tenth of the time. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Normalises a name for searching: lower case, without accents, ornaments and spaces, decorative letters as plain ones,
 * so that 'hero' finds '꧁ 𝕳éʀO ꧂'. A name of ornaments only stays as it is.
 */
export function searchKey(name: string): string {
  if (ASCII.test(name)) {
    const plain = name.toLowerCase();
    return (plain.replace(/[^a-z0-9]+/g, '') || plain.replaceAll(' ', '')).slice(0, MAX_KEY);
  }
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(FANCY, (letter) => PLAIN.get(letter) ?? letter)
    .normalize('NFC');
  const letters = folded.replace(/[^\p{L}\p{N}]+/gu, '');
  return (letters || folded.replace(/[\p{C}\s]+/gu, '')).slice(0, MAX_KEY).toWellFormed();
}

/** Precedes each pair, so that two characters form a trigram of their own. */
const MARK = '\u0001';

/**
 * Returns every pair of neighbouring non-ASCII characters, each after a mark. Two-character words are common in Chinese
 * and Korean, and the index knows only trigrams.
 */
export function letterPairs(key: string): string {
  const characters = [...key];
  let pairs = '';
  for (let index = 1; index < characters.length; index++) {
    const pair = `${characters[index - 1]}${characters[index]}`;
    if (/^\P{ASCII}{2}$/u.test(pair)) pairs += `${MARK}${pair}`;
  }
  return pairs;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns an FTS5 query for keys that contain `key`, or null if it is too short for the index. */
export function containing(key: string): string | null {
  const length = [...key].length;
  if (length >= 3) return `key : ${quoted(key)}`;
  return length === 2 && letterPairs(key) ? `pairs : ${quoted(MARK + key)}` : null;
}

/**
 * Returns an FTS5 query for keys that share the first or last half of `key`, because a single typo leaves one half
 * intact. Null if the key is too short for typos.
 */
export function resembling(key: string): string | null {
  const characters = [...key];
  const half = Math.max(3, Math.ceil(characters.length / 2));
  if (slipsForgiven(characters.length) === 0) return null;
  const ends = [characters.slice(0, half), characters.slice(-half)].map((part) => quoted(part.join('')));
  return `key : (${ends.join(' OR ')})`;
}

/** Returns how many typos (a letter wrong, missing, doubled or swapped) are tolerated in a text of some length. */
export const slipsForgiven = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

/** Returns the least number of typos that turn `key` into some part of `text`. */
export function slips(key: string, text: string): number {
  const a = [...key];
  const b = [...text];
  let before: number[] = [];
  // A match may start anywhere, so skipping the start of the text is free.
  let row: number[] = new Array<number>(b.length + 1).fill(0);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j - 1] as number) + same, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return Math.min(...row);
}

const LEVELS = 450_000;
const LEVELS_PER_DOUBLING = 8192;
const SCATTER = 2 ** 33;

/**
 * Returns the id of a search entry, which is smaller for more power. The index answers by ascending id, so it returns
 * the most powerful first and can stop early. The lower part separates entries with equal power.
 */
export function entryId(game: GameId, kind: 'governor' | 'alliance', ref: string, power: number): number {
  const level = LEVELS - Math.round(Math.log2(power + 1) * LEVELS_PER_DOUBLING);
  return level * SCATTER + scatter(`${game}/${kind}/${ref}`);
}

/** FNV-1a in two 32-bit halves, cut to 33 bits. */
function scatter(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
    high = Math.imul(high ^ (low >>> 7), 0x01000193);
  }
  return (low >>> 0) * 2 + (high & 1);
}
