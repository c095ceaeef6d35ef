import type { Browser } from 'playwright-core';
import { launchBrowser, PHONE } from '../../test/support/browser.ts';
import { startService } from '../../test/support/service.ts';
import { median, printTable } from '../report.ts';
import { type Front, startFront } from './front.ts';

/** First screens on a slow phone, interleaved with a plain table of the same rows. */

const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** A processor four times slower, 1.6 Mbit/s and 150 ms a request. */
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

interface Reading {
  /** First text painted, and first row or leader in the document and painted. */
  paint: number;
  row: number;
  /** React has taken over a sort header; NaN without one. */
  attached: number;
  /** A press on it, repeated until it has an effect, has one. */
  sorted: number;
  /** Time that tasks block beyond 50 ms each. */
  blocked: number;
  shift: number;
  html: number;
}

interface Probe {
  row: number;
  attached: number;
  sorted: number;
  blocked: number;
  shift: number;
}

/** Runs in the page before all else. `found` selects what the visitor came for. */
function watch({ found, header }: { found: string; header: string }): void {
  const probe: Probe = { row: Number.NaN, attached: Number.NaN, sorted: Number.NaN, blocked: 0, shift: 0 };
  Object.assign(globalThis, { probe });
  const painted = (set: () => void) => requestAnimationFrame(() => setTimeout(set));
  const look = () => {
    const cell = document.querySelector(found);
    if (Number.isNaN(probe.row) && cell?.textContent?.trim()) {
      probe.row = 0;
      painted(() => {
        probe.row = performance.now();
      });
    }
    const button = document.querySelector<HTMLElement>(header);
    if (button && Number.isNaN(probe.attached) && Object.keys(button).some((key) => key.startsWith('__react')))
      probe.attached = performance.now();
    if (button && Number.isNaN(probe.sorted)) {
      const heading = button.closest('th');
      if (heading?.getAttribute('aria-sort') === 'descending') probe.sorted = performance.now();
      // A press before React listens is repeated, as people do. A link would load the page.
      else if (!(button instanceof HTMLAnchorElement) || !Number.isNaN(probe.attached)) button.click();
    }
    if (performance.now() < 8000) setTimeout(look, 16);
  };
  look();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { hadRecentInput: boolean; value: number })[])
      if (!entry.hadRecentInput) probe.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.blocked += Math.max(0, duration - 50);
  }).observe({ type: 'longtask', buffered: true });
}

interface Screen {
  path: string;
  found: string;
  header?: string;
}

async function readingOf(browser: Browser, front: Front, screen: Screen): Promise<Reading> {
  const context = await browser.newContext({
    viewport: PHONE,
    ignoreHTTPSErrors: true,
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch, { found: screen.found, header: screen.header ?? 'no-header' });
  await page.goto(front.origin + screen.path, { waitUntil: 'load' });
  await page.waitForTimeout(4000);
  const probe = await page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
  await context.close();
  return { ...probe, paint, html: front.sent.get(screen.path) ?? Number.NaN };
}

const escaped = (text: unknown): string => String(text ?? '').replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns a page with nothing but a table of these rows. */
function plainTable(rows: readonly Record<string, unknown>[]): string {
  const keys = Object.keys(rows[0] ?? {});
  const cells = (tag: string, texts: readonly unknown[]) =>
    `<tr>${texts.map((text) => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`;
  const body = rows
    .map((row) =>
      cells(
        'td',
        keys.map((key) => row[key]),
      ),
    )
    .join('');
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plain</title><table><thead>${cells('th', keys)}</thead><tbody>${body}</tbody></table>`;
}

/** Measures every screen in turn, `ROUNDS` times. */
export async function run(): Promise<void> {
  const service = await startService({});
  const rowsOf = async (kind: string) =>
    (
      (await (await fetch(`${service.address}/v1/${kind}/rankings/rok?count=100&page=0`)).json()) as {
        data: { rankings: Record<string, unknown>[] };
      }
    ).data.rankings;
  const events = (await (await fetch(`${service.address}/v1/dashboards`)).json()) as {
    data: { events: { dashboard_id: number; game: string; snapshots: number }[] };
  };
  const event = events.data.events.find(({ game, snapshots }) => game === 'rok' && snapshots > 1);
  const board = (kind: string): Screen => ({
    path: `/leaderboard/${kind}`,
    found: '#main tbody tr:not([aria-hidden]) td:nth-child(2)',
    header: '#main th:nth-child(5) :is(button, a)',
  });
  const screens: Record<string, Screen> = {
    'plain table': { path: '/plain', found: 'tbody td' },
    governors: board('governor'),
    kingdoms: board('kingdom'),
    ...(event && { event: { path: `/dashboards/${event.dashboard_id}`, found: '#main section p strong' } }),
    home: { path: '/', found: '#main ol li a' },
  };
  const front = await startFront(service.address, { '/plain': plainTable(await rowsOf('governor')) });
  const browser = await launchBrowser();
  try {
    const readings = Object.fromEntries(Object.keys(screens).map((name): [string, Reading[]] => [name, []]));
    // The first round fills caches and counts for nothing.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, screen] of Object.entries(screens)) {
        const reading = await readingOf(browser, front, screen);
        if (round > 0) readings[name]?.push(reading);
      }
    printTable(
      Object.entries(readings).map(([name, all]) => {
        const of = (key: keyof Reading, digits = 0) => {
          const value = median(all.map((each) => each[key]));
          return Number.isNaN(value) ? '-' : value.toFixed(digits);
        };
        const shift = Math.max(...all.map((each) => each.shift)).toFixed(4);
        const times = {
          'first paint': of('paint'),
          'first row': of('row'),
          attached: of('attached'),
          sorted: of('sorted'),
        };
        return { ms: name, ...times, blocked: of('blocked'), 'worst shift': shift, 'html bytes': of('html') };
      }),
    );
  } finally {
    await browser.close();
    front.close();
    await service.remove();
  }
}
