import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, PHONE } from '../support/browser.ts';
import { everyScreen, type Placed } from '../support/every-screen.ts';
import { pageOf, settled } from './pages.ts';

/**
 * How every screen loads on a slow processor and a slow line: nothing on it is moved by what comes later. Prints a
 * line per screen: the sum of its layout shifts, the time of its largest part, and its kilobytes of script.
 */

const MOST_SHIFT = 0.05;
/** A processor slowed this many times, and a line of 1.6 Mbit/s with 150 ms latency: a phone on the move. */
const SLOWED = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };

/** The time for all screens of a user in two sizes, in ms. */
const PATIENCE_MS = 900_000;

let browser: Browser;
let screens: Placed[];
beforeAll(async () => {
  screens = await everyScreen(inject('address'));
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

interface Watched {
  shifts: number;
  moved: string[];
  /** When the largest part of the page was painted, in milliseconds. */
  largest: number;
}

/** Adds up all layout shifts of the page, and records when its largest part was painted. */
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

/** Loads each page; returns those that shift too much, with the amount and what moved. */
async function walk(page: Page, stops: readonly Placed[]): Promise<string[]> {
  const found: string[] = [];
  await page.addInitScript(watchShifts);
  await slowed(page);
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const { path, at } of stops) {
      await page.goto(at);
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

// They mostly wait for their slow lines.
test.concurrent.for([
  ['a visitor', 'visitor'],
  ['a user', 'user'],
  ['an admin', 'admin'],
] as const)('the screens of %s stand still while they load', { timeout: PATIENCE_MS }, async ([, who], { expect }) => {
  const page = await pageOf(browser, inject('address'), who);
  const found = await walk(
    page,
    screens.filter((screen) => screen.who === who),
  );
  await page.context().close();
  expect(found).toEqual([]);
});
