import type { Plugin } from 'vite';

/** The font of nearly all letters on nearly all pages. Other files load only if their letters occur. */
const LATIN = 'inter-latin-wght-normal.woff2';
const STYLES = /@fontsource-variable\/inter\/wght\.css(\?others)?$/;
const OTHERS = '?others';

/**
 * Splits the font's styles: `wght.css` has the Latin letters, `wght.css?others` all others, which pages load once they
 * are drawn (web/extras.ts). A page uses a file only if it is already loaded, and the reader's own fonts otherwise,
 * because a late font would make a phone lay out the whole page again.
 */
export const splitLatin = (): Plugin => ({
  name: 'font-split',
  enforce: 'pre',
  transform: {
    filter: { id: STYLES },
    handler: (css, id) =>
      css.replace(/@font-face \{[^}]*\}/g, (face) =>
        face.includes(LATIN) === id.endsWith(OTHERS)
          ? ''
          : face.replace('font-display: swap', 'font-display: optional'),
      ),
  },
});
