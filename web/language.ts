import { takeLocaleFrom } from '../domain/language/current.ts';
import {
  isLocale,
  LANGUAGES,
  type Locale,
  preferredLocale,
  SOURCE_LOCALE,
  splitPath,
} from '../domain/language/locales.ts';
import { isPublicPath } from '../domain/language/public-paths.ts';
import { addCatalogue, type Catalogue } from '../domain/language/text.ts';

/** The language of a browser's page. Only in a browser; the Worker has one per request (web/server.tsx). */

type Load = () => Promise<{ default: Catalogue }>;
const open = import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=public' });
const guarded = import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=signed-in' });

const loads = (of: Record<string, Load>, locale: Locale): Load[] => {
  const load = of[`./locales/${locale}.po`];
  return load ? [load] : [];
};

const COOKIE = 'muster_language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

let current: Locale = SOURCE_LOCALE;
takeLocaleFrom(() => current);

const listeners = new Set<() => void>();

/** Calls `listener` after each change of the page's language. Returns how to end that. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the language that the reader chose before, or the first known one of their browser. */
function chosenLocale(): Locale {
  const cookie = document.cookie.split('; ').find((each) => each.startsWith(`${COOKIE}=`));
  const chosen = cookie?.slice(COOKIE.length + 1) ?? '';
  return isLocale(chosen) ? chosen : preferredLocale(navigator.languages.join(','));
}

/** Stores the reader's choice for pages without a language in their address. */
function rememberLocale(locale: Locale): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser.
  document.cookie = `${COOKIE}=${locale}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** Loads a language and makes it the page's. If it cannot be loaded, the page is in English. */
async function use(locale: Locale, isGuarded: boolean): Promise<void> {
  const wanted = [...loads(open, locale), ...(isGuarded ? loads(guarded, locale) : [])];
  let next = locale;
  try {
    for (const { default: catalogue } of await Promise.all(wanted.map((load) => load())))
      addCatalogue(locale, catalogue);
  } catch {
    next = SOURCE_LOCALE;
  }
  document.documentElement.lang = next;
  document.documentElement.dir = LANGUAGES[next].dir;
  if (next === current) return;
  current = next;
  for (const tell of listeners) tell();
}

/** Uses the language of a public page's address, or the reader's on other pages. */
export function applyLanguageOf(pathname: string): Promise<void> {
  const { locale, path } = splitPath(pathname);
  return isPublicPath(path) ? use(locale, false) : use(chosenLocale(), true);
}

/** Uses the reader's language, which pages for signed-in users are in. */
export const applyOwnLanguage = (): Promise<void> => use(chosenLocale(), true);

/** Stores the reader's choice, and uses it. `isGuarded` of pages for signed-in users, which have more messages. */
export function chooseLanguage(locale: Locale, isGuarded: boolean): Promise<void> {
  rememberLocale(locale);
  return use(locale, isGuarded);
}
