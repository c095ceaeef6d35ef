import type { GameId } from './games/games.ts';

/** How names are compared when they are searched, and in which order what is found is met. */

/** Letters that players use for their looks and that Unicode does not fold into plain ones. */
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ';
const PLAIN = new Map([...SMALL_CAPITALS].map((letter, index) => [letter, String.fromCharCode(97 + index)]));
const FANCY = new RegExp(`[${SMALL_CAPITALS}]`, 'gu');

const MAX_KEY = 200;

/**
 * A name as it is searched: lower case, without accents, ornaments and spaces, fancy letters as plain ones, so that
 * 'hero' finds '꧁ 𝕳éʀO ꧂'. A name of nothing but ornaments stays as it is.
 */
export function searchKey(name: string): string {
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(FANCY, (letter) => PLAIN.get(letter) ?? letter)
    .normalize('NFC');
  const letters = folded.replace(/[^\p{L}\p{N}]+/gu, '');
  return (letters || folded.replace(/[\p{C}\s]+/gu, '')).slice(0, MAX_KEY).toWellFormed();
}

/** Stands before each pair, so that two characters make a trigram of their own. */
const MARK = '\u0001';

/**
 * Every two neighbours of a key outside ASCII, each after a mark: words of two characters are the rule in Chinese and
 * Korean, and the index knows only three.
 */
export function pairsOf(key: string): string {
  const characters = [...key];
  let pairs = '';
  for (let index = 1; index < characters.length; index++) {
    const pair = `${characters[index - 1]}${characters[index]}`;
    if (/^\P{ASCII}{2}$/u.test(pair)) pairs += `${MARK}${pair}`;
  }
  return pairs;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** An FTS5 query for keys that contain `key`, or null where it is too short for the index. */
export function containing(key: string): string | null {
  const length = [...key].length;
  if (length >= 3) return `key : ${quoted(key)}`;
  return length === 2 && pairsOf(key) ? `pairs : ${quoted(MARK + key)}` : null;
}

/** An FTS5 query for keys that share the beginning or the end with `key`: where one slip sits, the other part is whole. */
export function resembling(key: string): string | null {
  const characters = [...key];
  const half = Math.max(3, Math.ceil(characters.length / 2));
  if (slipsForgiven(characters.length) === 0) return null;
  const ends = [characters.slice(0, half), characters.slice(-half)].map((part) => quoted(part.join('')));
  return `key : (${ends.join(' OR ')})`;
}

/** How many slips (a letter wrong, missing, doubled or swapped) are forgiven in a text of that length. */
export const slipsForgiven = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

/** The least number of slips that turn `key` into some part of `text`. */
export function slips(key: string, text: string): number {
  const a = [...key];
  const b = [...text];
  let before: number[] = [];
  // A match may begin anywhere in the text, so nothing of the text costs nothing.
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
 * The id of a search entry: smaller for more power, so that the index, which answers by rising id, gives the mightiest
 * first and can stop after a few. The lower part keeps entries of the same power apart.
 */
export function entryId(game: GameId, kind: 'governor' | 'alliance', ref: string, power: number): number {
  const level = LEVELS - Math.round(Math.log2(power + 1) * LEVELS_PER_DOUBLING);
  return level * SCATTER + scatter(`${game}/${kind}/${ref}`);
}

/** FNV-1a over 64 bits' worth of two 32-bit halves, cut to 33 bits. */
function scatter(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let index = 0; index < text.length; index++) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
    high = Math.imul(high ^ (low >>> 7), 0x01000193);
  }
  return (low >>> 0) * 2 + (high & 1);
}
