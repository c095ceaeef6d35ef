import { runInNewContext } from 'node:vm';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Locale, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import type { Part } from '../../domain/language/message.ts';
import { parseMessage } from '../../domain/language/message.ts';
import { type Catalogue, keyOf } from '../../domain/language/text.ts';
import { extractMessages } from '../../scripts/messages/extract.ts';
import { partsByFile } from '../../scripts/messages/reach.ts';
import { launchBrowser, signInByCall } from '../support/browser.ts';
import { everyScreen, type Placed, type Who } from '../support/every-screen.ts';
import { settled } from './pages.ts';

/**
 * Serves every screen in a language whose translations are the English messages with marks around them, and looks for
 * text without marks: a text that is in no catalogue, or in none that the page loads.
 */

/** The language whose catalogues are replaced. Its dates have no Latin letters. */
const PSEUDO = 'ko';

/** Marks the words of a message, but not its values. */
function marked(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return `⟦${part}⟧`;
      if (part.kind === 'number') return '#';
      if (part.kind === 'value') return `{${part.name}}`;
      if (part.kind === 'tag') return `<${part.name}>${marked(part.content)}</${part.name}>`;
      const cases = Object.entries(part.cases).map(([name, content]) => `${name} {${marked(content)}}`);
      return `{${part.name}, ${part.kind}, ${cases.join(' ')}}`;
    })
    .join('');
}

type Messages = Record<string, string>;

/** The marked messages of each part of a catalogue. */
function markedParts(): Messages[] {
  const partsOf = partsByFile();
  const found = new Map<string, Messages>();
  for (const [message, { files }] of extractMessages())
    for (const part of partsOf(files)) {
      const catalogue = found.get(part) ?? {};
      found.set(part, catalogue);
      catalogue[keyOf(message)] = marked(parseMessage(message));
    }
  return [...found.values()];
}

const parts = markedParts();

/** Returns a script of a catalogue's part with marked messages; null if the script holds none. */
function replaced(script: string): string | null {
  const [, before = '', given = '', after = ''] = /^(.{0,40}?JSON\.parse\()(.*)(\).*)$/s.exec(script) ?? [];
  if (!given) return null;
  const catalogue = runInNewContext(`JSON.parse(${given})`) as Catalogue;
  const keys = Object.keys(catalogue.messages);
  const shared = (part: Messages) => keys.filter((key) => Object.hasOwn(part, key)).length;
  const size = (part: Messages) => Object.keys(part).length;
  const [messages = {}] = parts.toSorted((one, other) => shared(other) - shared(one) || size(one) - size(other));
  return `${before}${JSON.stringify(JSON.stringify({ ...catalogue, messages }))}${after}`;
}

