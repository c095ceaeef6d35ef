import type { Browser } from 'playwright-core';
import { launchBrowser, PHONE } from '../../test/support/browser.ts';
import { startService } from '../../test/support/service.ts';
import { sized } from '../quick.ts';
import { type Bar, judge, median, printTable } from '../report.ts';
import { type Front, startFront } from './front.ts';
import { renderingCost } from './rendering.ts';
import { startUp } from './start-up.ts';

/** First screens on a slow phone, interleaved with a plain table of the same rows. */

const ROUNDS = Number(process.env.ROUNDS ?? sized(5, 1));
/** Rounds that fill caches and count for nothing. */
const FIRST_ROUNDS = sized(1, 0);
/** A processor four times slower, 1.6 Mbit/s and 150 ms a request. */
const SLOWER = 4;
/** 50 ms more than before the Worker rendered pages (docs/decisions/memory.md). */
const START_UP_MS = 140;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

interface Reading {
  /** First text painted, then what the visitor came for: the first row, or who leads. */
  paint: number;
  row: number;
  /** An event's first rows painted; NaN without them. */
  rows: number;
  /** React has taken over a sort header; NaN without one. */
  attached: number;
  /** A press on it, made once the first row is painted, has an effect. */
  sorted: number;
  /** From a press on another header to the painted rows, once the page is idle; NaN without one. */
  press: number;
  /** The same for an order whose rows are here already. */
  repress: number;
  /** Time that tasks block beyond 50 ms each. */
  blocked: number;
  shift: number;
  html: number;
}

interface Probe {
  row: number;
  rows: number;
  attached: number;
  sorted: number;
  blocked: number;
  shift: number;
}

