import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signIn, signInByCall, withoutWaiting } from '../support/browser.ts';
import { ended, order, signedIn, waitFor } from '../support/client.ts';
import { csvRows } from '../support/files.ts';

const SHOTS = join(import.meta.dirname, 'shots');

let browser: Browser;
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const shot = (page: Page, name: string) => page.screenshot({ path: join(SHOTS, `${name}.png`) });

/** Fills in the first product's form and adds it to the order. */
async function add(page: Page, kingdoms: string, governors: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill(kingdoms);
  await page.getByRole('textbox', { name: 'Governors' }).first().fill(governors);
  await page.getByRole('button', { name: 'Add to Order' }).first().click();
}

/** The text of a column of the results table, from the top. */
const column = (page: Page, title: string): Promise<string[]> =>
  page.evaluate((wanted) => {
    const headers = [...document.querySelectorAll('[role=columnheader], th')];
    const at = headers.findIndex((header) => header.textContent?.trim().startsWith(wanted));
    const rows = [...document.querySelectorAll('[role=row], tr')].slice(1, 9);
    return rows.map((row) => {
      const cell = [...row.querySelectorAll('[role=cell], [role=gridcell], td')][at];
      return cell?.getAttribute('title') ?? cell?.textContent ?? '';
    });
  }, title);

/** Returns the file with the code of a screen that contains this word. */
function partOf(path: string, word: string): string {
  const built = join(import.meta.dirname, '../../dist/web');
  const needs = JSON.parse(readFileSync(join(built, 'route-preloads.json'), 'utf8'));
  return needs[path].files.find((file: string) => readFileSync(join(built, file), 'utf8').includes(word));
}

const figures = (texts: string[]): number[] => texts.map((text) => Number(text.replaceAll(',', '')));

/** Returns whether the page is wider than the screen, which is a fault on phones. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

test('a visitor signs in, continues to the order they wanted and watches it fill', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  let loads = 0;
  page.on('load', () => loads++);

  await page.goto('/orders/new');
  await page.waitForURL(/\/login\?from=/);
  await shot(page, 'login');
  await signIn(page);
  await page.waitForURL('**/orders/new');

  await add(page, '1001', '50');
  await page.getByText('The following value is out-of-bounds for Governors: 50').waitFor();
  await add(page, '1001', '3000');
  await page.getByText('$15.00').first().waitFor();
  await shot(page, 'new-order');
  const loadsBefore = loads;
  await page.getByRole('button', { name: 'Submit Order' }).click();
  await page.waitForURL(/\/orders\/?$/);

  const bar = page.getByRole('progressbar').first();
  const seen = new Set<number>();
  await bar.waitFor();
  await shot(page, 'orders-in-progress');
  while ((await bar.count()) > 0)
    seen.add(Number(await bar.getAttribute('aria-valuenow', { timeout: 500 }).catch(() => 0)));
  await page.getByRole('link', { name: 'View Results' }).first().waitFor();
  expect(loads).toBe(loadsBefore);
  expect([...seen].some((percent) => percent > 0 && percent < 100)).toBe(true);
  await shot(page, 'orders');

  await page.getByRole('link', { name: 'View Results' }).first().click();
  await page.waitForURL(/\/order\//);
  await page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
  const powers = figures(await column(page, 'Power'));
  expect(powers.length).toBeGreaterThan(5);
  expect(powers).toEqual([...powers].sort((a, b) => b - a));
  await page.getByRole('columnheader', { name: /Kill/ }).getByRole('button').click();
  const points = figures(await column(page, 'Kill'));
  expect(points).toEqual([...points].sort((a, b) => b - a));
  await shot(page, 'results');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name: /as csv/ })
      .first()
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe('results.csv');
  expect(csvRows(readFileSync(await download.path())).length).toBeGreaterThan(1999);
  expect(errors).toEqual([]);
  await context.close();
});

