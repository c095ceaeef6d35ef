import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hold, launchBrowser, openPage } from '../support/browser.ts';

/** When a page changes from the reader's own font to the product's. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a page whose font is late keeps its own while it is read, and the next page has the product’s', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  const letFont = await hold(page, /\.woff2$/);
  await page.goto('/faq');
  const asked = page.waitForRequest(/\.woff2$/);
  const font = () => page.evaluate(() => document.documentElement.dataset.font ?? null);
  await page.waitForFunction(() => performance.now() > 1600);
  const arrived = asked.then(async (request) => (await request.response())?.finished());
  letFont();
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
