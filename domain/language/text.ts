import { locale } from './current.ts';
import { addFormat, centsText, type Format, grouped, isolated, isRightToLeft } from './formats.ts';
import { type Locale, SOURCE_LOCALE } from './locales.ts';
import { type Part, parseMessage } from './message.ts';

/**
 * Texts in the reader's language. The English message is in the code and is its own key:
 * `t('{count, plural, one {# scan} other {# scans}}', { count })`. A catalogue has its translation under `keyOf` of
 * it; without one the English message is shown. A comment `// For translators: …` above a call goes into the catalogue.
 */

/** Marks an English message as one to translate. `words(title)` translates it when a page shows it. */
export const message = (text: string): string => text;

export type Values = Readonly<Record<string, string | number>>;

/** A part of what a language needs: translations by `keyOf` of the English message, and its format in one of them. */
export interface Catalogue {
  messages: Readonly<Record<string, string>>;
  format?: Format;
}

const catalogues = new Map<Locale, Catalogue[]>();
const parsed = new Map<Locale, Map<string, readonly Part[]>>();

/** Adds a part of a language's catalogue. */
export function addCatalogue(of: Locale, catalogue: Catalogue): void {
  const parts = catalogues.get(of) ?? [];
  // The Worker adds the same catalogue with each request. Its parsed messages must stay.
  if (parts.includes(catalogue)) return;
  catalogues.set(of, [...parts, catalogue]);
  if (catalogue.format) addFormat(of, catalogue.format);
  parsed.delete(of);
}

/** Returns the short key of a message (FNV-1a, 32 bits). The catalogues' check refuses two messages with one key. */
export function keyOf(message: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < message.length; at++) hash = Math.imul(hash ^ message.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Returns the parts of a message in the current language. */
export function partsOf(message: string): readonly Part[] {
  const language = locale();
  const known = parsed.get(language) ?? new Map<string, readonly Part[]>();
  parsed.set(language, known);
  const parts = known.get(message) ?? parseMessage(withSigns(translationOf(message, language) ?? message));
  known.set(message, parts);
  return parts;
}

const LEFT_TO_RIGHT_MARK = '\u200e';

/** Keeps `#` in front of its number and `%` behind it, also after Arabic words. */
const withSigns = (text: string): string =>
  isRightToLeft() ? text.replace(/#(?=\{)|\{\w{1,40}\}(?= ?%)/g, `${LEFT_TO_RIGHT_MARK}$&`) : text;

/** Returns a message's translation; undefined in English, or if the catalogue lacks it. */
function translationOf(message: string, language: Locale): string | undefined {
  const own = catalogues.get(language) ?? [];
  const key = own.length > 0 ? keyOf(message) : '';
  return own.find(({ messages }) => Object.hasOwn(messages, key))?.messages[key];
}

const rules = new Map<Locale, Intl.PluralRules>();

/**
 * Returns the plural category of a count. English, the most frequent, needs no `Intl`, which phones are slow to start.
 */
function pluralOf(count: number): string {
  const language = locale();
  if (language === SOURCE_LOCALE) return count === 1 ? 'one' : 'other';
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(count);
}

/** Returns the chosen case of a plural or select. */
export function caseOf({ kind, cases }: Extract<Part, { cases: object }>, value: unknown): readonly Part[] {
  const named = kind === 'select' ? String(value) : `=${value}`;
  return cases[named] ?? (kind === 'plural' ? cases[pluralOf(Number(value))] : undefined) ?? cases.other ?? [];
}

type WriteValue<Value> = (value: Value | '') => string;

function written<Value>(
  parts: readonly Part[],
  values: Readonly<Record<string, Value>>,
  writeValue: WriteValue<Value>,
  count?: number,
): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.kind === 'number') text += count === undefined ? '' : grouped(String(count));
    else if (part.kind === 'value') text += writeValue(values[part.name] ?? '');
    else if (part.kind === 'tag') text += written(part.content, values, writeValue, count);
    else {
      const value = values[part.name];
      text += written(caseOf(part, value), values, writeValue, part.kind === 'plural' ? Number(value) : count);
    }
  }
  return text;
}

/** Returns a message in the current language. Values are written as they are given; `#` groups its digits. */
export const t = (message: string, values: Values = {}): string =>
  written<string | number>(partsOf(message), values, (value) => isolated(String(value)));

/** Returns a marked message without values in the current language. Any other text, such as a name, stays as it is. */
export const words = (marked: string): string => translationOf(marked, locale()) ?? marked;

/** Returns a list with the language's commas, for what is not a sentence of its own. */
export const listed = (parts: readonly (string | number)[]): string =>
  // For translators: stands between the parts of a list.
  parts.join(t(', '));

/** Returns a label and what it is about, with the language's colon: 'Retry: order #7'. */
export const labelled = (label: string, value: string | number): string => t('{label}: {value}', { label, value });

/** Returns the message of a count with its noun. */
export const countMessage = (one: string, many: string): string => `{count, plural, one {# ${one}} other {# ${many}}}`;

/** Dollars, which each language writes with its own separators: 1,234.50. */
interface Amount {
  cents: number;
}

type SentenceValue = string | number | Amount | Sentence;
export type SentenceValues = Readonly<Record<string, SentenceValue>>;

/** A message with its values. `say` writes it, and sentences among its values, in the reader's language. */
export interface Sentence {
  message: string;
  values?: SentenceValues;
  /** The field that it is about, such as `orders[0]`, written in front. */
  at?: string;
}

/**
 * Marks an English message as one to translate, with its values and the field that it is about. Numbers are grouped; ids
 * are given as texts.
 */
export const sentence = (message: string, values: SentenceValues, at?: string): Sentence => ({
  message,
  values,
  // Absent if not given, because some callers spread a sentence into an object that has an `at`.
  ...(at !== undefined && { at }),
});

function plainValue(value: SentenceValue): string | number {
  if (typeof value !== 'object') return value;
  return 'cents' in value ? centsText(value.cents) : say(value);
}

function saidValue(value: SentenceValue): string {
  const plain = plainValue(value);
  return typeof plain === 'number' ? grouped(String(plain)) : isolated(plain);
}

/** Returns a sentence's values, with sentences among them in the current language. */
export const saidValues = ({ values }: Sentence): Values | undefined =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]));

/** Returns a sentence in the current language. Without values it may be any text. */
export function say({ message, values, at }: Sentence): string {
  const text = values ? written(partsOf(message), values, saidValue).trim() : words(message);
  return at === undefined ? text : `${at}: ${text}`;
}