test('every screen of the main job fits a phone', async () => {
  const client = await signedIn(inject('address'));
  await waitFor(client, await order(client, 'rok', [1002], 300), ended);
  const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
  await page.goto('/orders');
  await page.waitForURL(/\/login/);
  expect(await overflows(page)).toBe(false);
  await signIn(page);
  await page.waitForURL(/\/orders\/?$/);
  await page.getByRole('link', { name: 'View Results' }).first().waitFor();
  expect(await overflows(page)).toBe(false);
  await shot(page, 'phone-orders');

  await page.getByRole('link', { name: 'View Results' }).first().click();
  await page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
  expect(await overflows(page)).toBe(false);
  await shot(page, 'phone-results');

  await page.goto('/orders/new');
  await page.getByRole('button', { name: 'Submit Order' }).waitFor();
  expect(await overflows(page)).toBe(false);
  await shot(page, 'phone-new-order');

  await page.goto('/no/such/page');
  await page.getByText("This page doesn't exist - seems you're in the wrong place!").waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('a wrong password shows an error and signs nobody in', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/login');
  await page.getByLabel('Username').fill('demo');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByText('The username or password is wrong.').waitFor();
  await page.goto('/orders');
  await page.waitForURL(/\/login/);
  await context.close();
});

test('a dashboard that cannot load its figures shows errors and does not retry endlessly', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await signInByCall(page);
  let asked = 0;
  await page.route(/\/v1\/monitored\//, (route) => {
    asked++;
    return route.fulfill({ status: 503, json: { success: 0, msg: 'The service is being repaired.' } });
  });
  await page.clock.install();
  await page.goto('/dashboard');
  // The changes and the kingdoms each have their own button.
  await withoutWaiting(page, page.getByRole('button', { name: 'Try again' }).nth(1));
  // A minute later there was no other round.
  const before = asked;
  await page.clock.fastForward(60_000);
  await page.evaluate(() => fetch('/v1/health').then(() => undefined));
  expect(asked).toBe(before);
  expect(await page.getByText('The service is being repaired.').count()).toBe(2);
  await context.close();
});

test('a missing script reloads the page once, then shows a message; hovering over a link does neither', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  let loads = 0;
  page.on('load', () => loads++);
  await page.goto('/faq');
  const imprint = partOf('/imprint', 'imprint');
  await page.route(`**${imprint}`, (route) => route.abort());
  const link = page.getByRole('link', { name: 'Imprint' });
  const asked = page.waitForEvent('requestfailed');
  await link.hover();
  await asked;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect([loads, new URL(page.url()).pathname]).toEqual([1, '/faq']);

  // Links that lead to no page keep the notice.
  await page.evaluate(() => dispatchEvent(new Event('beforeunload')));
  await link.click();
  const said = page.getByRole('heading', { name: 'A new version is here' });
  await said.waitFor();
  expect(loads).toBe(1);

  await page.goto('/faq');
  loads = 0;
  // Before the app has taken over, the link is a plain one, which loads the page. Only the app fetches it on hover.
  const fetched = page.waitForEvent('requestfailed');
  await link.hover();
  await fetched;
  await link.click();
  await page.getByText('The page was reloaded.').waitFor();
  await said.waitFor();
  expect(loads).toBe(1);
  await page.unroute(`**${imprint}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Imprint' }).waitFor();
  await context.close();
});

test('going back before the next screen has loaded restores the scroll position', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await signInByCall(page);
  await page.goto('/leaderboard/governor');
  const rows = page.locator('tbody tr:not([aria-hidden])');
  await rows.nth(40).waitFor();
  await rows.nth(40).scrollIntoViewIfNeeded();
  const left = await page.evaluate(() => scrollY);
  expect(left).toBeGreaterThan(500);
  // Its code never comes, so that bar and skeleton stand, which are no longer than the window.
  const code = `**${partOf('/account', 'Member since')}`;
  const part = page.waitForRequest(code);
  await page.route(code, () => undefined);
  // A click by the mouse would scroll to the link first.
  await page.getByRole('link', { name: 'My Account' }).first().waitFor();
  await page.evaluate(() => document.querySelector<HTMLElement>('header a[href="/account"]')?.click());
  await part;
  await page.waitForFunction(() => document.querySelector('tbody') === null);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await page.evaluate(() => scrollY)).toBeLessThan(left);
  await page.goBack();
  await rows.nth(40).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left);
  await context.close();
});
