import { locale } from '../../../domain/language/current.ts';
import { type Locale, preferredLocale, SOURCE_LOCALE, splitPath } from '../../../domain/language/locales.ts';
import { isPublicPath } from '../../../domain/language/public-paths.ts';
import { addCatalogue } from '../../../domain/language/text.ts';
import type { Env } from '../../env.ts';
import { Refusal, STORAGE_FAILED } from '../../errors.ts';
import { catalogueOf } from '../../gateways/built-web.ts';
import { inLocale, type SpeakTo } from '../../isolate/language.ts';

/** Does some work in a language. If its catalogue cannot be read now, the work is in English. */
async function speak<Result>(
  env: Env,
  origin: string,
  language: Locale,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const catalogue = await catalogueOf(env, origin, language);
  if (!catalogue) return inLocale(SOURCE_LOCALE, work);
  addCatalogue(language, catalogue);
  return inLocale(language, work);
}

/** Runs work in the language of a call's `Accept-Language`. */
export const speakAsAsked = <Result>(
  env: Env,
  { url, headers }: Request,
  work: () => Result | Promise<Result>,
): Promise<Result> => speak(env, new URL(url).origin, preferredLocale(headers.get('accept-language') ?? ''), work);

/** Returns how to write to users in their languages. */
export const speakerFor =
  (env: Env): SpeakTo =>
  ({ language }, work) =>
    speak(env, env.SITE_ORIGIN, language ?? SOURCE_LOCALE, work);

/**
 * Makes what caches keep under the name of its language.
 * @throws Refusal unavailable if the language cannot be read now.
 */
export const speakOnly = <Made>(
  env: Env,
  language: Locale | undefined = SOURCE_LOCALE,
  make: () => Promise<Made>,
): Promise<Made> =>
  speak(env, env.SITE_ORIGIN, language, () => {
    if (locale() !== language) throw new Refusal('unavailable', STORAGE_FAILED);
    return make();
  });

/**
 * Makes a file with texts in a language. If none is asked for, csv has the columns' keys, and all other texts are English,
 * whatever the call's language, because files are stored by their address.
 */
export const withHeaders = <Made>(
  env: Env,
  headers: Locale | undefined,
  make: (titled: boolean) => Promise<Made>,
): Promise<Made> =>
  headers === undefined ? inLocale(SOURCE_LOCALE, () => make(false)) : speakOnly(env, headers, () => make(true));

/** Answers a request in the language of its address: `/ko/leaderboard` is `/leaderboard` in Korean. */
export function speakByAddress(
  env: Env,
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Response | Promise<Response> {
  const url = new URL(request.url);
  const { locale: language, path } = splitPath(url.pathname);
  if (language === SOURCE_LOCALE || !isPublicPath(path)) return answer(request);
  url.pathname = path;
  return speak(env, url.origin, language, () => answer(new Request(url, request)));
}
