import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { ended, newUser, order, PASSWORD, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { startService } from '../support/service.ts';

/**
 * `npm run screens`: every screen in every state on one sheet (screens/index.html). The screens are those of the route
 * tree, so that a new one is not forgotten: one with a parameter of which there is no example here ends the run.
 * `npm run screens -- orders leaderboard` takes those whose address holds one of the words.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const OUT = join(ROOT, 'screens');

const LOOKS = [
  { look: 'desktop light', viewport: DESKTOP, colorScheme: 'light' },
  { look: 'phone dark', viewport: PHONE, colorScheme: 'dark' },
  { look: 'desktop dark', viewport: DESKTOP, colorScheme: 'dark' },
  { look: 'phone light', viewport: PHONE, colorScheme: 'light' },
] as const;

/** Who looks, what the service does meanwhile, and in how many looks that is taken. */
const STATES = [
  { state: 'full', looks: 4 },
  { state: 'empty', looks: 2 },
  { state: 'loading', looks: 2 },
  { state: 'failing', looks: 2 },
] as const;
type State = (typeof STATES)[number]['state'];
type Who = 'visitor' | 'user' | 'admin';

interface Screen {
  path: string;
  who: Who;
}

/** Every path of the route tree, and behind which guard it lies. */
function screensOf(): Screen[] {
  const tree = readFileSync(join(ROOT, 'web/route-tree.gen.ts'), 'utf8');
  const guarded = new Set(
    [...tree.matchAll(/'\/_signed-in(\/[^']*)': typeof/g)].map(([, path = '']) => path.replace(/(.)\/$/, '$1')),
  );
  const paths = JSON.parse(readFileSync(join(ROOT, 'dist/web/pages.json'), 'utf8')) as string[];
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, '$1')))]
    .filter((path) => path !== '/logout')
    .sort()
    .map((path) => ({ path, who: path.startsWith('/admin') ? 'admin' : guarded.has(path) ? 'user' : 'visitor' }));
}

/** A path with examples in place of its parameters. */
function filled(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replace(/\$(\w+)/g, (_, name: string) => {
    const example = examples[`${path} $${name}`] ?? examples[`$${name}`];
    if (example === undefined) throw new Error(`${path} needs an example of $${name} in test/screens/screens.ts.`);
    return example;
  });
}

const settled = async (page: Page): Promise<void> => {
  await page.locator('#main').waitFor();
  await page
    .waitForFunction(
      () => ![...document.querySelectorAll('[role=status]')].some((note) => note.textContent?.startsWith('Loading')),
      undefined,
      { timeout: 8000 },
    )
    .catch(() => undefined);
  await page.waitForTimeout(150);
};

/** Makes the service slow for ever or broken for all but who is signed in. */
async function disturb(page: Page, state: State): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (state !== 'loading' && state !== 'failing') return;
  await page.route(/\/v1\/(?!account$)/, async (route) => {
    if (state === 'loading') return;
    await route.fulfill({
      status: 503,
      json: { success: 0, msg: 'The service is being repaired. Try again in a minute.' },
    });
  });
}

/** The pages of someone in each state: one who has everything, and one who has nothing. */
interface Sitters {
  full: Page;
  empty: Page;
}

async function sitting(browser: Browser, address: string, name: string | null, password?: string): Promise<Page> {
  const { page } = await openPage(browser, address);
  if (name === null) return page;
  await page.goto('/login');
  await signIn(page, name, password);
  await page.waitForURL(/\/(dashboard|eula)/);
  return page;
}

/** What there is to show: an order with results, links to them, and the names of who is in them. */
async function examplesOf(address: string): Promise<Record<string, string>> {
  const client = await signedIn(address);
  const { order_id, items } = await waitFor(client, await order(client, 'rok', [1003, 1004], 300), ended);
  const item = items[0]?.item_id ?? '';
  const [first] = await rowsOf(client, item);
  const link = await client.call<{ path: string }>('POST', `/v1/order/${item}/shares`, { days: 7 });
  return {
    $orderId: item,
    $id: String(first?.governor_id),
    $kingdomId: '1003',
    $tag: String(first?.alliance_tag),
    '/shared/$token $token': link.path.replace('/shared/', ''),
    $token: 'no-such-link',
    $code: 'no-such-link',
    $reportId: 'no-such-report',
    $dashboardId: '1',
    $eventId: '1',
    $botId: '1',
    _order: String(order_id),
  };
}

interface Shot {
  path: string;
  state: State;
  look: string;
  file: string;
}

async function takeScreen(sitters: Sitters, { path }: Screen, address: string, shots: Shot[]): Promise<void> {
  for (const { state, looks } of STATES) {
    const page = state === 'empty' ? sitters.empty : sitters.full;
    await disturb(page, state);
    await page.setViewportSize(DESKTOP);
    await page.goto(address, { waitUntil: 'domcontentloaded' }).catch(() => undefined);
    if (state === 'loading') await page.waitForTimeout(700);
    else await settled(page);
    for (const { look, viewport, colorScheme } of LOOKS.slice(0, looks)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(120);
      const file = `${path.replace(/[^\w-]+/g, '_')}-${state}-${look.replace(' ', '-')}.jpg`;
      await page.screenshot({ path: join(OUT, file), type: 'jpeg', quality: 60 });
      shots.push({ path, state, look, file });
    }
  }
}

const sheetOf = (shots: readonly Shot[]): string => `<!doctype html>
<meta charset="utf-8"><title>Every screen</title>
<style>body{font:14px system-ui;margin:16px;background:#888}section{display:flex;flex-wrap:wrap;gap:8px;align-items:start}
figure{margin:0}img{height:300px;display:block}figcaption,h2{color:#fff}h2{margin:24px 0 8px}</style>
${[...Map.groupBy(shots, ({ path }) => path)]
  .map(
    ([path, each]) =>
      `<h2>${path}</h2><section>${each.map(({ file, state, look }) => `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${state}, ${look}</figcaption></figure>`).join('')}</section>`,
  )
  .join('\n')}
`;

const words = process.argv.slice(2);
const service = await startService({ READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan,rok-history' });
const browser = await launchBrowser();
try {
  const { address } = service;
  const examples = await examplesOf(address);
  const user = await sitting(browser, address, 'demo', 'demo-muster');
  const { username } = await newUser(address, 1);
  const newcomer = await sitting(browser, address, username, PASSWORD);
  const admin = await sitting(browser, address, 'admin', 'admin-muster');
  const visitor = await sitting(browser, address, null);
  const sitters: Record<Who, Sitters> = {
    visitor: { full: visitor, empty: visitor },
    user: { full: user, empty: newcomer },
    admin: { full: admin, empty: admin },
  };
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const shots: Shot[] = [];
  const screens = [...screensOf(), { path: '/order/$orderId?all=true', who: 'user' as const }];
  for (const screen of screens) {
    if (words.length > 0 && !words.some((word) => screen.path.includes(word))) continue;
    const from = screen.path.includes('?') ? { ...examples, $orderId: examples._order ?? '' } : examples;
    await takeScreen(sitters[screen.who], screen, filled(screen.path, from), shots);
  }
  writeFileSync(join(OUT, 'index.html'), sheetOf(shots));
  console.log(`${shots.length} pictures of ${new Set(shots.map(({ path }) => path)).size} screens: screens/index.html`);
} finally {
  await browser.close();
  await service.remove();
}
