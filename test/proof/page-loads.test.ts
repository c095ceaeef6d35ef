import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { ADMIN_PAGES, orderedScans, PUBLIC_PAGES, settled, userPages } from './pages.ts';

/**
 * How pages come on a slow machine and a slow line: nothing that stands is pushed away by what comes later. Prints a line
 * for each page: the sum of its layout shifts, when its largest part stood, and the kilobytes of script that came for it.
 */

const MOST_SHIFT = 0.05;
/** A processor slowed so many times, a line of 1.6 Mbit/s that answers after 150 ms: a phone on the way. */
const SLOWED = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Watched {
  shifts: number;
  moved: string[];
  /** When the largest part of the page was painted, in milliseconds. */
  largest: number;
}

/** Adds up every shift of the page from its first frame on, and keeps when its largest part was painted. */
const watchShifts = () => {
  const sum = window as unknown as Watched;
  sum.shifts = 0;
  sum.moved = [];
  sum.largest = 0;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) sum.largest = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Element | null }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      sum.shifts += entry.value;
      sum.moved.push(...entry.sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`));
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

async function slowed(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  return session;
}

/** Loads each page anew; answers those that shift too much, each with by how much and what moved. */
async function walk(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  await page.addInitScript(watchShifts);
  await slowed(page);
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const path of paths) {
      await page.goto(path);
      await settled(page);
      await page.waitForTimeout(500);
      const { shifts, moved, largest, script } = await page.evaluate(() => ({
        shifts: (window as unknown as Watched).shifts,
        moved: [...new Set((window as unknown as Watched).moved)],
        largest: (window as unknown as Watched).largest,
        script: performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
      }));
      console.log(
        `${viewport.width} ${path}: shifts ${shifts.toFixed(3)}, largest part after ${Math.round(largest)} ms, ${Math.round(script / 1000)} kB of script`,
      );
      if (shifts >= MOST_SHIFT) found.push(`${viewport.width} ${path}: ${shifts.toFixed(3)} ${moved.join('; ')}`);
    }
  }
  return found;
}

test('public pages stand still while they come', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const found = await walk(page, PUBLIC_PAGES);
  await context.close();
  expect(found).toEqual([]);
}, 600_000);

test('the pages of a user stand still while they come', async () => {
  const ordered = await orderedScans(inject('address'));
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/orders');
  await signIn(page);
  await page.waitForURL(/\/orders\/?$/);
  const found = await walk(page, userPages(ordered));
  await context.close();
  expect(found).toEqual([]);
}, 600_000);

test("an admin's pages stand still while they come", async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/admin');
  await signIn(page, 'admin', 'admin-muster');
  await page.waitForURL(/\/admin\/?$/);
  const found = await walk(page, ADMIN_PAGES);
  await context.close();
  expect(found).toEqual([]);
}, 600_000);
