import { create } from 'fontkitten';

/**
 * Returns the code point ranges that a font (WOFF2) has glyphs for. The ranges in the packages tell browsers when to
 * load a file and include more; a character without a glyph would appear as a box.
 */
export function charactersOf(file: Buffer): [from: number, to: number][] {
  const font = create(file);
  if (font.isCollection) throw new Error('A card’s font is one font, and this file holds several.');
  const runs: [number, number][] = [];
  // Character tables end with one that no font draws.
  for (const code of font.characterSet.filter((each) => font.hasGlyphForCodePoint(each)).sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] >= code - 1) last[1] = code;
    else runs.push([code, code]);
  }
  return runs;
}
