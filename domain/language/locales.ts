/** The languages of the service, by their BCP 47 tags, in the order in which readers choose among them. */

interface Language {
  /** The language's own name. */
  name: string;
  dir: 'ltr' | 'rtl';
}

export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  'zh-Hans': { name: '简体中文', dir: 'ltr' },
  'zh-Hant': { name: '繁體中文', dir: 'ltr' },
  ko: { name: '한국어', dir: 'ltr' },
  ja: { name: '日本語', dir: 'ltr' },
  vi: { name: 'Tiếng Việt', dir: 'ltr' },
  id: { name: 'Bahasa Indonesia', dir: 'ltr' },
  tr: { name: 'Türkçe', dir: 'ltr' },
  ru: { name: 'Русский', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
  es: { name: 'Español', dir: 'ltr' },
  pt: { name: 'Português', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
} as const satisfies Record<string, Language>;

export type Locale = keyof typeof LANGUAGES;

export const LOCALES = Object.keys(LANGUAGES) as [Locale, ...Locale[]];

/** The language of the source, which needs no catalogue. */
export const SOURCE_LOCALE = 'en' satisfies Locale;

export const isLocale = (tag: string): tag is Locale => Object.hasOwn(LANGUAGES, tag);

/** Chinese by region or script; all other languages by their first subtag. */
const localeOf = (tag: string): Locale | null => {
  const [language = '', ...rest] = tag.toLowerCase().split('-');
  if (language === 'zh') return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'zh-Hant' : 'zh-Hans';
  return isLocale(language) ? language : null;
};

const MOST_TAGS = 20;

/**
 * Returns the first known language of an `Accept-Language` header or a list of tags, by the header's weights; English
 * if there is none.
 */
export function preferredLocale(accepted: string): Locale {
  const weighed = accepted
    .split(',', MOST_TAGS)
    .map((each) => {
      const [tag = '', weight] = each.trim().split(/;\s{0,9}q=/);
      return { locale: localeOf(tag.trim()), weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ locale, weight }) => locale !== null && weight > 0);
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.locale ?? SOURCE_LOCALE;
}

/** Splits a path into its language prefix and the rest: `/ko/leaderboard` is Korean and `/leaderboard`. */
export function splitPath(pathname: string): { locale: Locale; path: string } {
  const [, first = '', rest = ''] = /^\/([^/]{2,7})(\/.*)?$/.exec(pathname) ?? [];
  return first !== SOURCE_LOCALE && isLocale(first)
    ? { locale: first, path: rest || '/' }
    : { locale: SOURCE_LOCALE, path: pathname };
}

/**
 * Returns the path that another spelling of a language means: `/zh-Hans/faq` for `/zh/faq`, `/ko/faq` for `/KO/faq`, and
 * `/faq` for `/en/faq`. Null if the path begins with no language, or is spelled right.
 */
export function respelledPath(pathname: string): string | null {
  const [, first = '', rest = ''] = /^\/([a-z]{2}(?:-[a-z]{2,8}){0,2})(\/.*)?$/i.exec(pathname) ?? [];
  const meant = first === '' ? null : localeOf(first);
  return meant === null || (first === meant && meant !== SOURCE_LOCALE) ? null : localPath(meant, rest || '/');
}

/** Returns a path with a language's prefix; English has none. */
export const localPath = (locale: Locale, path: string): string =>
  locale === SOURCE_LOCALE ? path : `/${locale}${path === '/' ? '' : path}`;

const withLocale = (name: string, locale: Locale, address: string): string =>
  locale === SOURCE_LOCALE ? address : `${address}${address.includes('?') ? '&' : '?'}${name}=${locale}`;

/** Returns the address of a picture whose texts are in a language; English is not named. */
export const pictureIn = (locale: Locale, address: string): string => withLocale('language', locale, address);

/** Returns the address of a file whose titles are in a language; English is not named. */
export const fileIn = (locale: Locale, address: string): string => withLocale('headers', locale, address);
