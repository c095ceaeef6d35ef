import axe, { type RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { ADMIN_PAGES, orderedScans, PUBLIC_PAGES, settled, userPages } from './pages.ts';

/**
 * What machines can find of the barriers on our pages. Each is loaded once and read twice: on a desktop in light
 * colours and on a phone in dark ones, so that both palettes and both layouts are under it.
 */

const LOOKS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: PHONE, colorScheme: 'dark' },
] as const;

const GRAVE = ['serious', 'critical'];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Changed colours are on the screen: their transitions, short as they are, have run out. */
const repainted = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    await frame();
  });

/** Serious and critical findings, one line for each, with the first element that has it and why. */
const graveFindings = (page: Page): Promise<string[]> =>
  page.evaluate(async (grave) => {
    const options: RunOptions = { resultTypes: ['violations'] };
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options);
    return violations
      .filter(({ impact }) => grave.includes(impact ?? ''))
      .map(
        ({ id, impact, nodes }) =>
          `${impact} ${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`,
      );
  }, GRAVE);

/** An address, or what to open there. */
type Stop = string | { path: string; open: (page: Page) => Promise<void> };

/** Presses what bears that name and waits for its dialog. */
const dialogOf = (path: string, button: string): Stop => ({
  path,
  open: async (page) => {
    await page.getByRole('button', { name: button }).first().click();
    await page.getByRole('dialog').waitFor();
  },
});

/** The search, with something found. */
const searching: Stop = {
  path: '/leaderboard/kingdom',
  open: async (page) => {
    await page.keyboard.press('/');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await dialog.getByRole('combobox').fill('1001');
    await dialog.getByRole('option').first().waitFor();
  },
};

/** Walks the addresses as one visitor; answers what was found, each line with its page and look. */
async function walk(page: Page, context: BrowserContext, stops: readonly Stop[]): Promise<string[]> {
  const found: string[] = [];
  for (const { viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const stop of stops) {
      const { path, open } = typeof stop === 'string' ? { path: stop, open: undefined } : stop;
      // Loaded in its colours: Chromium keeps inherited light-dark() values of a page whose scheme changes under it.
      await page.goto(path);
      await settled(page);
      await open?.(page);
      await repainted(page);
      // A string is evaluated by the debugger's protocol, so the pages' policy on scripts stays as it is.
      await page.evaluate(axe.source);
      const findings = await graveFindings(page);
      found.push(
        ...findings.map((finding) => `${path}${open ? ' opened' : ''}, ${viewport.width} ${colorScheme}: ${finding}`),
      );
    }
  }
  await context.close();
  return found;
}

test('public pages have no grave barriers', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const found = await walk(page, context, [...PUBLIC_PAGES, searching]);
  expect(found).toEqual([]);
});

test('the pages of a user have no grave barriers', async () => {
  const ordered = await orderedScans(inject('address'));
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/orders');
  await signIn(page);
  await page.waitForURL(/\/orders\/?$/);
  const found = await walk(page, context, [
    ...userPages(ordered),
    dialogOf('/orders', 'Report Issue'),
    dialogOf(`/order/${ordered.itemId}`, 'Columns'),
    dialogOf(`/order/${ordered.itemId}`, 'Filters'),
  ]);
  expect(found).toEqual([]);
});

test("an admin's pages have no grave barriers", async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/admin');
  await signIn(page, 'admin', 'admin-muster');
  await page.waitForURL(/\/admin\/?$/);
  const found = await walk(page, context, ADMIN_PAGES);
  expect(found).toEqual([]);
});
