import { takeLocaleFrom } from '../domain/language/current.ts';
import {
  isLocale,
  LANGUAGES,
  type Locale,
  preferredLocale,
  SOURCE_LOCALE,
  splitPath,
} from '../domain/language/locales.ts';
import { isPublicPath, type PagePart, partsOfPage } from '../domain/language/public-paths.ts';
import { addCatalogue, type Catalogue } from '../domain/language/text.ts';

/** The language of a browser's page. Only in a browser; the Worker has one per request (web/server.tsx). */

type Load = () => Promise<{ default: Catalogue }>;
const LOADS: Readonly<Record<PagePart, Record<string, Load>>> = {
  first: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=first' }),
  home: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=home' }),
  boards: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=boards' }),
  events: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=events' }),
  open: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=open' }),
  'signed-in': import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=signed-in' }),
  admin: import.meta.glob<{ default: Catalogue }>('./locales/*.po', { query: '?part=admin' }),
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

const loaded = new Set<string>();

/** Loads the parts of a language's catalogue that the page at this path needs and that are not here yet. */
async function load(locale: Locale, path: string): Promise<void> {
  const wanted = partsOfPage(path).filter((part) => !loaded.has(`${locale} ${part}`));
  const loads = wanted.flatMap((part) => LOADS[part][`./locales/${locale}.po`] ?? []);
  for (const { default: catalogue } of await Promise.all(loads.map((each) => each()))) addCatalogue(locale, catalogue);
  for (const part of wanted) loaded.add(`${locale} ${part}`);
}

/** Counts what was asked for, so that a language that arrives late does not replace a later choice. */
let asked = 0;

/** Loads a language and makes it the page's. If it cannot be loaded, the page is in English. */
async function use(locale: Locale, path: string): Promise<void> {
  const turn = ++asked;
  let next = locale;
  try {
    await load(locale, path);
  } catch {
    next = SOURCE_LOCALE;
  }
  if (turn !== asked) return;
  document.documentElement.lang = next;
  document.documentElement.dir = LANGUAGES[next].dir;
  if (next === current) return;
  current = next;
  for (const tell of listeners) tell();
}

/** Uses the language of a public page's address, or the reader's on other pages. */
export function applyLanguageOf(pathname: string): Promise<void> {
  const { locale, path } = splitPath(pathname);
  return use(isPublicPath(path) ? locale : chosenLocale(), path);
}

/** Loads what the page at this path lacks of the current language. Without it, its texts are in English. */
export const completeLanguage = (path: string): Promise<void> | undefined =>
  current === SOURCE_LOCALE ? undefined : load(current, path).catch(() => undefined);

/**
 * Uses the user's language on a page for signed-in users: the account's, otherwise the reader's. Returns the account.
 * The reader's loads meanwhile, because both are usually the same. What the reader chooses meanwhile counts.
 */
export async function applyOwnLanguage<Account extends { language: Locale | null }>(
  path: string,
  reading: Promise<Account | null>,
): Promise<Account | null> {
  const before = chosenLocale();
  const [account] = await Promise.all([reading, use(before, path)]);
  const isStill = chosenLocale() === before;
  if (isStill && account?.language && account.language !== before) await chooseLanguage(account.language, path);
  return account;
}

/** Stores the reader's choice, and uses it on the page at this path. */
export function chooseLanguage(locale: Locale, path: string): Promise<void> {
  rememberLocale(locale);
  return use(locale, path);
}
