import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hold, launchBrowser, openPage, signIn, signInByCall, withoutWaiting } from '../support/browser.ts';

/** What pages do while an answer takes seconds, does not come, or comes after its user has gone elsewhere. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const SCRIPTS = '**/assets/*.js';

async function dashboard(address = inject('address')): Promise<Page> {
  const { page } = await openPage(browser, address);
  await signInByCall(page);
  await page.goto('/dashboard');
  await page.getByText('Welcome back').waitFor();
  return page;
}

const bar = (page: Page) => page.getByRole('progressbar', { name: 'Loading', exact: true });
const go = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).first();

/** Returns the marked entry of the navigation bar. */
const marked = (page: Page): Promise<string[]> =>
  page
    .locator('nav[aria-label="Main"] :is(a[aria-current="page"], button[data-here])')
    .evaluateAll((items) => items.filter((item) => item.checkVisibility()).map((item) => item.textContent ?? ''));

test('a slow page shows a progress bar and marks one place in the navigation', async () => {
  const page = await dashboard();
  await page.goto('/orders');
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  expect(await marked(page)).toEqual(['Orders']);
  await page.goto('/orders?page=2');
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  expect(await marked(page)).toEqual(['Orders']);
  await expect.poll(() => bar(page).count()).toBe(0);
  const release = await hold(page, SCRIPTS);
  // By key: pointing at a link would fetch its page ahead.
  await go(page, 'My Scans').focus();
  await page.keyboard.press('Enter');
  await bar(page).waitFor();
  expect(await marked(page)).toEqual(['My Scans']);
  release();
  await page.getByRole('heading', { level: 1, name: 'My Scans' }).waitFor();
  await expect.poll(() => bar(page).count()).toBe(0);
  expect(await marked(page)).toEqual(['My Scans']);
  await page.close();
});

test('a late answer does not redirect a user who has moved on', async () => {
  const { page } = await openPage(browser, inject('address'));
  await page.goto('/login');
  const releaseSignIn = await hold(page, '**/v1/login');
  const releaseScripts = await hold(page, SCRIPTS);
  await signIn(page);
  await page.getByRole('link', { name: 'Create an account' }).focus();
  await page.keyboard.press('Enter');
  // The sign-in is answered while its screen is still shown instead of the next one.
  const answered = page.waitForResponse('**/v1/login');
  releaseSignIn();
  await answered;
  await page.getByLabel('Username').waitFor();
  releaseScripts();
  await page.getByRole('heading', { level: 1, name: 'Create an account' }).waitFor();
  await sleep(1000);
  expect(new URL(page.url()).pathname).toBe('/register');
  await page.close();
});

/** A way to the service that can be cut: a server that is down, for a browser that is online. */
async function wayTo(address: string) {
  const { port, hostname } = new URL(address);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const end of [socket, onward]) open.add(end.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  const listen = (at: number) =>
    new Promise<number>((done) => server.listen(at, '127.0.0.1', () => done((server.address() as AddressInfo).port)));
  const own = await listen(0);
  return {
    address: `http://127.0.0.1:${own}`,
    cut: () => {
      server.close();
      for (const end of open) end.destroy();
      open.clear();
    },
    mend: () => listen(own),
  };
}

test('an open page and a newly opened one both report that the server is down', async () => {
  const way = await wayTo(inject('address'));
  const page = await dashboard(way.address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  way.cut();
  const heading = page.getByRole('heading', { level: 1, name: 'Muster cannot be reached' });
  await go(page, 'My Scans').focus();
  await page.keyboard.press('Enter');
  await heading.waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading.waitFor();
  await page.goto('/orders');
  await heading.waitFor();
  expect(await page.getByText('You are offline').count()).toBe(0);
  await way.mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.close();
  way.cut();
});

test('prices that cannot be loaded are a failure with a retry, in the price list and in the FAQ', async () => {
  const { page } = await openPage(browser, inject('address'));
  await page.clock.install();
  await page.route('**/v1/products/list', (route) => route.abort());
  await page.goto('/leaderboard');
  // A link that is pressed before the page's scripts run gets its page, with prices, from the Worker.
  await page.waitForLoadState('networkidle');
  await page.getByRole('link', { name: 'Muster' }).first().click();
  await withoutWaiting(page, page.getByRole('button', { name: 'Try again' }));
  const prices = page.getByRole('row', { name: /Rise of Kingdom scans/ });
  expect(await prices.getByRole('cell').allTextContents()).toEqual(['?', '?']);
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click();
  const answer = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Try again' }) });
  await withoutWaiting(page, answer.getByRole('button'));
  await page.unroute('**/v1/products/list');
  await answer.getByRole('button').click();
  await page.getByText(/\$0\.50/).waitFor();
});

test('a script that does not come within two minutes is a failure with a retry', async () => {
  const page = await dashboard();
  await page.clock.install();
  await page.route(SCRIPTS, () => new Promise(() => undefined));
  await go(page, 'My Scans').focus();
  await page.keyboard.press('Enter');
  await page.clock.fastForward(119_000);
  expect(await page.getByRole('heading', { name: 'This page did not load' }).count()).toBe(0);
  await page.clock.fastForward(2000);
  await page.getByRole('heading', { level: 1, name: 'This page did not load' }).waitFor();
  await page.unroute(SCRIPTS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'My Scans' }).waitFor();
  await page.close();
});
