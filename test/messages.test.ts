import { globSync, readFileSync } from 'node:fs';
import { parse } from '@messageformat/parser';
import { describe, expect, test } from 'vitest';
import { amountOf } from '../domain/amounts.ts';
import { FORMATS } from '../domain/language/format-table.ts';
import { type Part, parseMessage } from '../domain/language/message.ts';
import { collision, readCatalogue, spacedLike, TRANSLATED } from '../scripts/messages/catalogues.ts';
import { extractMessages } from '../scripts/messages/extract.ts';
import { joinedIn } from '../scripts/messages/joined.ts';
import { TITLES_FILE, titlesModule } from '../scripts/messages/titles.ts';
import { untranslatedIn } from '../scripts/messages/untranslated.ts';
import { usesIn } from '../scripts/messages/uses.ts';

/** The messages of the source and their translations. */

const messages = [...extractMessages().keys()];

/** Names of values and tags, sorted. */
function namesIn(parts: readonly Part[], found = new Set<string>()): string[] {
  for (const part of parts) {
    if (typeof part === 'string' || part.kind === 'number') continue;
    found.add(part.kind === 'tag' ? `<${part.name}>` : part.name);
    if (part.kind === 'tag') namesIn(part.content, found);
    if ('cases' in part) for (const content of Object.values(part.cases)) namesIn(content, found);
  }
  return [...found].sort();
}

/** Returns the cases of all plurals or selects. */
function casesIn(parts: readonly Part[], kind: 'plural' | 'select'): string[][] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'number' || part.kind === 'value') return [];
    if (part.kind === 'tag') return casesIn(part.content, kind);
    const inside = Object.values(part.cases).flatMap((content) => casesIn(content, kind));
    return part.kind === kind ? [Object.keys(part.cases), ...inside] : inside;
  });
}

test('messages exist, and each has its own key', () => {
  expect(messages.length).toBeGreaterThan(1500);
  expect(collision(messages)).toBeNull();
  expect(collision(['Scans', 'Scan', 'Scans'])).toEqual(['Scans', 'Scans']);
});

test('a translation has the spaces around its message, but none after full-width signs', () => {
  expect(spacedLike(' · yours: {own}', '· deins: {own}')).toBe(' · deins: {own}');
  expect(spacedLike('Returned: ', 'Gutgeschrieben:')).toBe('Gutgeschrieben: ');
  expect(spacedLike('Returned: ', '返還：')).toBe('返還：');
  expect(spacedLike('Returned: ', '')).toBe('');
});

