import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Loading parts of a page. */
const loading = (page: Page) => page.locator('main').getByText(/^Loading /);

/** Waits until a page has its heading and nothing on it is loading. */
export async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const waiting = async () => (await loading(page).allTextContents()).map((text) => `${page.url()}: ${text}`);
  // On a busy machine a page with much data takes a while.
  await expect.poll(waiting, { timeout: 45_000 }).toEqual([]);
}
