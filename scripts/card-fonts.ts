import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { create } from 'fontkitten';
import type { Plugin } from 'vite';

/**
 * Font families for cards, in order of preference. Weight 600 exists for Latin letters only, for figures and titles.
 */
const FAMILIES: readonly { family: string; weights: readonly number[]; subsets: RegExp }[] = [
  { family: 'inter', weights: [400, 600], subsets: /^latin$/ },
  { family: 'inter', weights: [400], subsets: /^(latin-ext|vietnamese|cyrillic|cyrillic-ext|greek|greek-ext)$/ },
  { family: 'noto-sans-hebrew', weights: [400], subsets: /^hebrew$/ },
  { family: 'noto-sans-thai', weights: [400], subsets: /^thai$/ },
  { family: 'noto-sans-devanagari', weights: [400], subsets: /^devanagari$/ },
  // Ornaments that players put around their names.
  { family: 'noto-sans-javanese', weights: [400], subsets: /^javanese$/ },
  { family: 'noto-sans-symbols-2', weights: [400], subsets: /^symbols$/ },
  // These have about a hundred numbered slices each; a name needs two or three.
  { family: 'noto-sans-sc', weights: [400], subsets: /^\[\d+\]$/ },
  { family: 'noto-sans-kr', weights: [400], subsets: /^\[\d+\]$/ },
];

/**
 * Arabic and Latin letters in one file. The renderer draws a text with Arabic letters in one font (worker/files/card.ts),
 * and the families above have a file per script.
 */
const ARABIC = {
  file: 'noto-sans-arabic-400-normal.ttf',
  of: '@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
};

/** An entry of the index: the file, then the first and last code point of each range. */
type Listed = [file: string, ...ranges: [from: number, to: number][]];

const require = createRequire(import.meta.url);

/**
 * Adds the fonts for cards to the assets (`/card-fonts/`), with an index of the characters in each file. This covers
 * all scripts without bundling fonts into the Worker.
 */
export const writeCardFonts = (): Plugin => ({
  name: 'card-fonts',
  apply: 'build',
  generateBundle() {
    const index: Listed[] = [];
    const add = (file: string, path: string) => {
      const source = readFileSync(path);
      this.emitFile({ type: 'asset', fileName: `card-fonts/${file}`, source });
      index.push([file, ...charactersOf(source)]);
    };
    for (const { family, weights, subsets } of FAMILIES) {
      const folder = join(require.resolve(`@fontsource/${family}/unicode.json`), '..');
      const known = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
      for (const subset of Object.keys(known).filter((name) => subsets.test(name)))
        for (const weight of weights) {
          const file = `${family}-${subset.replace(/[[\]]/g, '')}-${weight}-normal.woff2`;
          add(file, join(folder, 'files', file));
        }
    }
    add(ARABIC.file, require.resolve(ARABIC.of));
    this.emitFile({ type: 'asset', fileName: 'card-fonts/index.json', source: JSON.stringify(index) });
  },
});

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
