import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type PagePart, partsOfPage } from '../domain/language/public-paths.ts';
import { TRANSLATED } from '../scripts/messages/catalogues.ts';
import type { BuiltCatalogue, RouteNeeds } from '../worker/gateways/built-web.ts';

const BUILT = resolve(import.meta.dirname, '..', 'dist', 'web');
const read = (file: string): string => readFileSync(join(BUILT, file), 'utf8');

/**
 * Bytes of script that a visitor's first page may take, packed by gzip. React with its DOM is 67,000 of them, the
 * router 24,000, the query cache 11,000: 105,000 that every page needs before a line of ours; what grows with the
 * product is the list of routes. Pages with tables add TanStack Table, 8,500 (docs/decisions/table.md). What reads
 * messages and finds catalogues takes 4,000 to 5,000 (docs/decisions/languages.md).
 */
const BARS: Readonly<Record<string, number>> = {
  '/': 135_500,
  '/faq': 131_500,
  '/login': 136_300,
  '/register': 136_300,
  '/leaderboard': 131_100,
  '/leaderboard/governor': 150_300,
  '/leaderboard/alliance': 150_300,
  '/leaderboard/kingdom': 150_300,
  '/leaderboard/governor/$governorId': 154_300,
  '/removal': 154_600,
  '/dashboards/$dashboardId': 165_400,
  '/cod-dashboards/$dashboardId': 165_400,
  '/shared/$token': 168_900,
};
/** Bytes that a user's page may load before its first screen is drawn. */
const USERS_BAR = 174_000;
/** Results also load the large table, and comparisons their scoring. */
const LARGER: Readonly<Record<string, number>> = {
  '/order/$orderId': 173_400,
  '/compare': 181_000,
  '/compare/$reportId': 175_200,
  '/orders/new': 179_300,
};

/**
 * Bytes of a board's script before there were languages, with the 100 that other changes added since, and what it may
 * take more with the messages of a language.
 */
const BOARD_IN_ENGLISH_ONLY = 143_200;
const LANGUAGE_BAR = 12_000;
/** Bytes that rendering pages adds to the Worker's script. */
const PAGES_BAR = 215_000;

const html = read('index.html');
const needs = JSON.parse(read('route-preloads.json')) as Record<string, RouteNeeds>;

/** Scripts of a first visit: those that the page and its head name, and whatever these import by plain imports. */
function scriptsOf(path: string): string[] {
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file);
  const waiting = [...named, ...(needs[path]?.files ?? []).map((file) => file.slice(1))].filter((file) =>
    file.endsWith('.js'),
  );
  const found = new Set<string>();
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, imported] of read(file).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      waiting.push(`assets/${imported}`);
  }
  return [...found];
}

const packed = (path: string): number => scriptsOf(path).reduce((sum, file) => sum + gzipSync(read(file)).length, 0);

test.each(Object.entries(BARS))('a first visit to %s runs under %i bytes of packed script', (path, bar) => {
  const sum = packed(path);
  // React alone is 67 kB: less would mean that files were missed.
  expect(sum).toBeGreaterThan(100_000);
  expect(sum).toBeLessThan(bar);
});

/** Bytes of a language's messages in these parts of its catalogue. */
function messagesOf(locale: string, parts: readonly PagePart[]): number {
  const { scripts } = JSON.parse(read(`locales/${locale}.json`)) as BuiltCatalogue;
  return parts.reduce((sum, part) => sum + gzipSync(read(scripts[part] ?? '')).length, 0);
}

test('a first visit to a board in another language takes at most 12 kB more than before there were languages', () => {
  const script = packed('/leaderboard/governor');
  const grown = TRANSLATED.map((locale) => {
    const messages = messagesOf(locale, partsOfPage('/leaderboard/governor'));
    expect(messages).toBeGreaterThan(3500);
    return [locale, script + messages - BOARD_IN_ENGLISH_ONLY] as const;
  });
  expect(grown.filter(([, bytes]) => bytes > LANGUAGE_BAR)).toEqual([]);
});

test.each([
  ['/leaderboard/governor/1', 7_500],
  ['/dashboards/1', 15_000],
])('%s in another language loads under %i bytes of messages', (path, bar) => {
  const sizes = TRANSLATED.map((locale) => [locale, messagesOf(locale, partsOfPage(path))] as const);
  expect(sizes.filter(([, size]) => size > bar)).toEqual([]);
});

test('rendering pages adds under 215 kB to the Worker’s script', () => {
  const script = readFileSync(join(BUILT, '..', 'pages', 'render-page.js'), 'utf8');
  expect(gzipSync(script).length).toBeLessThan(PAGES_BAR);
});

test('a user’s pages run under 174 kB of it, new orders under 179.3, comparisons under 181', () => {
  const users = Object.keys(needs).filter((path) => needs[path]?.guarded);
  expect(users.length).toBeGreaterThan(30);
  const over = users
    .map((path) => [path, packed(path)] as const)
    .filter(([path, sum]) => sum > (LARGER[path] ?? USERS_BAR));
  expect(over).toEqual([]);
});

test('a route’s own code and styles are asked for by the head of its page', () => {
  for (const path of Object.keys(BARS)) {
    const { files = [], guarded } = needs[path] ?? {};
    expect(files.some((file) => file.endsWith('.js'))).toBe(true);
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
    expect(guarded).toBe(false);
  }
  const { files: event = [] } = needs['/dashboards/$dashboardId'] ?? {};
  expect(event.some((file) => file.endsWith('.js') && read(file).includes('Scoreboard'))).toBe(true);
});

test('so are those of the layouts around it, and of a page before those of all pages like it', () => {
  const paths = Object.keys(needs);
  expect(paths.indexOf('/admin/events/new')).toBeLessThan(paths.indexOf('/admin/events/$eventId'));
  const [layout = ''] = needs['/account']?.files.filter((file) => read(file).includes('API Keys')) ?? [];
  expect(needs['/account/keys']?.files).toContain(layout);
});
