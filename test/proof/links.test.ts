import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, signIn, signInByCall } from '../support/browser.ts';
import { ended, newUser, order, PASSWORD, signedIn, waitFor } from '../support/client.ts';
import { untilShown } from '../support/until-shown.ts';

/** Every link that a newcomer finds on the public pages of a fresh copy leads to a page with content. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const BOARDS = ['governor', 'alliance', 'kingdom'].flatMap((kind) =>
  ['', '?game=cod'].map((game) => `/leaderboard/${kind}${game}`),
);

const LINKS_OF_A_KIND = 5;

/** Texts of a page that has nothing to show. */
const EMPTY =
  /wrong place|was ever seen|never scanned|No scan of (?:this game|\S+ has seen)|Nothing was found|Unexpected Application Error/i;

/** The addresses of the links in a page's content, once it is shown. */
async function linksOn(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await untilShown(page);
  const hrefs = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  const { origin } = new URL(page.url());
  const own = hrefs.map((href) => new URL(href)).filter((url) => url.origin === origin);
  return [...new Set(own.map(({ pathname, search }) => pathname + search))];
}

/** An address without the id of its governor, kingdom or event. */
const kindOf = (path: string): string =>
  path
    .replace(/[?].*/, '')
    .replace(/(alliances?\/).*/, '$1')
    .replace(/\d+/g, '1');

/** The links of public pages, each with the page that has it; the walk starts at `from`. */
async function walk(page: Page, from: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const gather = async (path: string) => {
    for (const to of await linksOn(page, path)) if (!found.has(to)) found.set(to, path);
  };
  for (const path of from) await gather(path);
  for (const path of [...found.keys()].filter((to) => /dashboards\/\d+$/.test(to))) await gather(path);
  return found;
}

test('every link on a new copy’s home page, boards and events leads to a page with content', async () => {
  const address = inject('address');
  const client = await signedIn(address);
  const { page, context, errors } = await openPage(browser, address);
  const visitors = await walk(page, ['/', '/leaderboard', ...BOARDS]);
  await signInByCall(page);
  const found = new Map([...visitors, ...(await walk(page, ['/leaderboard', ...BOARDS]))]);
  for (const kind of ['governor', 'kingdom', 'alliance']
    .map((each) => `/leaderboard/${each}/`)
    .concat('/dashboards/', '/cod-dashboards/'))
    expect([...found.keys()].some((to) => to.startsWith(kind))).toBe(true);

  // A few links of each kind and game: one caller may ask for 120 uncached profiles and events a minute.
  const alike = Map.groupBy(found, ([to, from]) => `${/cod/.test(from)} ${kindOf(to)}`);
  const gone: string[] = [];
  for (const [to, from] of [...alike.values()].flatMap((each) => each.slice(0, LINKS_OF_A_KIND))) {
    const { status } = await fetch(address + to, { headers: { cookie: client.cookie(), accept: 'text/html' } });
    if (status !== 200) gone.push(`${from} → ${to}: ${status}`);
  }
  expect(gone).toEqual([]);

  // Opens the first link of each kind and game, because a newcomer presses that one.
  const empty: string[] = [];
  for (const [to] of [...alike.values()].flatMap((each) => each.slice(0, 1))) {
    await page.goto(to);
    await untilShown(page);
    const lack = async () => {
      const text = (await page.locator('main').textContent()) ?? '';
      return EMPTY.test(text) || text.length < 100 ? text.slice(0, 200) : null;
    };
    // Home redirects users to a page of theirs, which is rendered later.
    const lacks = await expect
      .poll(lack)
      .toBeNull()
      .then(() => null, lack);
    if (lacks !== null) empty.push(`${found.get(to)} → ${to}: ${lacks}`);
  }
  expect(empty).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

test('home page, boards and totals of a new copy count the same kingdoms and governors', async () => {
  const client = await signedIn(inject('address'));
  const totals = await client.call<Record<string, { kingdoms: number; governors: number }>>('GET', '/v1/stats/global');
  for (const game of ['rok', 'cod']) {
    const kingdoms = await client.call<{ kingdom_id: number }[]>('GET', `/v1/kingdom/rankings/${game}/`);
    const { rankings } = await client.call<{ rankings: { kingdom_id: number }[] }>(
      'GET',
      `/v1/governor/rankings/${game}?type=power&count=-1&page=0`,
    );
    const listed = kingdoms.map(({ kingdom_id }) => kingdom_id);
    expect(totals[game]).toMatchObject({ kingdoms: listed.length, governors: rankings.length });
    expect(new Set(rankings.map(({ kingdom_id }) => kingdom_id))).toEqual(new Set(listed));
  }
});

test('the address of an order with one item shows the results of that item', async () => {
  const { client, username } = await newUser(inject('address'), 5);
  const orderId = await order(client, 'rok', [1005], 100);
  const { items } = await waitFor(client, orderId, ended);
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto(`/login?from=/order/${orderId}`);
  await signIn(page, username, PASSWORD);
  await page.waitForURL(`**/order/${items[0]?.item_id}`);
  await page.getByRole('heading', { name: 'Kingdom 1005', level: 1 }).waitFor();
  await page.getByRole('button', { name: /^Repair Kingdom 1005/ }).waitFor();
  await page.getByRole('link', { name: 'Compare scans of 1005' }).waitFor();
  await page.goto(`/order/${orderId}?all=true`);
  await page.getByText('Combined results of 1 kingdom').waitFor();
  await page.getByRole('region', { name: /^Statistics: 1 kingdom/ }).waitFor();
  await context.close();
});
