import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { newUser, PASSWORD, signedIn } from '../support/client.ts';

/** A visitor's and a user's way through the service in other languages. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The page's language and direction, and whether the page was not loaded again since `mark`. */
const language = () => ({
  lang: document.documentElement.lang,
  dir: document.documentElement.dir,
  same: 'mark' in globalThis,
});
const mark = () => void Object.assign(globalThis, { mark: true });

test('a visitor reads home, board and event in Korean, then in Arabic, without loading a page again', async () => {
  const { page, errors } = await openPage(browser, inject('address'), PHONE);
  await page.goto('/ko');
  await page.getByRole('heading', { level: 1, name: 'Muster에 오신 것을 환영합니다!' }).waitFor();
  await page.getByRole('contentinfo').waitFor();
  await page.evaluate(mark);
  await page.getByRole('link', { name: '모든 왕국' }).first().click();
  await page.waitForURL('**/ko/leaderboard/kingdom');
  await page.getByRole('heading', { level: 1, name: '왕국 순위표' }).waitFor();
  await expect.poll(() => page.getByRole('row').nth(1).textContent()).toMatch(/\d억/);

  await page.getByRole('link', { name: 'العربية' }).click();
  await page.waitForURL('**/ar/leaderboard/kingdom');
  expect(await page.evaluate(language)).toEqual({ lang: 'ar', dir: 'rtl', same: true });
  await expect.poll(() => page.getByRole('row').nth(1).textContent()).toMatch(/مليار/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  // The messages of an event arrive with it.
  await page.getByRole('link', { name: 'Muster' }).first().click();
  await page.getByRole('link', { name: 'Lost Kingdom 20, group 1' }).first().click();
  await page.waitForURL('**/ar/dashboards/*');
  await page.getByRole('link', { name: 'فردي' }).waitFor();
  expect(await page.evaluate(language)).toEqual({ lang: 'ar', dir: 'rtl', same: true });
  expect(errors).toEqual([]);
});

/** Presses the footer's links to mails; returns what each opens. */
const mails = async (page: Page): Promise<string[]> => {
  await page.getByRole('contentinfo').waitFor();
  return page.locator('footer a[href^="mailto:"]').evaluateAll((links) =>
    links.map((link) => {
      link.addEventListener('click', (event) => event.preventDefault(), { once: true });
      (link as HTMLAnchorElement).click();
      return (link as HTMLAnchorElement).href;
    }),
  );
};

test('a user’s pages keep the language that they chose, and a deep link is in its own', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  await page.goto('/dashboard');
  await page.getByText(`Welcome back, ${username}!`).waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
  await page.goto('/orders');
  await page.getByText('Du hast bei uns noch keine Scans oder Daten bestellt.').waitFor();
  expect(await mails(page)).toHaveLength(2);
  expect(decodeURIComponent((await mails(page))[1] ?? '')).toMatch(/\?subject=.+\/orders\r\n.+Deutsch \(de\)/s);
  await page.goto('/fr/faq');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr');
  await page.goto('/faq');
  await page.getByRole('heading', { level: 1, name: 'Frequently asked questions' }).waitFor();
  expect(await mails(page)).toHaveLength(1);
  expect(errors).toEqual([]);
});

test('amounts are typed as the language writes them, and booked to the cent', async () => {
  const address = inject('address');
  const { client, username } = await newUser(address, 1);
  await client.call('PUT', '/v1/account/language', { language: 'de' });
  const admin = await signedIn(address, 'admin', 'admin-muster');
  const { accounts } = await admin.call<{ accounts: { user_id: string }[] }>(
    'GET',
    `/v1/admin/accounts?search=${username}`,
  );
  const role = { role: 'admin', before: 'user', reason: 'To set a price in German.' };
  await admin.call('POST', `/v1/admin/accounts/${accounts[0]?.user_id}/role`, role);
  const { page, errors } = await openPage(browser, address);
  await signInByCall(page, username, PASSWORD);

  await page.goto('/account/balance');
  const amount = page.getByLabel('Betrag in USD');
  await amount.fill('12,505');
  await page.getByRole('button', { name: 'mit Stripe zahlen' }).click();
  await page.getByText('Gib einen Betrag in Dollar ein, z. B. 25 oder 12.50.').waitFor();
  await amount.fill('12,50');
  await page.getByRole('button', { name: '$12,50 mit Stripe zahlen' }).waitFor();

  await page.goto('/admin/products');
  await page.getByRole('button', { name: 'Preis festlegen' }).first().click();
  const dialog = page.getByRole('dialog');
  const price = dialog.getByLabel('Preis in USD');
  expect(await price.inputValue()).toBe('0.50');
  await price.fill('0,605');
  await dialog.locator('[name=from]').fill('2999-12-31');
  await dialog.getByLabel('Grund').fill('Tried by a test.');
  const set = dialog.getByRole('button', { name: 'Preis festlegen' });
  await set.click();
  await dialog.getByText('muss ein Dollarbetrag sein, z. B. 0.60.').waitFor();
  await price.fill('0,60');
  await set.click();
  await dialog.waitFor({ state: 'detached' });
  type Priced = { id: string; version: number; prices: { from: string; price: number }[] };
  const { products } = await admin.call<{ products: Priced[] }>('GET', '/v1/admin/products');
  const priced = products.find(({ prices }) => prices.length > 0);
  expect(priced?.prices).toEqual([{ from: '2999-12-31', price: 0.6 }]);
  const removal = { from: '2999-12-31', price: null, version: priced?.version, reason: 'Tried by a test.' };
  await admin.call('PUT', `/v1/admin/products/${priced?.id}/price`, removal);
  expect(errors).toEqual([]);
});

test('a choice that the account did not take is told once, where it was made', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  await page.goto('/account');
  await page.route('**/v1/account/language', (route) => route.abort());
  await page.getByLabel('Language of pages and mails').selectOption('de');
  await page.getByRole('main').getByRole('alert').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.getByRole('link', { name: 'Français' }).click();
  await page.getByRole('contentinfo').getByRole('alert').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
});

test('of two languages chosen in a row the second stays, though the texts of the first come later', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  await page.goto('/dashboard');
  await page.getByText(`Welcome back, ${username}!`).waitFor();
  await page.waitForLoadState('networkidle');
  const held = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route('**/assets/*.js', async (route) => {
    if (isFirst) {
      isFirst = false;
      await held.promise;
    }
    await route.continue();
  });
  const lang = () => page.evaluate(() => document.documentElement.lang);
  await page.getByRole('link', { name: '한국어' }).click();
  await page.getByRole('link', { name: 'Français' }).click();
  await expect.poll(lang).toBe('fr');
  const late = page.waitForEvent('requestfinished');
  held.resolve();
  await late;
  await page.waitForLoadState('networkidle');
  expect(await lang()).toBe('fr');
  expect(errors).toEqual([]);
});

test('a change of language keeps the address’s parts and needs no reload', async () => {
  const { page, errors } = await openPage(browser, inject('address'), PHONE);
  await page.goto('/leaderboard/governor?type=killpoints#main');
  await page.getByRole('contentinfo').waitFor();
  await page.evaluate(mark);
  await page.getByRole('link', { name: '한국어' }).click();
  await page.waitForURL('**/ko/leaderboard/governor?type=killpoints#main');
  expect(await page.evaluate(language)).toEqual({ lang: 'ko', dir: 'ltr', same: true });
  expect(errors).toEqual([]);
});