let browser: Browser;
let screens: Placed[];
let shell: string;
beforeAll(async () => {
  const address = inject('address');
  screens = await everyScreen(address);
  shell = await (await fetch(`${address}/orders`)).text();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Serves the app without the Worker's markup, which is in the real language, and with marked catalogues. */
async function withMarks(context: BrowserContext): Promise<void> {
  const cookies = { muster_language: PSEUDO, muster_consent: '1' };
  const url = inject('address');
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
  await context.route('**/*', async (route) => {
    const type = route.request().resourceType();
    if (type === 'document') return route.fulfill({ body: shell, contentType: 'text/html; charset=utf-8' });
    if (type !== 'script') return route.continue();
    const response = await route.fetch();
    const script = await response.text();
    await route.fulfill({ response, body: replaced(script) ?? script });
  });
}

/** Names that are the same in every language, and those of the seed's and this test's people, events, teams and bots. */
const NAMES = [
  // Addresses, ids and names of browsers.
  '\\S+@\\S+|https?://\\S+|[\\w-]*[0-9a-f]{8}[\\w-]*|[a-z]+:\\d+|ts: \\d+ · kingdoms: \\d+|Mozilla/.*',
  'Muster|Rise of Kingdoms|Call of Dragons|ROK-(?:NEXT|GAP)|RoK|CoD|KvK|UTC|DKP|API|csv|xlsx|json|parquet|IP|USD|TPM',
  'Discord|Stripe|Google Sheets|Excel \\(Power Query\\)|DuckDB|Python|JavaScript|Chrome|Linux|Hero Scrolls|RokTracker \\S+',
  'Lost Kingdom (?:20, group \\d|with a gap|to come)|War of the Realms 20, group \\d|Pass \\d|Altar|Britain',
  'A week of kingdom 1003|Thank you all\\.|Council of 1003|A war of the simulated world|simulated world',
  '(?:Reference agent|reference|agent-\\d)|demo|admin(?::\\w+)?|node|Demo',
].join('|');

/** Screens in English: how to call the API, and texts of the operator. */
const ENGLISH = ['/api-docs', '/eula', '/imprint', '/privacy'];

/**
 * Returns texts without marks that are visible or read aloud. Names of players are left out: they stand in elements of
 * their own. `isOfOne`: the page's heading is such a name. Runs in the page.
 */
const findUnmarked = ([names, isOfOne]: readonly [names: string, isOfOne: boolean]): string[] => {
  const players = [...document.querySelectorAll(isOfOne ? 'bdi, #main h1' : 'bdi')].map(
    ({ textContent }) => textContent ?? '',
  );
  const plain = (text: string) =>
    players
      .reduce((rest, player) => (player === '' ? rest : rest.replaceAll(player, ' ')), text)
      .replace(/⟦[^⟦⟧]*⟧/g, ' ')
      .replace(new RegExp(`(?<![\\p{L}\\d])(?:${names})(?![\\p{L}\\d])`, 'giu'), ' ')
      .trim();
  /** The service's sentences come from its own catalogue, which is in Korean. */
  const isText = (text: string) => /\p{L}{3}/u.test(plain(text)) && !/\p{Script=Hangul}/u.test(plain(text));
  /** Data and names. */
  const left = (element: Element | null) =>
    element?.closest('bdi, code, pre, script, style, title, [translate=no], [lang]:not(html), [dir=auto]') !== null;
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? '';
    const around = node.parentElement;
    if (!isText(text) || left(around) || !around?.checkVisibility({ visibilityProperty: true })) continue;
    found.add(`${plain(text).slice(0, 100)} in ${around.outerHTML.slice(0, 120)}`);
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
    for (const element of document.querySelectorAll(`body [${name}]`)) {
      const text = element.getAttribute(name) ?? '';
      if (isText(text) && !left(element)) found.add(`${name}: ${plain(text).slice(0, 100)}`);
    }
  return [...found];
};

const unmarkedOn = (page: Page, path: string): Promise<string[]> =>
  page.evaluate(findUnmarked, [NAMES, /\$(?:governorId|tag|id)$/.test(path)] as const);

test.each<Who>(['visitor', 'user', 'admin'])(
  'the screens of a %s have no text outside of the catalogues',
  async (who) => {
    const context = await browser.newContext({ baseURL: inject('address'), locale: 'ko-KR', timezoneId: 'UTC' });
    const page = await context.newPage();
    const setLanguage = (language: Locale) => page.request.put('/v1/account/language', { data: { language } });
    if (who !== 'visitor') {
      const username = who === 'admin' ? 'admin' : 'demo';
      await signInByCall(page, username, `${username}-muster`);
      await setLanguage(PSEUDO);
    }
    await withMarks(context);
    const found: string[] = [];
    for (const { path, at } of screens.filter((screen) => screen.who === who && !ENGLISH.includes(screen.path))) {
      await page.goto(who === 'visitor' ? `/${PSEUDO}${at}` : at);
      await settled(page).catch(() => found.push(`${path}: did not settle`));
      for (const text of await unmarkedOn(page, path)) found.push(`${path}: ${text}`);
    }
    // The account keeps its language, and other proofs use it.
    if (who !== 'visitor') await setLanguage(SOURCE_LOCALE);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    expect(found).toEqual([]);
  },
  900_000,
);
