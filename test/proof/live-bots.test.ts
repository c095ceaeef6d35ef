import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printTable } from '../../bench/report.ts';
import { runAgent } from '../../fleet/run-agent.ts';
import { build } from '../../scripts/build.ts';
import { launchBrowser, openPage, signInByCall } from '../support/browser.ts';
import { PASSWORD, signedIn } from '../support/client.ts';
import { insertUser } from './crowd.ts';
import { type Answered, hasFailed, measured, readySource, tableOf } from './measured-calls.ts';
import { type OwnCopy, openCopy } from './own-copy.ts';

/** 500 bots work for five minutes (LIVE_SECONDS=60 for one) while an admin has the list of bots open. */

const SECONDS = Number(process.env.LIVE_SECONDS ?? 300);
const GROUPS = ['live-1', 'live-2', 'live-3', 'live-4', 'live-5'];
const BOTS = 100 * GROUPS.length;
/** The groups start one after the other, as a fleet does, because a group may call 3,000 times a minute. */
const STARTS_MS = 8000;
/** Bots without work ask ever less often. Until then the start fills a small machine. */
const SETTLING_MS = 20_000;
const KINGDOMS = Array.from({ length: 40 }, (_, index) => 1001 + index);
const GOVERNORS = 300;
/** A customer orders this often, so that bots always have work, in ms. */
const ORDER_EVERY_MS = 5000;
const CENTS_PER_ORDER = 150;
/**
 * Share of a processor that the page may use. Long tasks and late frames are printed only, because the bots and the
 * service fill the same machine, and both are measured in its time.
 */
const MOST_WORK = 0.1;

let copy: OwnCopy;
let browser: Browser;
beforeAll(async () => {
  await build();
  copy = await openCopy();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await copy?.remove();
});

/** A page's traffic, and how long its main thread worked. */
interface Watched {
  bytes: number;
  calls: number;
  failed: string[];
}

async function watch(page: Page, session: CDPSession): Promise<Watched> {
  const seen: Watched = { bytes: 0, calls: 0, failed: [] };
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    seen.bytes += encodedDataLength;
    seen.calls++;
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) seen.failed.push(`${answer.status()} ${answer.url()}`);
  });
  page.on('requestfailed', (request) => seen.failed.push(`${request.failure()?.errorText} ${request.url()}`));
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ entryTypes: ['longtask'] });
    window.frames = [];
    let last = performance.now();
    requestAnimationFrame(function next(now) { window.frames.push(now - last); last = now; requestAnimationFrame(next); });
    undefined;
  `);
  return seen;
}

/** Processor time of the page's main thread, in seconds. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Places orders until then. Returns how many. */
async function orderUntil(until: number): Promise<number> {
  const customer = await signedIn(copy.runtime.address, 'customer', PASSWORD);
  let placed = 0;
  for (; Date.now() < until; placed++) {
    const kingdom = String(KINGDOMS[placed % KINGDOMS.length]);
    const params = { kingdoms: [kingdom], governors: GOVERNORS, full_profile: true };
    const entry = { type: 'rok-kingdom-scan', params, fields: {}, price: CENTS_PER_ORDER / 100 };
    await customer.call('POST', '/v1/order/create', { orders: [entry] });
    await sleep(ORDER_EVERY_MS);
  }
  return placed;
}

test(
  `the list of bots stays live and small while ${BOTS} bots work for ${SECONDS} s`,
  async () => {
    const { address } = copy.runtime;
    await insertUser(copy.runtime, 'chief', 'admin');
    await insertUser(copy.runtime, 'customer');
    const stop = new AbortController();
    const answered: Answered[] = [];
    const troubles = new Set<string>();
    const tokens = await Promise.all(GROUPS.map((group) => copy.group(group)));
    const agents = GROUPS.map(async (name, index) => {
      await sleep(index * STARTS_MS);
      await runAgent(
        {
          ...{
            url: address,
            token: tokens[index] ?? '',
            name,
            bots: BOTS / GROUPS.length,
            paceMs: 400,
            pollMs: 60_000,
          },
          source: readySource(KINGDOMS, GOVERNORS),
          fetch: measured(answered, stop.signal) as never,
          trouble: { tell: (text) => troubles.add(text), over: () => undefined },
        },
        stop.signal,
      );
    });
    const online = () =>
      copy.figure('SELECT count(*) AS n FROM bots WHERE last_connected_at > ?', Date.now() - 120_000);
    await expect.poll(online, { timeout: 180_000 }).toBe(BOTS);

    const { page, context, errors } = await openPage(browser, address);
    await signInByCall(page, 'chief', PASSWORD);
    await sleep(SETTLING_MS);
    await page.goto('/admin/bots', { timeout: 120_000 });
    await page.getByText(`${GROUPS[0]} (${BOTS / GROUPS.length})`).waitFor();
    await page.waitForLoadState('networkidle');
    const session = await context.newCDPSession(page);
    // Processor time, because the machine's other work is not the page's.
    await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await session.send('Performance.enable');
    const seen = await watch(page, session);
    const work = await workOf(session);
    // Calls of the start are not counted.
    answered.length = 0;
    const begun = Date.now();
    const ticks = new Set<string>();
    const until = begun + SECONDS * 1000;
    const reading = (async () => {
      const cell = page
        .getByRole('region', { name: `Bots of ${GROUPS[0]}` })
        .getByText(/s ago$/)
        .first();
      for (; Date.now() < until; await sleep(1000)) ticks.add(`${await cell.textContent()}`);
    })();
    const [placed] = await Promise.all([orderUntil(until), reading]);
    const seconds = (Date.now() - begun) / 1000;
    const worked = (await workOf(session)) - work;
    const longTasks = await page.evaluate<number[]>('window.longTasks');
    const frames = (await page.evaluate<number[]>('window.frames')).toSorted((one, other) => one - other);
    const stillOnline = await online();
    stop.abort();
    await Promise.all(agents);

    const write = (line: string) => process.stdout.write(`${line}\n`);
    printTable(tableOf(answered, seconds), write);
    const figures = [
      ['bots online at the end', String(stillOnline)],
      ['orders placed', String(placed)],
      ['answers to the page', String(seen.calls)],
      ['bytes a second to the page', (seen.bytes / seconds).toFixed(0)],
      ['processor time of the main thread', `${((100 * worked) / seconds).toFixed(2)} %`],
      ['long tasks', String(longTasks.length)],
      ['longest task, ms', Math.max(0, ...longTasks).toFixed(0)],
      ['frames', String(frames.length)],
      ['frames later than 50 ms', String(frames.filter((ms) => ms > 50).length)],
      ['longest frame, ms', (frames.at(-1) ?? Number.NaN).toFixed(0)],
      ['different ages of the first bot', String(ticks.size)],
    ];
    printTable(
      figures.map(([what, count]) => ({ what: what ?? '', count: count ?? '' })),
      write,
    );

    expect([...troubles]).toEqual([]);
    expect(answered.filter(hasFailed).slice(0, 5)).toEqual([]);
    expect(errors).toEqual([]);
    expect(seen.failed).toEqual([]);
    expect(stillOnline).toBe(BOTS);
    expect(ticks.size).toBeGreaterThan(5);
    // The list is read every five seconds.
    expect(seen.calls).toBeGreaterThan(seconds / 10);
    expect(seen.bytes / seconds).toBeLessThan(1000);
    expect(worked / seconds).toBeLessThan(MOST_WORK);
  },
  (SECONDS + 500) * 1000,
);