/** Runs in the page before all else. */
function watch({ found, rows, header }: Record<'found' | 'rows' | 'header', string>): void {
  const probe: Probe = {
    row: Number.NaN,
    rows: Number.NaN,
    attached: Number.NaN,
    sorted: Number.NaN,
    blocked: 0,
    shift: 0,
  };
  Object.assign(globalThis, { probe });
  const painted = (set: () => void) => requestAnimationFrame(() => setTimeout(set));
  const seek = (selector: string, into: 'row' | 'rows') => {
    if (!Number.isNaN(probe[into]) || !document.querySelector(selector)?.textContent?.trim()) return;
    probe[into] = 0;
    painted(() => {
      probe[into] = performance.now();
    });
  };
  let pressed = false;
  const look = () => {
    seek(found, 'row');
    seek(rows, 'rows');
    const button = document.querySelector<HTMLElement>(header);
    if (button && Number.isNaN(probe.attached) && Object.keys(button).some((key) => key.startsWith('__react')))
      probe.attached = performance.now();
    if (button && Number.isNaN(probe.sorted)) {
      const heading = button.closest('th');
      if (heading?.getAttribute('aria-sort') === 'descending') probe.sorted = performance.now();
      // A press before React listens is repeated, as people do. The page keeps one on a link itself.
      else if (probe.row > 0 && (!pressed || !(button instanceof HTMLAnchorElement))) {
        pressed = true;
        button.click();
      }
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

/** Presses a header. Returns the ms until its rows are painted. */
function press(header: string): Promise<number> {
  const button = document.querySelector<HTMLElement>(header);
  const heading = button?.closest('th');
  const rows = () => document.querySelector('#main tbody')?.textContent;
  const [before, order, began] = [rows(), heading?.ariaSort, performance.now()];
  button?.click();
  return new Promise((done) => {
    const look = () => {
      if (performance.now() > began + 5000) done(Number.NaN);
      else if (heading?.ariaSort === order || rows() === before) requestAnimationFrame(look);
      // After the frame that shows them.
      else requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    };
    look();
  });
}

interface Screen {
  path: string;
  /** Selector of the content that a visit is for. */
  found: string;
  /** Selector of the rows, if they are painted after that content. */
  rows?: string;
  /** Two headers to sort by. */
  headers?: readonly [string, string];
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
  const { found, rows = 'none', headers } = screen;
  await page.addInitScript(watch, { found, rows, header: headers?.[0] ?? 'none' });
  await page.goto(front.origin + screen.path, { waitUntil: 'load' });
  await page.waitForTimeout(4000);
  const probe = await page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
  const presses = { press: Number.NaN, repress: Number.NaN };
  if (headers) {
    presses.press = await page.evaluate(press, headers[1]);
    await page.waitForTimeout(1000);
    presses.repress = await page.evaluate(press, headers[0]);
  }
  await context.close();
  return { ...probe, ...presses, paint, html: front.sent.get(screen.path) ?? Number.NaN };
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

const ROWS = '#main tbody tr:not([aria-hidden]) td:nth-child(2)';
const header = (column: number): string => `#main th:nth-child(${column}) :is(button, a)`;

const board = (kind: string, headers: [string, string]): Screen => ({
  path: `/leaderboard/${kind}`,
  found: ROWS,
  headers,
});

/** The screens by name; the event's is left out if the copy has none. */
async function screensOf(address: string): Promise<Record<string, Screen>> {
  const events = (await (await fetch(`${address}/v1/dashboards`)).json()) as {
    data: { events: { dashboard_id: number; game: string; snapshots: number }[] };
  };
  const event = events.data.events.find(({ game, snapshots }) => game === 'rok' && snapshots > 1);
  return {
    'plain table': { path: '/plain', found: 'tbody td' },
    governors: board('governor', [header(5), header(6)]),
    // By power, the orders of two depths can be the same.
    kingdoms: board('kingdom', [header(5), header(7)]),
    ...(event && {
      event: {
        path: `/dashboards/${event.dashboard_id}`,
        found: '#main section p strong',
        rows: ROWS,
        headers: [header(6), header(7)],
      },
    }),
    home: { path: '/', found: '#main ol li a' },
  };
}

/** Measures every screen in turn, `ROUNDS` times, then the processor's part. */
export async function run(): Promise<void> {
  const service = await startService({});
  const rows = await fetch(`${service.address}/v1/governor/rankings/rok?count=100&page=0`);
  const { data } = (await rows.json()) as { data: { rankings: Record<string, unknown>[] } };
  const screens = await screensOf(service.address);
  const front = await startFront(service.address, { '/plain': plainTable(data.rankings) });
  const browser = await launchBrowser();
  try {
    const readings: Record<string, Reading[]> = Object.fromEntries(Object.keys(screens).map((name) => [name, []]));
    for (let round = 0; round < FIRST_ROUNDS + ROUNDS; round++)
      for (const [name, screen] of Object.entries(screens)) {
        const reading = await readingOf(browser, front, screen);
        if (round >= FIRST_ROUNDS) readings[name]?.push(reading);
      }
    print(readings);
    await service.stop();
    const cost = await renderingCost(service.stateDir);
    console.log(
      `  processor per page: ${cost.rendered.toFixed(1)} ms rendered, ${cost.cached.toFixed(1)} ms from memory`,
    );
    judge([
      ...barsOf(readings),
      { what: 'rendering, ms', reached: cost.rendered - cost.cached, wanted: 3, below: true },
      { what: 'start of the Worker, ms', reached: await startUp(), wanted: START_UP_MS, below: true },
    ]);
  } finally {
    await browser.close();
    front.close();
    await service.remove();
  }
}

const middle = (readings: readonly Reading[] | undefined, key: keyof Reading): number =>
  median((readings ?? []).map((each) => each[key]));

const worst = (readings: readonly Reading[], key: keyof Reading): number =>
  Math.max(...readings.map((each) => each[key]));

function print(readings: Readonly<Record<string, readonly Reading[]>>): void {
  printTable(
    Object.entries(readings).map(([name, all]) => {
      const of = (key: keyof Reading) => {
        const value = middle(all, key);
        return Number.isNaN(value) ? '-' : value.toFixed(0);
      };
      return {
        ms: name,
        'first paint': of('paint'),
        'first row': of('row'),
        'event rows': of('rows'),
        attached: of('attached'),
        sorted: of('sorted'),
        press: of('press'),
        repress: of('repress'),
        blocked: of('blocked'),
        'worst shift': worst(all, 'shift').toFixed(4),
        'html bytes': of('html'),
      };
    }),
  );
}

/** Returns the bars. Times that depend on the machine are relative to those of the plain table. */
function barsOf(readings: Readonly<Record<string, readonly Reading[]>>): Bar[] {
  const plain = middle(readings['plain table'], 'paint');
  const { governors, kingdoms, event } = readings;
  const times = (name: string, of: readonly Reading[] | undefined, key: 'row' | 'rows', wanted: number): Bar => ({
    what: `${name}, times the plain table's paint`,
    reached: middle(of, key) / plain,
    wanted,
    below: true,
  });
  const below = (what: string, reached: number, wanted: number): Bar => ({ what, reached, wanted, below: true });
  return [
    times('first governor', governors, 'row', 1.8),
    times('first kingdom', kingdoms, 'row', 1.8),
    times('who leads an event', event, 'row', 1.8),
    times('an event’s rows', event, 'rows', 2.5),
    below('sort with an effect on governors, ms', middle(governors, 'sorted'), 2123),
    below('sort of governors that are here, ms', middle(governors, 'repress'), 150),
    below('sort of kingdoms that are here, ms', middle(kingdoms, 'repress'), 150),
    below('sort of an event, ms', middle(event, 'repress'), 150),
    below('HTML of the governors’ board, kB', middle(governors, 'html') / 1000, 13),
    below('worst layout shift, thousandths', 1000 * worst(Object.values(readings).flat(), 'shift'), 3),
  ];
}
