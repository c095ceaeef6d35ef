import { globSync, readFileSync } from 'node:fs';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import { GAME_IDS, GAMES } from '../domain/games/games.ts';
import { layoutOf, SNAPSHOT_KINDS } from '../domain/scans/layouts.ts';
import { RECIPE_TEXTS, recipesIn } from '../domain/service/recipes.ts';
import { readCatalogue, TRANSLATED } from '../scripts/messages/catalogues.ts';
import * as schema from '../worker/db/schema.ts';

/** Pages of docs/ state what the code does. */

const [HEAD = [], , ...ROWS] = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const WORDS = new Map(ROWS.map(([english = '', ...others]) => [english, others]));

/** Words of the games. `T1` to `T5`, DKP and KvK stay as they are in every language. */
const OF_GAMES = [
  ...['governor', 'lord', 'kingdom', 'server', 'alliance', 'power', 'killpoints', 'kills', 'deads', 'merits'],
  ...['Lost Kingdom', 'camp', 'pass', 'altar', 'migration'],
];

test('the glossary has every word in every language', () => {
  expect(HEAD).toEqual(['English', ...TRANSLATED]);
  for (const [word, others] of WORDS) expect([word, others.filter((cell) => cell !== '').length]).toEqual([word, 13]);
  expect(OF_GAMES.filter((word) => !WORDS.has(word))).toEqual([]);
});

test.each(TRANSLATED)('the catalogue of %s has the words of the glossary', (language) => {
  const lower = (text: string) => text.toLocaleLowerCase(language);
  const catalogue = new Map([...readCatalogue(language)].map(([english, { text }]) => [english.toLowerCase(), text]));
  const used = OF_GAMES.flatMap((word) => {
    const text = catalogue.get(word.toLowerCase());
    // Arabic words have their article in the glossary.
    const wanted = WORDS.get(word)?.[TRANSLATED.indexOf(language)]?.replace(/^ال/, '') ?? '';
    return text ? [{ word, text: lower(text), wanted: lower(wanted) }] : [];
  });
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter(({ text, wanted }) => wanted === '' || !text.includes(wanted))).toEqual([]);
});

test('docs/operating.md says of every table what ends its rows, or why they stay', () => {
  const [, chapter = ''] = /^## What grows\n(.*?)^## /ms.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const rows = chapter.split('\n').flatMap((line) => /^\| (.*?) \| .*\|$/.exec(line)?.[1] ?? []);
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const tables: string[] = Object.values(schema).flatMap((one) => (is(one, SQLiteTable) ? [getTableName(one)] : []));
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !tables.includes(name))).toEqual([]);
  const tests = [...chapter.matchAll(/test\/[\w/-]+\.test\.ts/g)].map(([file]) => file);
  for (const file of tests) expect(readFileSync(file, 'utf8')).toMatch(/^\s*(it|test)\b/m);
});

test('the privacy notice says what each cookie is for', () => {
  const uses: Readonly<Record<string, string>> = {
    muster_session: 'keeps you signed in',
    muster_device: 'recognises your browser',
    muster_bookmark: 'keeps your own reads up to date',
    muster_language: 'remembers your language',
    muster_consent: 'closed the cookie notice',
  };
  const sources = [...globSync('worker/{middleware,routes}/**/*.ts'), ...globSync('web/**/*.{ts,tsx}')];
  const cookies = sources.flatMap((file) => readFileSync(file, 'utf8').match(/\bmuster_[a-z]+/g) ?? []);
  expect(new Set(cookies)).toEqual(new Set(Object.keys(uses)));
  const [, notice = ''] = /^5\. Cookies\n(.*)$/m.exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
  expect(Object.values(uses).filter((use) => !notice.includes(use))).toEqual([]);
});

test('docs/operating.md has the kind of every alert', () => {
  const sources = globSync('worker/{models,services}/service/{*troubles,watch-service}.ts');
  const kinds = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bkind: ['`]([a-z ]+[a-z])/g)].map(([, kind = '']) => kind),
  );
  const [, table = ''] = /^\| kind \|(.*?)\n\n/ms.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([a-z ]+[a-z])/g)].map(([, kind = '']) => kind));
  expect(kinds.length).toBeGreaterThan(10);
  expect(new Set(named)).toEqual(new Set(kinds));
});

const SECURITY = readFileSync('docs/security.md', 'utf8');

/** The tests that the last cells of the tables name: a file each time, and titles of it. */
function named(): { file: string; title: string }[] {
  const cells = SECURITY.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|').at(-2) ?? ''] : []));
  return cells.flatMap((cell) => {
    let file = '';
    return [...cell.matchAll(/([\w/-]+\.test\.ts)|'([^']+)'/g)].flatMap(([, path, title]) => {
      if (path) file = path.includes('/') ? path : `test/worker/${path}`;
      return [{ file, title: title ?? '' }];
    });
  });
}

test('every test that docs/security.md names exists', () => {
  const files = new Set(globSync('test/**/*.test.ts'));
  const wanted = named();
  expect(wanted.length).toBeGreaterThan(80);
  const missing = wanted.filter(({ file, title }) => {
    if (!files.has(file)) return true;
    const source = readFileSync(file, 'utf8');
    // A title may be a string, in a table of cases, or in a template.
    return title !== '' && !source.includes(title);
  });
  expect(missing).toEqual([]);
});

const COLUMNS = readFileSync('docs/columns.md', 'utf8');
const NAMED = { scan: 'scans', history: 'histories' } as const;

const LAYOUTS = GAME_IDS.flatMap((game) =>
  SNAPSHOT_KINDS.map((kind) => ({ title: `${GAMES[game].name}: ${NAMED[kind]}`, ...layoutOf({ game, kind }) })),
);

test.each(LAYOUTS)('docs/columns.md has each column of $title, in its order', ({ title, columns, lead }) => {
  const [, part = ''] = COLUMNS.split(`## ${title}\n`);
  const [table = ''] = part.split('\n## ');
  const [, , ...lines] = table.trim().split('\n');
  expect(lines).toEqual(
    columns.map(({ key, title, type }) => `| \`${key}\` | ${title} | ${type} | ${lead.includes(key) ? '• ' : ''}|`),
  );
});

const RECIPES = readFileSync('docs/recipes.md', 'utf8');

/** A paragraph of the page as the site writes it: on one line, without marks. */
const asText = (paragraph: string): string => paragraph.replaceAll('`', '').replaceAll('\n', ' ').replaceAll("'", '’');

test('the site’s recipes have the titles and introductions of docs/recipes.md, in its order', () => {
  const titles = [...new Set(recipesIn(RECIPES).map(({ title }) => title))];
  const introOf = (title: string) => RECIPES.split(`## ${title}\n\n`)[1]?.split('\n\n')[0] ?? '';
  const written = titles.map((title) => ({ title, about: asText(introOf(title)) }));
  expect(RECIPE_TEXTS).toEqual(written);
});

test('each recipe comes in shell, Python and JavaScript', () => {
  for (const { title } of RECIPE_TEXTS) {
    const languages = recipesIn(RECIPES).flatMap((recipe) => (recipe.title === title ? [recipe.language] : []));
    expect([title, languages]).toEqual([title, ['sh', 'python', 'js']]);
  }
});
