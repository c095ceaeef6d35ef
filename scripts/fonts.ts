import type { Plugin } from 'vite';

/** The font of nearly all letters on nearly all pages. Other files load only if their letters occur. */
const LATIN = 'inter-latin-wght-normal.woff2';
const STYLES = /@fontsource-variable\/inter\/wght\.css(\?others)?$/;
const OTHERS = '?others';

/**
 * Preloads the Latin font, because the style sheet that names it arrives later. At the end of the page, because the
 * first paint needs the style sheets and not the font.
 */
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
      return [{ tag: 'link', attrs, injectTo: 'body' }];
    },
  },
});

/**
 * Splits the font's styles: `wght.css` has the Latin letters, `wght.css?others` all others, which pages load once they
 * are drawn (web/main.tsx). Their files are used only if they are already loaded, and the reader's own fonts otherwise.
 * Their letters occur in few names, and a late font would make a phone lay out the whole page again.
 */
export const splitLatin = (): Plugin => ({
  name: 'font-split',
  enforce: 'pre',
  transform: {
    filter: { id: STYLES },
    handler: (css, id) =>
      css.replace(/@font-face \{[^}]*\}/g, (face) => {
        if (face.includes(LATIN) === id.endsWith(OTHERS)) return '';
        return face.includes(LATIN) ? face : face.replace('font-display: swap', 'font-display: optional');
      }),
  },
});
