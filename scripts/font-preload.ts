import type { Plugin } from 'vite';

/** The font of nearly all letters on nearly all pages; the others' files are fetched where their letters stand. */
const LATIN = /inter-latin-wght-normal\.woff2$/;

/** Lets the page's head ask for the Latin font at once: the style sheet that names it comes later. */
export const preloadLatinFont = (): Plugin => ({
  name: 'font-preload',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      const font = Object.values(bundle ?? {}).find(
        (file) => file.type === 'asset' && [...file.originalFileNames, ...file.names].some((name) => LATIN.test(name)),
      );
      if (!bundle) return [];
      if (!font) throw new Error('The Latin font is not in the bundle: has its package renamed it?');
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font.fileName}`, crossorigin: '' };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
});
