import { cut } from '../cut.ts';
import { detached } from '../release.ts';
import type { Cell } from './numerals.ts';
import { MAX_NAME } from './rows.ts';

/** Names and other words in cells of scan files. */

/** Returns a name unchanged, including invisible marks. Only its length is limited and lone surrogates are replaced. */
export function nameOf(cell: Cell): string {
  // A boolean cell is a player's name that the spreadsheet converted; it shows it as TRUE.
  const name = cell === null ? '' : typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell);
  return (name.length <= MAX_NAME ? name : detached(cut(name, MAX_NAME))).toWellFormed();
}

/** What spreadsheets and programs write for an empty text. */
const NO_WORDS = new Set([
  ...['', '-', 'skipped', 'n/a', 'null', 'none', 'nan'],
  ...['#n/a', '#null!', '#ref!', '#value!', '#div/0!', '#name?', '#num!', '#spill!', '#calc!', '#error!'],
]);

export function wordsOf(cell: Cell): string | null {
  const words = nameOf(cell).trim();
  return NO_WORDS.has(words.toLowerCase()) ? null : words;
}

/** Splits `[TAG]Full name` into tag and name. A text without brackets is a tag if it is short enough. */
export function allianceOf(cell: Cell): { tag: string | null; name: string | null } {
  const words = wordsOf(cell);
  if (words === null) return { tag: null, name: null };
  const [, tag, name] = /^\s*\[([^\]]*)\](.*)$/su.exec(words) ?? [];
  if (tag !== undefined) return { tag: wordsOf(tag), name: wordsOf(name ?? null) };
  return [...words].length <= 4 ? { tag: words, name: null } : { tag: null, name: words };
}

/** Parses a kingdom's number from `K1599`, `Kingdom 1599` or `#1599`. */
export function kingdomOf(text: string): number | null {
  const [, number] = /^(?:kingdom|server|kd|k|s)?[\s.:#_-]*([1-9]\d{0,4})$/i.exec(text.trim()) ?? [];
  return number === undefined ? null : Number(number);
}
