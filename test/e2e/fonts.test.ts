import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';

/** When a page changes from the reader's own font to the product's. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a page whose font is late keeps its own while it is read, and the next page has the product’s', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  const late = Promise.withResolvers<void>();
  await page.route(/\.woff2$/, async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.goto('/faq');
  const asked = page.waitForRequest(/\.woff2$/);
  const font = () => page.evaluate(() => document.documentElement.dataset.font ?? null);
  await page.waitForFunction(() => performance.now() > 1600);
  const arrived = asked.then(async (request) => (await request.response())?.finished());
  late.resolve();
  await arrived;
  await page.waitForFunction(() => document.fonts.check('1em "Inter Variable"'));
  expect(await font()).toBeNull();
  await page.getByRole('link', { name: 'Leaderboards', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();
  await expect.poll(font).toBe('');
  await page.goto('/faq');
  expect(await font()).toBe('');
  expect(errors).toEqual([]);
  await context.close();
});
