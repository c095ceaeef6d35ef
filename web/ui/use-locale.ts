import { createContext, type DependencyList, use, useMemo } from 'react';
import { type Locale, SOURCE_LOCALE } from '../../domain/language/locales.ts';

const Language = createContext<Locale>(SOURCE_LOCALE);

export const LanguageProvider = Language;

/**
 * Returns the page's language, and renders the caller again when it changes. A change renders the page from the top, so
 * only memoized components need it, and those that the router draws.
 */
export const useLocale = (): Locale => use(Language);

/** A `useMemo` whose value contains texts, figures or an order of names in the page's language. */
export function useTextMemo<Value>(make: () => Value, inputs: DependencyList): Value {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the linter checks the inputs where they are given.
  return useMemo(make, [useLocale(), ...inputs]);
}