test('the reference parser of ICU reads each message', () => {
  // Tags are ours; to it they are text.
  const refused = messages.filter((message) => {
    try {
      return parse(message).length === 0;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual([]);
});

describe.each(TRANSLATED)('%s', (locale) => {
  const catalogue = readCatalogue(locale);
  const rules = new Intl.PluralRules(locale).resolvedOptions().pluralCategories as string[];

  test('translates every message, and nothing else', () => {
    expect(messages.filter((message) => !catalogue.get(message)?.text)).toEqual([]);
    expect([...catalogue.keys()].filter((message) => !messages.includes(message))).toEqual([]);
    expect([...catalogue].filter(([, { fuzzy }]) => fuzzy)).toEqual([]);
  });

  test('keeps the values, tags and cases of each message, with plurals of its own', () => {
    const wrong = [...catalogue].filter(([message, { text }]) => {
      const [english, own] = [parseMessage(message), parseMessage(text)];
      const isOwnPlural = casesIn(own, 'plural').every((cases) =>
        cases.every((name) => name.startsWith('=') || rules.includes(name)),
      );
      const selects = new Set(casesIn(english, 'select').map((cases) => cases.sort().join()));
      const isKnownSelect = casesIn(own, 'select').every((cases) => selects.has(cases.sort().join()));
      return namesIn(own).join() !== namesIn(english).join() || !isOwnPlural || !isKnownSelect;
    });
    expect(wrong).toEqual([]);
  });
});

/** Messages that tell how to write fifty millions. */
const FIFTY_MILLIONS = ['such as 50M', 'Write 50M or 50,000,000.'];

test.each(TRANSLATED)('what %s tells to write is read as the figure that is meant', (locale) => {
  const catalogue = readCatalogue(locale);
  for (const message of FIFTY_MILLIONS) {
    const [written = ''] = /50[a-z]{1,3}/i.exec(catalogue.get(message)?.text ?? '') ?? [];
    expect([message, amountOf(written, FORMATS[locale])]).toEqual([message, 50_000_000]);
  }
});

test('no page has a text that is missing from the catalogues', () => {
  const found = globSync('web/**/*.tsx').flatMap((file) =>
    untranslatedIn(file, readFileSync(file, 'utf8')).map(({ text }) => [file, text]),
  );
  expect(found).toEqual([]);
  expect(
    untranslatedIn('a.tsx', `export const A = () => <p title="Two words">{open ? 'Close it' : t('Open')}</p>;`),
  ).toEqual([
    { line: 1, text: 'Close it' },
    { line: 1, text: 'Two words' },
  ]);
});

/** Texts for people outside of pages. */
const WRITTEN = [
  'worker/services/messages/*.ts',
  'worker/models/messages/user-mails.ts',
  'worker/services/{orders/order-timeline,accounts/licenses-of,events/changes-feed}.ts',
  'worker/routes/*heads.ts',
  'domain/accounts/{finished-order,webhooks}.ts',
  'domain/events/{changes,event-news,plan-changes}.ts',
];
/** Lists that a form parses again. */
const PARSED = [
  'web/routes/_signed-in/orders/-kingdom-picker.tsx',
  'web/routes/_signed-in/scans/-scan-dialog.tsx',
  'web/routes/admin/events/-kingdom-add.tsx',
];

test('no text is joined outside of its message by English punctuation', () => {
  const found = globSync(['web/**/*.{ts,tsx}', ...WRITTEN]).flatMap((file) =>
    joinedIn(file, readFileSync(file, 'utf8'))
      .filter(({ text }) => !(text === "join(', ')" && PARSED.includes(file)))
      .map(({ line, text }) => `${file}:${line}: ${text}`),
  );
  expect(found).toEqual([]);
});

/** Returns the source of a value; `§` stands for `$`. */
const codeOf = (value: string): string => `export const a = ${value.replaceAll('§', '$')};`;

test.each([
  ['a full stop behind a message', `<p><T of="Data of {day}" day={day} />.</p>`],
  ['a colon behind a message', `<p><b>{t('Name')}:</b> {name}</p>`],
  ['brackets around a text', `<p>{name} ({t('empty')})</p>`],
  ['a value behind a message', `<p><T of="as of" /> <Time at={at} /></p>`],
  ['a colon in a template', '`§{t("Retry")}: §{name}`'],
  ['brackets in a template', '`§{name} (§{t("empty")})`'],
  ['a list', `names.join(', ')`],
])('%s is found', (_, code) => {
  expect(joinedIn('a.tsx', codeOf(code))).not.toEqual([]);
});

test.each([
  ['two sentences', `<p>{t('Nobody matches.')} <Link to="/">{t('Show everybody')}</Link></p>`],
  ['a middle dot', `<p>{t('Orders')} · {t('Scans')}</p>`],
  ['an address', '`§{origin}/orders?search=§{t("Orders")}`'],
  ['an unknown figure', `<p>{t('Rank')}<span>?</span></p>`],
])('%s is fine', (_, code) => {
  expect(joinedIn('a.tsx', codeOf(code))).toEqual([]);
});

/** Words that mean the same in both places: a page, or a column, named after its only act, and what a button opens. */
const BOTH = ['Login', 'Delete', 'Filters'];

test('no word is both a button and a name of something, because most languages have two words', () => {
  const uses = globSync('{web,domain}/**/*.{ts,tsx}').flatMap((file) => usesIn(file, readFileSync(file, 'utf8')));
  const acts = new Set(uses.filter(({ as }) => as === 'act').map(({ text }) => text));
  const named = new Set(uses.filter(({ as }) => as === 'name').map(({ text }) => text));
  expect([acts.size > 25, named.size > 150]).toEqual([true, true]);
  expect([...acts].filter((text) => named.has(text) && !BOTH.includes(text))).toEqual([]);
  expect(usesIn('a.tsx', `const a = <Button>{t('End')}</Button>; const b = { title: t('End') };`)).toEqual([
    { text: 'End', as: 'act' },
    { text: 'End', as: 'name' },
  ]);
  expect(usesIn('a.tsx', `const a = <Button>{ends && t('End')}</Button>`)).toEqual([{ text: 'End', as: 'act' }]);
});

test('imports know the titles of files in every language: `npm run messages` writes them', () => {
  expect(readFileSync(TITLES_FILE, 'utf8')).toBe(titlesModule());
});
