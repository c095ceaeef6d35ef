import ranges from '@fontsource-variable/inter/unicode.json';
import { store } from './stored.ts';
import { showReasonsOnTap } from './ui/show-reasons.ts';

/** Loads what can wait until a page is drawn: the offline page (public/offline.js), notes on tap, and the font. */

/** On a page that took longer than this, in ms, the font waits for `LATE_MS`, because data of the page comes first. */
const SOON_MS = 1500;
const LATE_MS = 3000;

const FILES = import.meta.glob<string>('../node_modules/@fontsource-variable/inter/files/inter-*-wght-normal.woff2', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The font's files, each with the letters of some scripts. */
const SCRIPTS = Object.entries(ranges).map(([script, unicodeRange]) => ({
  url: FILES[`../node_modules/@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`],
  unicodeRange,
}));

/** Returns whether some of these letters are in a range such as `U+0400-045F,U+2116`. */
function hasLetters(letters: readonly number[], unicodeRange: string): boolean {
  return unicodeRange.split(',').some((range) => {
    const [first = 0, last = first] = range
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return letters.some((letter) => first <= letter && letter <= last);
  });
}

/** Resolves when the reader goes on to another page. */
const nextPage = () =>
  new Promise<void>((resolve) =>
    window.navigation?.addEventListener('navigate', ({ destination }) => {
      if (new URL(destination.url).pathname !== location.pathname) resolve();
    }),
  );

/**
 * Loads the files of the product's font whose letters the page has. The next page begins with them, in this document
 * or in another one (public/first-paint.js). A page keeps the font in which it begins, because another one would lay
 * it out again. A first page begins in the reader's own font of the same proportions (ui/tokens.css), because on a
 * phone 48 kB of font would delay the script.
 */
async function loadFont(): Promise<void> {
  if (performance.now() > SOON_MS) await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  // Without the footer, which names every language.
  const text = new Set(document.getElementById('main')?.textContent);
  const letters = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const faces = SCRIPTS.map(({ url, unicodeRange }) => ({
    face: new FontFace('Inter Variable', `url(${url})`, { weight: '100 900', unicodeRange, display: 'swap' }),
    isNeeded: hasLetters(letters, unicodeRange),
  }));
  await Promise.all(faces.map(({ face, isNeeded }) => isNeeded && face.load()));
  store('font', JSON.stringify(SCRIPTS.filter((_, at) => faces[at]?.isNeeded)));
  await nextPage();
  // The other files load if their letters occur.
  for (const { face } of faces) document.fonts.add(face);
  document.documentElement.dataset.font = '';
}

void navigator.serviceWorker?.register('/offline.js').catch(() => undefined);
showReasonsOnTap(document);
void loadFont().catch(() => undefined);
