import type { Plugin } from 'vite';

/** The font of nearly all letters on nearly all pages; the others' files are fetched where their letters stand. */
const LATIN = 'inter-latin-wght-normal.woff2';
const STYLES = /@fontsource-variable\/inter\/wght\.css$/;

/** Lets the page's head ask for the Latin font at once: the style sheet that names it comes later. */
export const preloadLatinFont = (): Plugin => ({
  name: 'font-preload',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const font = Object.values(bundle ?? {}).find(
        (file) =>
          file.type === 'asset' && [...file.originalFileNames, ...file.names].some((name) => name.endsWith(LATIN)),
      );
      if (!bundle) return [];
      if (!font) throw new Error('The Latin font is not in the bundle: has its package renamed it?');
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font.fileName}`, crossorigin: '' };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});

/**
 * Other letters, which stand in a few names of a page, are drawn in the font only where it is at hand by then, and in the
 * reader's own otherwise: a font that comes after the names has a phone lay the whole page out anew.
 */
export const waitForLatinAlone = (): Plugin => ({
  name: 'font-display',
  enforce: 'pre',
  transform: {
    filter: { id: STYLES },
    handler: (css) =>
      css.replace(/@font-face \{[^}]*\}/g, (face) =>
        face.includes(LATIN) ? face : face.replace('font-display: swap', 'font-display: optional'),
      ),
  },
});
