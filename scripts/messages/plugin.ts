import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { FORMATS } from '../../domain/language/format-table.ts';
import type { Locale } from '../../domain/language/locales.ts';
import { LANDING_PARTS } from '../../domain/language/public-paths.ts';
import { type Catalogue, keyOf } from '../../domain/language/text.ts';
import { fileOf, isTranslated, readCatalogue, TRANSLATED } from './catalogues.ts';
import { extractMessages } from './extract.ts';
import { type CataloguePart, partsByFile } from './reach.ts';

/** A catalogue's module: `./locales/ko.po?part=first`. */
const MODULE = /\/web\/locales\/([\w-]+)\.po\?part=([\w-]+)$/;

/** Parts of which public pages preload the script. */
const PUBLIC_PARTS: readonly string[] = ['first', ...LANDING_PARTS, 'open'] satisfies CataloguePart[];

type Messages = Record<string, string>;

/** Returns a function that reads a language's messages, by part and then by key. */
function catalogues(): (locale: Locale) => Record<CataloguePart, Messages> {
  const partsOf = partsByFile();
  const placed = [...extractMessages()].map(([message, { files }]) => ({ message, parts: partsOf(files) }));
  const made = new Map<Locale, Record<CataloguePart, Messages>>();
  return (locale) => {
    const known = made.get(locale);
    if (known) return known;
    const messages: Record<CataloguePart, Messages> = {
      first: {},
      home: {},
      boards: {},
      events: {},
      open: {},
      'signed-in': {},
      admin: {},
      worker: {},
    };
    const entries = readCatalogue(locale);
    for (const { message, parts } of placed) {
      const text = entries.get(message)?.text;
      if (text && text !== message) for (const part of parts) messages[part][keyOf(message)] = text;
    }
    made.set(locale, messages);
    return messages;
  };
}

// Reading parses all sources, so it waits until something needs a catalogue.
let read: ReturnType<typeof catalogues> | undefined;
const messagesOf = (locale: Locale): Record<CataloguePart, Messages> => {
  read ??= catalogues();
  return read(locale);
};

/**
 * Returns the file of a catalogue's part; null for other chunks. All parts share one hash, because their names are part
 * of the first script and hashes do not compress.
 */
export function catalogueName({ facadeModuleId }: { facadeModuleId: string | null }): string | null {
  const [, locale, part] = MODULE.exec(facadeModuleId ?? '') ?? [];
  if (!locale) return null;
  const hash = createHash('sha256').update(JSON.stringify([FORMATS, TRANSLATED.map(messagesOf)]));
  return `assets/${hash.digest('base64url').slice(0, 8)}-${locale}-${part}.js`;
}

/**
 * Makes a script of each catalogue's part, and writes `locales/<locale>.json` for the Worker: all that it needs to
 * render public pages, mails and refusals, and the scripts that a page's head preloads.
 */
export function buildCatalogues(): Plugin {
  return {
    name: 'catalogues',
    watchChange() {
      read = undefined;
    },
    load(id) {
      const [, locale, part] = MODULE.exec(id) ?? [];
      if (!isTranslated(locale) || !part) return null;
      this.addWatchFile(fileOf(locale));
      const messages = messagesOf(locale)[part as CataloguePart];
      const catalogue: Catalogue = part === 'first' ? { messages, format: FORMATS[locale] } : { messages };
      // Engines parse JSON faster than a literal of the same size.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(catalogue))});`;
    },
    generateBundle(_, bundle) {
      for (const locale of TRANSLATED) {
        const { first, home, boards, events, open, worker } = messagesOf(locale);
        const scripts: Record<string, string> = {};
        for (const file of Object.values(bundle)) {
          const [, of, part = ''] = (file.type === 'chunk' && MODULE.exec(file.facadeModuleId ?? '')) || [];
          if (of === locale && PUBLIC_PARTS.includes(part)) scripts[part] = `/${file.fileName}`;
        }
        const messages = { ...first, ...home, ...boards, ...events, ...open, ...worker };
        const source = JSON.stringify({ scripts, messages, format: FORMATS[locale] });
        this.emitFile({ type: 'asset', fileName: `locales/${locale}.json`, source });
      }
    },
  };
}

/** Leaves the catalogues out of the Worker's pages, which get theirs with each request. */
export const withoutCatalogues = (): Plugin => ({
  name: 'without-catalogues',
  load: (id) => (MODULE.test(id) ? 'export default { messages: {} };' : null),
});
