import { create } from 'fontkitten';

/**
 * First and last code point of each run of characters that a font (WOFF2) really can draw. What the packages list by
 * ranges is what a browser should ask the file for, and that is more: a character without a shape would be drawn as a
 * box.
 */
export function charactersOf(file: Buffer): [from: number, to: number][] {
  const font = create(file);
  if (font.isCollection) throw new Error('A card’s font is one font, and this file holds several.');
  const runs: [number, number][] = [];
  // Tables of characters end with one that no font draws.
  for (const code of font.characterSet.filter((each) => font.hasGlyphForCodePoint(each)).sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] >= code - 1) last[1] = code;
    else runs.push([code, code]);
  }
  return runs;
}
