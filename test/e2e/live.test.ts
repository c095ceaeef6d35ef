import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { order, signedIn } from '../support/client.ts';

/** Live updates of orders on a page: one socket, its loss and return, the end of an order. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

interface Lines {
  opened: WebSocketRoute[];
  /** While true, no socket gets through. */
  cut: boolean;
}

/** Proxies the page's WebSockets, to observe and to break them. */
async function lineOf(page: Page): Promise<Lines> {
  const lines: Lines = { opened: [], cut: false };
  await page.routeWebSocket(/\/v1\/orders\/live/, (socket) => {
    if (lines.cut) return void socket.close();
    lines.opened.push(socket);
    socket.connectToServer();
  });
  return lines;
}

/** The list's own refresh, and the longest wait before a lost socket is opened again (web/api/live-socket.ts). */
const REFRESH_MS = 10_000;
const LONGEST_RETRY_MS = 60_000;

const countdown = (page: Page) => page.getByText(/Refresh in/);

test('the orders page follows all orders over one socket and reconnects if it breaks', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
  const lines = await lineOf(page);
  // The page's timers can be sent ahead; until then they keep time.
  await page.clock.install();
  await signInByCall(page);
  await page.goto('/orders');
  const caller = await signedIn(inject('address'));
  // The agent prepares this new kingdom for two minutes: the order moves as long as the test needs it to.
  const slow = await order(caller, 'rok', [1041], 100);
  const refresh = page.getByRole('button', { name: 'Refresh orders' });
  await refresh.click();
  await page.getByText(/Bots need to reach it first/).waitFor();
  await expect.poll(() => lines.opened.length).toBe(1);
  expect(await countdown(page).count()).toBe(1);

  lines.cut = true;
  await (lines.opened[0] as WebSocketRoute).close();
  // Without a socket the list's own refresh goes on.
  let refreshes = 0;
  page.on('response', (response) => {
    if (/\/v1\/orders(\?|$)/.test(response.url())) refreshes++;
  });
  const sendAhead = () => page.clock.fastForward(REFRESH_MS).then(() => refreshes);
  await expect.poll(sendAhead, { interval: 300 }).toBeGreaterThan(0);
  lines.cut = false;
  await page.clock.fastForward(LONGEST_RETRY_MS);
  await expect.poll(() => lines.opened.length, { timeout: 30_000 }).toBe(2);

  const quick = await order(caller, 'rok', [1022], 200);
  await refresh.click();
  await expect.poll(() => lines.opened.length).toBe(3);
  expect((lines.opened[2] as WebSocketRoute).url()).toContain(`orders=${quick},${slow}`);
  await page.getByRole('dialog', { name: `Order #${quick} is finished` }).waitFor({ timeout: 60_000 });
  await page
    .getByRole('article', { name: `Order #${quick}` })
    .getByRole('link', { name: 'View Results' })
    .waitFor();

  await caller.call('POST', `/v1/order/${slow}/cancel`);
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
  await expect.poll(() => countdown(page).count()).toBe(0);
  expect(lines.opened).toHaveLength(3);
  expect(await page.getByRole('dialog', { name: `Order #${slow}` }).count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test('a dashboard that is opened follows the orders on it', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  const lines = await lineOf(page);
  await signInByCall(page);
  const caller = await signedIn(inject('address'));
  const id = await order(caller, 'rok', [1042], 100);
  await page.goto('/dashboard');
  const progress = page.getByRole('progressbar', { name: `Progress of order #${id}` });
  await progress.waitFor();
  await expect.poll(() => lines.opened.map((line) => line.url()).join()).toContain(String(id));
  await caller.call('POST', `/v1/order/${id}/cancel`);
  await progress.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
  await context.close();
});

test('the end of an order is announced on other screens, with a link to its results', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  await signInByCall(page);
  await page.goto('/orders');
  const id = await order(await signedIn(inject('address')), 'rok', [1023], 600);
  await page.getByRole('button', { name: 'Refresh orders' }).click();
  await page.getByRole('progressbar').first().waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).first().click();
  await page.waitForURL(/\/dashboard/);
  // As in a hidden tab, whose title shows the news.
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  const toast = page.getByRole('dialog', { name: `Order #${id} is finished` });
  await toast.waitFor({ timeout: 60_000 });
  expect(await page.title()).toBe(`✓ Order #${id} finished · Muster`);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  expect(await page.title()).toBe('Dashboard · Muster');
  await toast.getByRole('link', { name: 'View Results' }).click();
  await page.waitForURL(/\/order\/i/);
  await page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('a user chooses mail and a Discord webhook, whose address is not shown again, and turns them off', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
  await signInByCall(page, 'admin', 'admin-muster');
  await page.goto('/account/notifications');
  const mail = page.getByRole('checkbox', { name: 'Mail me when an order is finished' });
  // Not check(): the box shows the new state before the service knows it.
  await mail.click();
  await expect.poll(() => mail.isChecked()).toBe(true);
  const address = page.getByRole('textbox', { name: 'Webhook’s address' });
  const token = 'a'.repeat(60);
  await address.fill(`https://discord.example/api/webhooks/123456789012345678/${token}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be the address of a Discord webhook').waitFor();
  await address.fill(`https://discord.com/api/webhooks/123456789012345678/${token}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('discord.com/api/webhooks/…5678/…').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('A local copy only logs messages.').waitFor();

  await page.reload();
  await page.getByText('…5678/…').waitFor();
  expect(await mail.isChecked()).toBe(true);
  expect(await page.content()).not.toContain(token);
  await mail.click();
  await expect.poll(() => mail.isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  await page.reload();
  await address.waitFor();
  expect(await mail.isChecked()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  expect(errors).toEqual([]);
  await context.close();
});
