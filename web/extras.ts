import ranges from '@fontsource-variable/inter/unicode.json';
import { store, stored } from './stored.ts';
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

/** Resolves when the reader goes on to another page in this document, which a download or a link out leaves as it is. */
function nextPage(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = new AbortController();
  const note = ({ destination: { sameDocument, url } }: NavigateEvent) => {
    if (!sameDocument || new URL(url).pathname === location.pathname) return;
    listening.abort();
    resolve();
  };
  window.navigation?.addEventListener('navigate', note, { signal: listening.signal });
  return promise;
}

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
  // Other pages may need more files than this one.
  const known = stored('font') ?? '';
  const needed = SCRIPTS.filter(
    (script) => known.includes(JSON.stringify(script)) || hasLetters(letters, script.unicodeRange),
  );
  // A page that began with the font has some of its files.
  const present = new Set([...document.fonts].map(({ unicodeRange }) => unicodeRange));
  const faces = SCRIPTS.map((script) => ({
    face: new FontFace('Inter Variable', `url(${script.url})`, {
      weight: '100 900',
      unicodeRange: script.unicodeRange,
      display: 'swap',
    }),
    isNeeded: needed.includes(script),
  })).filter(({ face }) => !present.has(face.unicodeRange));
  await Promise.all(faces.map(({ face, isNeeded }) => isNeeded && face.load()));
  store('font', JSON.stringify(needed));
  await nextPage();
  // The other files load if their letters occur.
  for (const { face } of faces) document.fonts.add(face);
  document.documentElement.dataset.font = '';
}

void navigator.serviceWorker?.register('/offline.js').catch(() => undefined);
showReasonsOnTap(document);
void loadFont().catch(() => undefined);
