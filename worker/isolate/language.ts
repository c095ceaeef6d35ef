import { AsyncLocalStorage } from 'node:async_hooks';
import { takeLocaleFrom } from '../../domain/language/current.ts';
import { type Locale, SOURCE_LOCALE } from '../../domain/language/locales.ts';

/** The language of what the Worker writes: one per request or mail, because an isolate serves many at once. */
const languages = new AsyncLocalStorage<Locale>();
takeLocaleFrom(() => languages.getStore() ?? SOURCE_LOCALE);

/** Does some work in a language, whose catalogue must have been added (worker/services/service/speak.ts). */
export const inLocale = <Result>(locale: Locale, work: () => Result): Result => languages.run(locale, work);

/** Does some work in a user's language; null is English. For models, which have no catalogues. */
export type SpeakTo = <Result>(
  user: { language: Locale | null },
  work: () => Result | Promise<Result>,
) => Promise<Result>;
