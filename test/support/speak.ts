import { takeLocaleFrom } from '../../domain/language/current.ts';
import { FORMATS } from '../../domain/language/format-table.ts';
import { addFormat } from '../../domain/language/formats.ts';
import type { Locale } from '../../domain/language/locales.ts';

/** Makes texts and figures in a language from now on, with its formats but without its messages. */
export function speak(locale: Locale): void {
  if (locale !== 'en') addFormat(locale, FORMATS[locale]);
  takeLocaleFrom(() => locale);
}
