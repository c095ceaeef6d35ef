import type { Locale } from '../../domain/language/locales.ts';
import { addCatalogue, keyOf } from '../../domain/language/text.ts';
import { readCatalogue } from '../../scripts/messages/catalogues.ts';
import { speak } from './speak.ts';

/** Makes texts and figures in a language from now on, with its messages. */
export function speakWholly(locale: Locale): void {
  speak(locale);
  const messages = [...readCatalogue(locale)].map(([english, { text }]) => [keyOf(english), text]);
  addCatalogue(locale, { messages: Object.fromEntries(messages) });
}
