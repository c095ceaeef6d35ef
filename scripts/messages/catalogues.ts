import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { po } from 'gettext-parser';
import { isLocale, LOCALES, type Locale, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { keyOf } from '../../domain/language/text.ts';
import { ROOT } from '../settings.ts';
import type { Found } from './extract.ts';

/** The catalogues: `web/locales/<locale>.po`, one entry for each message of the source. */

type Translated = Exclude<Locale, typeof SOURCE_LOCALE>;

export const isTranslated = (tag: string | undefined): tag is Translated =>
  tag !== undefined && tag !== SOURCE_LOCALE && isLocale(tag);

export const TRANSLATED = LOCALES.filter(isTranslated);

export const fileOf = (locale: Locale): string => join(ROOT, 'web', 'locales', `${locale}.po`);

interface Entry {
  text: string;
  /** Marked `fuzzy`: the English has changed since. */
  fuzzy: boolean;
}

/** Ends a text without a space after it. */
const FULL_WIDTH = /[：、，。]$/;

/** Gives a translation the spaces around its message, because editors of catalogues trim them. */
export function spacedLike(message: string, text: string): string {
  const [, before = '', after = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(message) ?? [];
  const trimmed = text.trim();
  return trimmed && before + trimmed + (FULL_WIDTH.test(trimmed) ? '' : after);
}

/** Reads a catalogue: translation by English message. */
export function readCatalogue(locale: Locale): Map<string, Entry> {
  const file = fileOf(locale);
  if (!existsSync(file)) return new Map();
  const { translations } = po.parse(readFileSync(file), { validation: true });
  return new Map(
    Object.values(translations[''] ?? {})
      .filter(({ msgid }) => msgid !== '')
      .map(({ msgid, msgstr, comments }) => [
        msgid,
        { text: spacedLike(msgid, msgstr[0] ?? ''), fuzzy: /\bfuzzy\b/.test(comments?.flag ?? '') },
      ]),
  );
}

/** Writes a catalogue with the messages of the source, in the order of their files. */
export function writeCatalogue(
  locale: Locale,
  found: ReadonlyMap<string, Found>,
  known: ReadonlyMap<string, Entry>,
): void {
  const entries = [...found].map(([msgid, { notes }]) => {
    const { text = '', fuzzy = false } = known.get(msgid) ?? {};
    const comments = {
      ...(notes.length > 0 && { extracted: notes.join('\n') }),
      ...(fuzzy && { flag: 'fuzzy' }),
    };
    return { msgid, msgstr: [text], comments };
  });
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', Language: locale };
  const written = po.compile(
    {
      charset: 'utf-8',
      headers,
      translations: { '': Object.fromEntries(entries.map((entry) => [entry.msgid, entry])) },
    },
    { foldLength: 0 },
  );
  writeFileSync(fileOf(locale), `${String(written).trimEnd()}\n`);
}

/** Returns two messages with one key, or null. */
export function collision(messages: Iterable<string>): [string, string] | null {
  const seen = new Map<string, string>();
  for (const message of messages) {
    const other = seen.get(keyOf(message));
    if (other !== undefined) return [other, message];
    seen.set(keyOf(message), message);
  }
  return null;
}
