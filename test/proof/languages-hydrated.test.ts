import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { LOCALES, localPath } from '../../domain/language/locales.ts';
import { launchBrowser, openPage, PHONE } from '../support/browser.ts';
import { settled } from './pages.ts';

/** Loads the pages where visitors arrive in every language on a phone: React takes over the Worker's markup as it is. */

const BOARDS = ['/leaderboard/governor', '/leaderboard/alliance', '/leaderboard/kingdom'];
const MOST_SHIFT = 0.003;

interface Watched {
  seen: { value: number; moved: string[] }[];
  /** The heading of the Worker's markup. */
  rendered?: Element | null;
}

interface Shift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/** Collects layout shifts and keeps the heading of the Worker's markup. Runs in the page. */
const watch = () => {
  const watched = window as unknown as Watched;
  watched.seen = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      watched.seen.push({ value, moved: sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '') });
  }).observe({ type: 'layout-shift', buffered: true });
  document.addEventListener('DOMContentLoaded', () => {
    watched.rendered = document.querySelector('#main h1');
  });
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Returns the path of an event with gains. */
async function eventPath(): Promise<string> {
  const { data } = (await (await fetch(`${inject('address')}/v1/dashboards?game=rok`)).json()) as {
    data: { events: { dashboard_id: number; snapshots: number }[] };
  };
  return `/dashboards/${data.events.find(({ snapshots }) => snapshots > 1)?.dashboard_id}`;
}

// Each waits for its network to fall silent.
test.concurrent.for(LOCALES)(
  '%s: React takes over home, boards and an event, and nothing shifts',
  async (locale, { expect }) => {
    const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
    await page.addInitScript(watch);
    const found: unknown[] = [];
    for (const path of ['/', ...BOARDS, await eventPath()]) {
      await page.goto(localPath(locale, path));
      await settled(page);
      await page.waitForLoadState('networkidle');
      const { shifts, isSame } = await page.evaluate(() => {
        const { seen, rendered } = window as unknown as Watched;
        return { shifts: seen, isSame: rendered === document.querySelector('#main h1') };
      });
      if (!isSame) found.push(`${path}: drawn again`);
      if (shifts.reduce((sum, { value }) => sum + value, 0) > MOST_SHIFT) found.push({ path, shifts });
    }
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  },
);
