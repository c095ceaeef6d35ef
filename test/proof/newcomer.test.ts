import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE } from '../support/browser.ts';
import { type Client, PASSWORD, signedIn } from '../support/client.ts';
import { linkMailed } from '../support/mails.ts';

/** A newcomer's whole way by keyboard: from the first page to results that a stranger sees. */

let browser: Browser;
let admin: Client;
beforeAll(async () => {
  browser = await launchBrowser();
  admin = await signedIn(inject('address'), 'admin', 'admin-muster');
});
afterAll(() => browser.close());

/** More Tab stops than any page has before the element that a newcomer looks for. */
const STOPS = 150;

/** Tabs from the current focus to an element. */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await isFocused()); stop++) {
    if (stop === STOPS) throw new Error(`The Tab key does not lead to ${target}.`);
    await page.keyboard.press('Tab');
  }
}

/** Goes to a link or a button and presses it. */
async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field and replaces its text. */
async function write(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function login(page: Page, username: string): Promise<void> {
  await write(page, page.getByLabel('Username'), username);
  await write(page, page.getByLabel('Password'), PASSWORD);
  await page.keyboard.press('Enter');
}

/** From the home page to the dashboard of a new user; returns the username. */
async function join(page: Page): Promise<string> {
  const { code } = await admin.call<{ code: string }>('POST', '/v1/admin/access-codes', { max_uses: 1 });
  const username = `new-${crypto.randomUUID().slice(0, 8)}`;
  // An invitation is also a link.
  await page.goto(`/register?code=${code}`);
  expect(await page.getByLabel('Access code').inputValue()).toBe(code);
  await page.goto('/');
  await press(page, button(page, 'I understand'));
  await page.getByRole('heading', { level: 1, name: 'Welcome to Muster!' }).waitFor();
  await page.getByText('You need an access code to create an account.').waitFor();
  await press(page, link(page, 'Create account'));
  await page.waitForURL('**/register');
  await write(page, page.getByLabel('Username'), username);
  await write(page, page.getByLabel('Full name'), 'New Comer');
  await write(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await write(page, page.getByLabel('Confirm password'), 'something else');
  await write(page, page.getByLabel('E-mail'), `${username}@mail.example`);
  await write(page, page.getByLabel('Access code'), code);
  await page.keyboard.press('Enter');
  await page.getByText('This is not the same password.').waitFor();
  await write(page, page.getByLabel('Confirm password'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login?note=registered');
  await login(page, username);
  await page.getByText('Please verify your e-mail address first').waitFor();
  await page.goto(await linkMailed(admin, `${username}@mail.example`, 'Verify your e-mail address'));
  await page.getByText('Your email address has been verified successfully! Please login to get started.').waitFor();
  await press(page, link(page, 'Login'));
  await login(page, username);
  await page.waitForURL('**/eula*');
  await press(page, button(page, 'Accept'));
  await page.getByText('Please agree first: the service needs it.').waitFor();
  await press(page, page.getByLabel('I have read the licence and accept it.'), 'Space');
  await press(page, button(page, 'Accept'));
  await page.waitForURL(/\/dashboard\/?$/);
  return username;
}

/** An order beyond the balance: it survives reload, sign-in and top-up, and is placed. */
async function orderFirst(page: Page, username: string): Promise<void> {
  await press(page, link(page, 'Order a first scan'));
  const kingdoms = page.getByRole('textbox', { name: 'Kingdoms' }).first();
  await write(page, kingdoms, '1001-1002; 1002\n1001');
  await page.getByText('for 2 kingdoms').waitFor();
  await write(page, page.getByRole('textbox', { name: 'Governors' }).first(), '100');
  await press(page, button(page, 'Add to Order').first());
  await page.getByText('Kingdoms: 1001, 1002').waitFor();
  await write(page, kingdoms, '1004');
  await page.reload();
  await expect.poll(() => kingdoms.inputValue()).toBe('1004');
  await page.context().clearCookies({ name: /session/ });
  await page.reload();
  await page.waitForURL(/\/login\?from=/);
  await login(page, username);
  await page.getByText('Kingdoms: 1001, 1002').waitFor();

  await page.getByText('Your balance does not cover this order.').waitFor();
  await page.getByText('The smallest top-up is $5.00.').waitFor();
  await press(page, button(page, 'Top up $5.00'));
  await press(page, page.getByRole('link', { name: 'Cancel' }));
  await page.getByText('Subscription attempt cancelled.').waitFor();
  await press(page, link(page, 'Back to your order'));
  await press(page, button(page, 'Top up $5.00'));
  await press(page, button(page, 'Pay 5.00 USD (test payment)'));
  await page.getByText('Topped up 5.00 USD.').waitFor();
  await page.getByText('Kingdoms: 1001, 1002').waitFor();
  expect(await kingdoms.inputValue()).toBe('1004');
  await press(page, button(page, 'Submit Order'));
  await page.waitForURL(/\/orders\/?$/);
  await link(page, 'View Combined Results').waitFor({ timeout: 30_000 });
}

/** Orders the same kingdoms again, so that there is something to compare. */
async function orderAgain(page: Page): Promise<void> {
  await press(page, link(page, 'Re-Order'));
  await page.getByText('Kingdoms: 1001, 1002').waitFor();
  await press(page, button(page, 'Submit Order'));
  await page.waitForURL(/\/orders\/?$/);
  await expect.poll(() => link(page, 'View Combined Results').count(), { timeout: 30_000 }).toBe(2);
}

/** From a row far down the results to its governor, the governor's alliance, and back to the same place. */
async function lookAround(page: Page): Promise<void> {
  const table = page.getByRole('region', { name: 'governors of the scan' });
  const scrolled = () => table.evaluate((element) => element.scrollTop);
  const allied = table.getByRole('row').filter({ has: page.locator('a[href^="/alliances/"]') });
  // Rows are rendered beyond the edge, so the last of them is not in sight yet.
  const path = await allied.last().locator('a[href^="/players/"]').getAttribute('href');
  const governor = table.locator(`a[href="${path}"]`);
  await reach(page, governor);
  const place = await scrolled();
  expect(place).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
  await page.getByText(`ID ${path?.replace('/players/', '')} `).waitFor();
  const alliance = page.getByRole('main').locator('a[href^="/alliances/"]').first();
  const tag = await alliance.textContent();
  await press(page, alliance);
  await page.waitForURL(/\/alliances\/100[12]\//);
  await page.getByRole('heading', { level: 1, name: `[${tag}]` }).waitFor();
  await page.getByRole('region', { name: 'Members' }).locator(`a[href="${path}"]`).waitFor();
  await page.goBack();
  await page.goBack();
  await governor.waitFor();
  expect(await scrolled()).toBe(place);
}

test.each([
  ['a desk', DESKTOP],
  ['a phone', PHONE],
])('at %s a newcomer joins, orders, tops up, reads, compares and shares by keyboard', async (_, viewport) => {
  const { page, context, errors } = await openPage(browser, inject('address'), viewport);
  const username = await join(page);
  await orderFirst(page, username);
  await orderAgain(page);

  await press(page, link(page, 'View Combined Results').first());
  await page.getByText('200 governors', { exact: true }).waitFor();
  await lookAround(page);
  await press(page, button(page, 'Share'));
  await press(page, button(page, 'Make a link'));
  const address = await page.getByLabel('Address of the link').inputValue();
  await page.keyboard.press('Escape');

  await press(page, link(page, 'Sums'));
  await press(page, link(page, 'Kingdom 1002'));
  await page.getByRole('heading', { level: 1, name: 'Kingdom 1002' }).waitFor();
  await page.getByText('100 governors', { exact: true }).first().waitFor();
  await press(page, page.getByRole('link', { name: /^Compare scans of 1002$/ }));
  await page.waitForURL(/\/scans\?/);
  // The scan that the newcomer came from is the end of the range; the older one is the last in the list.
  await press(page, page.getByRole('checkbox', { name: /^From Kingdom 1002, / }).last(), 'Space');
  await press(page, link(page, 'Compare'));
  await page.waitForURL(/\/compare\?/);
  // Within minutes, hardly any governor passes rank 100.
  await page.getByText(/^(9\d|100) governors on both sides, \d joined, \d left\.$/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  expect(errors).toEqual([]);
  await context.close();

  const stranger = await openPage(browser, inject('address'), viewport);
  await stranger.page.goto(new URL(address).pathname);
  await stranger.page.getByText('200 governors', { exact: true }).waitFor();
  await stranger.page.getByRole('heading', { level: 1, name: '2 kingdoms' }).waitFor();
  expect(await stranger.page.locator('#main a[href^="/players/"]').count()).toBe(0);
  expect(stranger.errors).toEqual([]);
  await stranger.context.close();
});
