import type { Plugin } from 'vite';
import type { Locale } from '../../domain/language/locales.ts';
import { type Catalogue, keyOf } from '../../domain/language/text.ts';
import { fileOf, readCatalogue, TRANSLATED } from './catalogues.ts';
import { extractMessages } from './extract.ts';
import { type CataloguePart, partsByFile } from './reach.ts';

/** A catalogue's module: `./locales/ko.po?part=first`. */
const MODULE = /\/web\/locales\/([\w-]+)\.po\?part=([\w-]+)$/;

/** Returns the parts of a language's catalogue, by the keys that pages look up. */
export function catalogueParts(locale: Locale): Record<CataloguePart, Catalogue> {
  const parts: Record<CataloguePart, Record<string, string>> = { first: {}, open: {}, 'signed-in': {}, worker: {} };
  const known = readCatalogue(locale);
  const partsOf = partsByFile();
  for (const [message, { files }] of extractMessages()) {
    const text = known.get(message)?.text;
    if (text && text !== message) for (const part of partsOf(files)) parts[part][keyOf(message)] = text;
  }
  return parts;
}

/**
 * Makes a script of each catalogue's part, and writes `locales/<locale>.json` for the Worker: all that it needs to
 * render public pages, mails and refusals, and the scripts that a page's head preloads.
 */
export function buildCatalogues(): Plugin {
  const made = new Map<Locale, Record<CataloguePart, Catalogue>>();
  const partsOf = (locale: Locale) => {
    const parts = made.get(locale) ?? catalogueParts(locale);
    made.set(locale, parts);
    return parts;
  };
  return {
    name: 'catalogues',
    load(id) {
      const [, locale, part] = MODULE.exec(id) ?? [];
      if (!locale || !part) return null;
      this.addWatchFile(fileOf(locale as Locale));
      const catalogue = partsOf(locale as Locale)[part as CataloguePart];
      // Engines parse JSON faster than a literal of the same size.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(catalogue))});`;
    },
    generateBundle(_, bundle) {
      for (const locale of TRANSLATED) {
        const { first, open, worker } = partsOf(locale);
        const scriptOf = (part: string) => {
          const script = Object.values(bundle).find(
            (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/locales/${locale}.po?part=${part}`),
          );
          return script ? `/${script.fileName}` : null;
        };
        const scripts = { first: scriptOf('first'), open: scriptOf('open') };
        const source = JSON.stringify({ scripts, messages: { ...first, ...open, ...worker } });
        this.emitFile({ type: 'asset', fileName: `locales/${locale}.json`, source });
      }
    },
  };
}

/** Leaves the catalogues out of the Worker's pages, which get theirs with each request. */
export const withoutCatalogues = (): Plugin => ({
  name: 'without-catalogues',
  load: (id) => (MODULE.test(id) ? 'export default {};' : null),
});
