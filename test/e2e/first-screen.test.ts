import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';

/** Public pages: their HTML has the first screen, and React takes over what is there. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PAGES: readonly [path: string, text: RegExp][] = [
  ['/', /Kingdom \d{4}/],
  ['/leaderboard', /\d/],
  ['/leaderboard/governor', /\d(\.\d+)?[MB]/],
  ['/leaderboard/governor?page=3', /\d(\.\d+)?[MB]/],
  ['/leaderboard/alliance', /\d(\.\d+)?B/],
  ['/leaderboard/kingdom', /\d(\.\d+)?[MB]/],
  ['/leaderboard/kingdom?game=cod', /\d(\.\d+)?[MB]/],
  ['/faq', /per 100 governors/],
  ['/eula', /You may/],
  ['/maps', /leads by|won by|camp/i],
  ['/privacy', /./],
];

describe('without JavaScript', () => {
  async function plainPage(): Promise<Page> {
    const options: BrowserContextOptions = { baseURL: inject('address'), javaScriptEnabled: false, viewport: PHONE };
    return (await browser.newContext(options)).newPage();
  }

  test.each(PAGES)('%s can be read', async (path, text) => {
    const page = await plainPage();
    // The first request of a fresh copy may find its data late.
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.locator('main').textContent();
      })
      .toMatch(text);
    expect(await page.locator('[style]').count()).toBe(0);
    await page.context().close();
  });

  test('a board’s games and metrics are links', async () => {
    const page = await plainPage();
    await page.goto('/leaderboard/governor');
    await page.getByRole('link', { name: 'Killpoints' }).click();
    expect(new URL(page.url()).search).toBe('?type=killpoints');
    await page.getByRole('link', { name: 'Call of Dragons' }).click();
    expect(new URL(page.url()).search).toBe('?game=cod&type=merits');
    expect(await page.getByRole('row').count()).toBeGreaterThan(5);
    await page.context().close();
  });
});

describe('React', () => {
  test.each(PAGES)('hydrates %s without changing it or fetching its data again', async (path) => {
    for (const viewport of [DESKTOP, PHONE]) {
      const { page, context, errors } = await openPage(browser, inject('address'), viewport, 'Asia/Kolkata');
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      const asked: string[] = [];
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/v1/')) asked.push(request.url());
      });
      // The elements of the HTML stay, with what was noted on them.
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          const heading = document.querySelector('#root h1');
          if (!heading) return;
          (heading as HTMLElement & { fromServer?: boolean }).fromServer = true;
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await page.reload();
      await page.waitForLoadState('networkidle');
      const heading = page.locator('#root h1');
      expect(await heading.evaluate((element) => (element as { fromServer?: boolean }).fromServer)).toBe(true);
      expect(await heading.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')))).toBe(
        true,
      );
      expect([path, viewport.width, errors, asked]).toEqual([path, viewport.width, [], []]);
      await context.close();
    }
  });
});

test('a user gets the visitor’s page with their own navigation bar', async () => {
  const { page, errors } = await openPage(browser, inject('address'));
  await page.goto('/login');
  await signIn(page);
  await page.waitForURL(/\/dashboard/);
  const html = await (await page.request.get('/leaderboard/governor')).text();
  expect(html).toContain('href="/login"');
  expect(html).not.toContain('href="/account"');
  await page.goto('/leaderboard/governor');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Account' }).waitFor();
  // Names lead to the pages of what they name.
  await page.locator('tbody a[href^="/players/"]').first().waitFor();
  expect(errors).toEqual([]);
});

test('the cookie banner stays hidden after consent, also before the script runs', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const banner = page.locator('section[aria-label=Cookies]');
  await page.goto('/faq');
  await page.getByRole('button', { name: 'I understand' }).click();
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await banner.count()).toBe(1);
  expect(await banner.isVisible()).toBe(false);
  await context.close();
});

test('a click before the script has loaded takes effect afterwards', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const scripts = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/leaderboard/kingdom', { waitUntil: 'commit' });
  await page.getByRole('columnheader', { name: 'Players' }).getByRole('button').click();
  scripts.resolve();
  await page.waitForURL(/sort=player_count/);
  await page.locator('th[aria-sort=descending]', { hasText: 'Players' }).waitFor();
  await context.close();
});
