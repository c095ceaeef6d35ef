import type { Browser, Page } from 'playwright-core';
import { openPage, signIn } from '../support/browser.ts';
import type { Who } from '../support/every-screen.ts';

/** Walks the product's screens for proofs. */

/** Opens a page for a signed-in user or a visitor, without the cookie banner. */
export async function pageOf(browser: Browser, address: string, who: Who): Promise<Page> {
  const { page } = await openPage(browser, address);
  await page.goto('/login');
  await page.getByRole('button', { name: 'I understand' }).click();
  if (who === 'visitor') return page;
  await (who === 'admin' ? signIn(page, 'admin', 'admin-muster') : signIn(page));
  await page.waitForURL('**/dashboard');
  return page;
}

/** Waits until a change is painted. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** Waits until the page's script has drawn and nothing is being fetched. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(hasSettled);
}

/** True once that is so. Runs in the page. */
export const hasSettled = (): boolean =>
  document.querySelector('#main h1')?.checkVisibility({ visibilityProperty: true }) === true &&
  // React has drawn it, or taken it over from the Worker.
  Object.keys(document.querySelector('#main h1') ?? {}).some((key) => key.startsWith('__react')) &&
  // What is announced as loading, in any language (web/ui/skeleton.tsx).
  !document.querySelector('[role=status] + noscript');
