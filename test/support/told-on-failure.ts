import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { notHydrated, openPages } from './browser.ts';

/** A browser test that fails says what was on its screen: on another machine nobody can look again. */

/** Length of the excerpt from each end of a screen. */
const MOST_LETTERS = 1500;

async function told(page: Page, refusals: readonly string[]): Promise<string> {
  const snapshot = await page
    .locator('#main')
    .ariaSnapshot({ timeout: 5000 })
    .catch((error: Error) => error.message);
  const shown = snapshot.replaceAll(/^ *- \/url: .*\n/gm, '');
  const ends = [shown.slice(0, MOST_LETTERS), '…', shown.slice(MOST_LETTERS).slice(-MOST_LETTERS)];
  return [page.url(), ...refusals.slice(-10), ...ends].join('\n');
}

afterEach(async ({ task }) => {
  const differing = notHydrated.splice(0);
  if (differing.length > 0) throw new Error(`React did not hydrate:\n${differing.join('\n')}`);
  if (task.result?.state !== 'fail') return;
  for (const [page, refusals] of openPages) console.error(await told(page, refusals));
});
