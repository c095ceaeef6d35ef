import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hold, launchBrowser, openPage, PHONE } from '../support/browser.ts';

/** Presses on a board's headers: before its script, and with the rows of their orders loaded ahead. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a click before the script has loaded takes effect afterwards', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const letScripts = await hold(page, /\/assets\/.*\.js$/);
  await page.goto('/leaderboard/kingdom', { waitUntil: 'commit' });
  await page.getByRole('columnheader', { name: 'Players' }).getByRole('link').click();
  letScripts();
  await page.waitForURL(/sort=player_count/);
  await page.locator('th[aria-sort=descending]', { hasText: 'Players' }).waitFor();
  await context.close();
});

/** Returns the searches of a page's requests for rows, as they are made. */
function rowsAskedBy(page: Page): string[] {
  const asked: string[] = [];
  page.on(
    'request',
    (request) => request.url().includes('/rankings/rok?') && asked.push(new URL(request.url()).search),
  );
  return asked;
}

test('a press before the script asks for its rows at once, and only once', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const letScripts = await hold(page, /\/assets\/.*\.js$/);
  const asked = rowsAskedBy(page);
  await page.goto('/leaderboard/governor', { waitUntil: 'commit' });
  const header = page.getByRole('columnheader', { name: 'Deads' });
  await header.getByRole('link').evaluate((link) => (link as HTMLAnchorElement).click());
  await expect.poll(() => asked).toEqual(['?type=power&count=50&page=0&sort=deads&ascending=false']);
  letScripts();
  await page.locator('th[aria-sort=descending]', { hasText: 'Deads' }).waitFor();
  expect(asked).toHaveLength(1);
  await context.close();
});

test('a touch screen has the rows of the orders on it before a press', async () => {
  const context = await browser.newContext({
    baseURL: inject('address'),
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  const asked = rowsAskedBy(page);
  await page.goto('/leaderboard/governor');
  const fields = () => asked.map((search) => new URLSearchParams(search).get('sort')).sort();
  // The others are beside the screen.
  await expect.poll(fields).toEqual(['gained', 'name', 'power', 'rank']);
  await page.waitForLoadState('networkidle');
  await page.route(/\/rankings/, (route) => route.abort());
  const before = await page.locator('#main tbody').first().textContent();
  await page.getByRole('columnheader', { name: 'Change' }).getByRole('link').tap();
  await page.locator('th[aria-sort=descending]', { hasText: 'Change' }).waitFor();
  await expect.poll(() => page.locator('#main tbody').first().textContent()).not.toBe(before);
  await context.close();
});
