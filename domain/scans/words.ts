import type { Cell } from './numerals.ts';
import { MAX_NAME } from './rows.ts';

/** Names and other words in the cells of scan files. */

/** A name as it is, invisible marks and all; only its length is limited and half characters are replaced. */
export function nameOf(cell: Cell): string {
  // A player called 'true' is one that a spreadsheet took for a yes: it shows TRUE.
  const name = cell === null ? '' : typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell);
  return cut(name).toWellFormed();
}

/** At most 200 code units, and never half of a character at the end. */
function cut(text: string): string {
  if (text.length <= MAX_NAME) return text;
  const end = text.charCodeAt(MAX_NAME - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? MAX_NAME - 1 : MAX_NAME);
}

/** What spreadsheets and programs write for no text. */
const NO_WORDS = new Set([
  ...['', '-', 'skipped', 'n/a', 'null', 'none', 'nan'],
  ...['#n/a', '#null!', '#ref!', '#value!', '#div/0!', '#name?', '#num!', '#spill!', '#calc!', '#error!'],
]);

export function wordsOf(cell: Cell): string | null {
  const words = nameOf(cell).trim();
  return NO_WORDS.has(words.toLowerCase()) ? null : words;
}

/** Tag and full name of `[TAG]Full name`; a text without brackets is a tag where it is as short as one. */
export function allianceOf(cell: Cell): { tag: string | null; name: string | null } {
  const words = wordsOf(cell);
  if (words === null) return { tag: null, name: null };
  const [, tag, name] = /^\s*\[([^\]]*)\](.*)$/su.exec(words) ?? [];
  if (tag !== undefined) return { tag: wordsOf(tag), name: wordsOf(name ?? null) };
  return [...words].length <= 4 ? { tag: words, name: null } : { tag: null, name: words };
}

/** `K1599`, `Kingdom 1599`, `#1599`: the number of a kingdom in a cell that has more than its digits. */
export function kingdomOf(text: string): number | null {
  const [, number] = /^(?:kingdom|server|kd|k|s)?[\s.:#_-]*([1-9]\d{0,4})$/i.exec(text.trim()) ?? [];
  return number === undefined ? null : Number(number);
}
