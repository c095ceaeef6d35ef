import type { Plugin } from 'vite';
import type { Locale } from '../../domain/language/locales.ts';
import { type Catalogue, keyOf } from '../../domain/language/text.ts';
import { fileOf, readCatalogue, TRANSLATED } from './catalogues.ts';
import { extractMessages } from './extract.ts';
import { type CataloguePart, partsByFile } from './reach.ts';

/** A catalogue's module: `./locales/ko.po?part=first`. */
const MODULE = /\/web\/locales\/([\w-]+)\.po\?part=([\w-]+)$/;

/** Returns how to get the parts of a language's catalogue, by the keys that pages look up. Reads the source once. */
function catalogues(): (locale: Locale) => Record<CataloguePart, Catalogue> {
  const partsOf = partsByFile();
  const placed = [...extractMessages()].map(([message, { files }]) => ({ message, parts: partsOf(files) }));
  const made = new Map<Locale, Record<CataloguePart, Record<string, string>>>();
  return (locale) => {
    const known = made.get(locale);
    if (known) return known;
    const catalogue: Record<CataloguePart, Record<string, string>> = {
      first: {},
      open: {},
      'signed-in': {},
      admin: {},
      worker: {},
    };
    const entries = readCatalogue(locale);
    for (const { message, parts } of placed) {
      const text = entries.get(message)?.text;
      if (text && text !== message) for (const part of parts) catalogue[part][keyOf(message)] = text;
    }
    made.set(locale, catalogue);
    return catalogue;
  };
}

/**
 * Makes a script of each catalogue's part, and writes `locales/<locale>.json` for the Worker: all that it needs to
 * render public pages, mails and refusals, and the scripts that a page's head preloads.
 */
export function buildCatalogues(): Plugin {
  const partsOf = catalogues();
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
