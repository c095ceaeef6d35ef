import { type Locale, SOURCE_LOCALE } from './locales.ts';

/**
 * The language of the text being made. A browser has one; the Worker has one per request, which it keeps in async
 * context. Both provide it here, so that functions that format figures need not be passed one.
 */
let source: () => Locale = () => SOURCE_LOCALE;

export const locale = (): Locale => source();

export function takeLocaleFrom(other: () => Locale): void {
  source = other;
}
