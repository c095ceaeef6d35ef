import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, signInByCall } from '../support/browser.ts';
import { balanceOf, type Client, newUser, order, PASSWORD } from '../support/client.ts';

/** Clicks, changes and navigation while a request is pending. */

let browser: Browser;
let page: Page;
let client: Client;
let username: string;
beforeAll(async () => {
  browser = await launchBrowser();
  ({ client, username } = await newUser(inject('address'), 5));
  page = await at('/orders/new', username, PASSWORD);
});
afterAll(() => browser.close());

async function at(path: string, user: string, password: string): Promise<Page> {
  const opened = await openPage(browser, inject('address'));
  await signInByCall(opened.page, user, password);
  await opened.page.goto(path);
  return opened.page;
}

const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });

/** Lets a call reach the service at once, and its answer the page that much later. */
const late = (path: string | RegExp, ms: number) =>
  page.route(path, async (route: Route) => {
    const response = await route.fetch();
    await sleep(ms);
    await route.fulfill({ response }).catch(() => undefined);
  });

/** Answers a list whose orders are all runs of one schedule. */
async function runsOfASchedule(route: Route): Promise<void> {
  const response = await route.fetch();
  const { data, ...envelope } = (await response.json()) as { data: { orders: object[] } };
  const orders = data.orders.map((each) => ({ ...each, schedule_id: 7 }));
  await route.fulfill({ response, json: { ...envelope, data: { ...data, orders } } });
}

/** Makes the page believe that the user has returned to its tab. */
const refocused = (on: Page) => on.evaluate(() => dispatchEvent(new Event('visibilitychange')));

test('loading what is known of a kingdom shifts no content below it', async () => {
  const asked = /\/kingdoms\?kingdoms=/;
  await late(asked, 700);
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill('1001');
  await page.getByRole('textbox', { name: 'Governors' }).first().fill('100');
  await button('Add to Order').first().click();
  const summary = page.getByRole('region', { name: 'Order summary' });
  const height = async () => (await page.getByLabel('Later or repeated').boundingBox())?.y;
  await summary.getByRole('list', { name: 'What we know of them' }).waitFor({ state: 'attached' });
  const before = await height();
  await summary.getByText(/^Known: 1001/).waitFor();
  expect(await height()).toBe(before);
  await page.unroute(asked);
  await page.getByLabel(/^Remove /).click();
});

test('an order being sent is not changed or sent twice, and redirects nobody who has left', async () => {
  const kingdoms = page.getByRole('textbox', { name: 'Kingdoms' }).first();
  await kingdoms.fill('1006');
  await page.getByRole('textbox', { name: 'Governors' }).first().fill('100');
  await button('Add to Order').first().click();
  await late('**/v1/order/create', 700);
  await button('Submit Order').click();
  await page.getByText('Submitting…').waitFor();
  const canChange = (what: ReturnType<Page['locator']>) =>
    what.evaluate((field: HTMLElement) => {
      field.focus();
      return document.activeElement === field;
    });
  for (const what of [kingdoms, page.getByLabel('Later or repeated'), page.getByLabel(/^Remove /)])
    expect(await canChange(what)).toBe(false);
  await page.getByTitle('Your balance').click();
  await page.getByLabel('Amount in USD').fill('77');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('order-draft'))).toBeNull();
  await page.getByRole('link', { name: 'Balance $4.50' }).waitFor();
  expect([await page.getByLabel('Amount in USD').inputValue(), await balanceOf(client)]).toEqual(['77', 4.5]);

  await page.route(/\/v1\/orders(\?|$)/, runsOfASchedule);
  // A letter and a choice, one right after the other: the list is narrowed by both.
  await page.goto('/orders');
  await page.getByLabel('Search orders').pressSequentially('10');
  await page.getByLabel('State').selectOption('failed');
  await page.waitForURL(({ searchParams }) => searchParams.has('state') && searchParams.has('search'));
  await page.getByText('Show all orders').first().click();
  // A selection of text may end outside the window.
  await button('Report Issue').click();
  const words = page.getByLabel('What is wrong');
  await words.fill('Half of the rows.');
  const { x, y } = (await words.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 40, y + 12);
  await page.mouse.down();
  await page.mouse.move(3, y + 12);
  await page.mouse.up();
  // The schedule places another order meanwhile, and its card takes the place of this one.
  await order(client, 'rok', [1007], 100);
  const earlier = page.getByText('1 earlier run of schedule #7');
  await expect.poll(() => refocused(page).then(() => earlier.count())).toBe(1);
  expect(await words.inputValue()).toBe('Half of the rows.');
  await page.unroute(/\/v1\/orders(\?|$)/);
  await page.mouse.click(3, y + 12);
  await words.waitFor({ state: 'detached' });
});

test('a form is cleared once it was sent and keeps its content if it was refused', async () => {
  const desk = await at('/admin/payments', 'admin', 'admin-muster');
  const [who, reason] = [desk.getByLabel('Username'), desk.getByLabel('Reason')];
  const give = async (name: string) => {
    await who.fill(name);
    await desk.getByLabel('Amount in USD').fill('5');
    await reason.fill('As agreed.');
    await button('Adjust', desk).click();
  };
  const before = await balanceOf(client);
  for (const more of [5, 10]) {
    await give(username);
    await desk.getByText('The balance was adjusted.').waitFor();
    expect([await who.inputValue(), await reason.inputValue(), await balanceOf(client)]).toEqual([
      '',
      '',
      before + more,
    ]);
  }
  await give('nobody-of-that-name');
  await expect.poll(() => desk.getByRole('form').getByRole('alert').count()).toBe(1);
  expect([await who.inputValue(), await reason.inputValue()]).toEqual(['nobody-of-that-name', 'As agreed.']);
});

test('two-factor sign-in is shown as on, even if the answer that confirmed it was lost', async () => {
  await page.goto('/account/security');
  const form = (name: string) => page.getByRole('form', { name });
  await form('Two-factor sign-in').getByLabel('Password').fill(PASSWORD);
  await button('Set up').click();
  const secret = (await page.getByText('Key: ').locator('..').textContent())?.replace(/^Key: |\s/g, '') ?? '';
  await page.route('**/two-factor/confirm', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await form('Set up two-factor sign-in').getByLabel('Code', { exact: true }).fill(code);
  await button('Switch on').click();
  await page.getByText('If you have lost your recovery codes').waitFor();
});

test('the preview requested last is shown, even if an earlier one arrives later', async () => {
  await page.goto('/scans');
  const lines = ['Governor ID,Governor Name,Power,Kill Points', '501,Ash,1000000,10', '502,Birch,2000000,20'];
  const file = { name: 'mine_2026-03-01.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await page.getByLabel('choose them').setInputFiles(file);
  const kingdom = page.getByLabel('Kingdom of these rows');
  await kingdom.fill('1111');
  await late('**/preview', 600);
  await kingdom.blur();
  await page.unroute('**/preview');
  await kingdom.fill('2222');
  await kingdom.blur();
  const shown = page.getByRole('article', { name: file.name }).getByRole('cell');
  await shown.filter({ hasText: /^2222$/ }).waitFor();
  await sleep(800);
  expect(await shown.filter({ hasText: /^1111$/ }).count()).toBe(0);
  // A field left unchanged is not checked again, so the click that leaves it saves.
  await kingdom.focus();
  await button('Save 1 scan').click();
  await page.getByText('Saved: 1 scan in your library.').waitFor();
});
