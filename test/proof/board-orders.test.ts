import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';

/** Boards in another order: sorted by the server for the first rows, and by the browser once it has all. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('a board in all of its columns’ orders shows the same rows sorted by the server as in the browser', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const places = page.locator('#main tbody tr:not([aria-hidden]) td:first-child');
  const rows = async () => {
    await expect.poll(() => places.count()).toBe(50);
    return places.allTextContents();
  };
  for (const game of ['rok', 'cod']) {
    await page.goto(`/leaderboard/governor?game=${game}`);
    const orders = await page
      .locator('thead a')
      .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).search));
    expect(orders.length).toBeGreaterThan(10);
    for (const order of orders) {
      await page.goto(`/leaderboard/governor${order}`);
      const sorted = await rows();
      // A filter that everybody passes needs all rows.
      await page.goto(`/leaderboard/governor${order}&powerFrom=0`);
      await page.getByText('Loading the board').waitFor({ state: 'detached' });
      expect([order, await rows()]).toEqual([order, sorted]);
    }
  }
  await context.close();
});
