import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { newUser, order, PASSWORD, signedIn } from '../support/client.ts';

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

  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.waitForURL('**/ar/leaderboard/kingdom/*');

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

/** Makes an admin whose language nobody else reads. */
async function newAdmin(address: string, reason: string) {
  const user = await newUser(address, 1);
  const admin = await signedIn(address, 'admin', 'admin-muster');
  const { accounts } = await admin.call<{ accounts: { user_id: string }[] }>(
    'GET',
    `/v1/admin/accounts?search=${user.username}`,
  );
  const role = { role: 'admin', before: 'user', reason };
  await admin.call('POST', `/v1/admin/accounts/${accounts[0]?.user_id}/role`, role);
  return { ...user, admin };
}

test('amounts are typed as the language writes them, and booked to the cent', async () => {
  const address = inject('address');
  const { admin, client, username } = await newAdmin(address, 'To set a price in German.');
  await client.call('PUT', '/v1/account/language', { language: 'de' });
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

test('an account keeps the second of two languages, and one chosen before it has arrived', async () => {
  const { username, client } = await newUser(inject('address'), 1);
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  const kept = async () => (await client.call<{ language: string | null }>('GET', '/v1/account')).language;
  await page.goto('/dashboard');
  await page.getByText(`Welcome back, ${username}!`).waitFor();
  let answers = 0;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/v1/account/language')) answers += 1;
  });
  const [first, account] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    '**/v1/account/language',
    async (route) => {
      await first.promise;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByRole('link', { name: '한국어' }).click();
  await page.getByRole('link', { name: 'Français' }).click();
  // Long enough for the second to pass the first.
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('fr');
  await page.waitForTimeout(500);
  first.resolve();
  await expect.poll(() => answers).toBe(2);
  expect(await kept()).toBe('fr');

  await page.route('**/v1/account', async (route) => {
    await account.promise;
    await route.continue();
  });
  await page.goto('/fr/faq');
  // Shown by the script while it waits for the account.
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('de');
  account.resolve();
  await expect.poll(kept).toBe('de');
  expect(errors).toEqual([]);
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

/** Marks elements, to tell later whether they are still in the page. */
const held = (page: Page, selectors: readonly string[]) =>
  Promise.all(selectors.map((selector) => page.locator(selector).first().elementHandle()));
const areHeld = (handles: Awaited<ReturnType<typeof held>>) =>
  Promise.all(handles.map((handle) => handle?.evaluate((element) => element.isConnected)));

test('a half filled order stays as it is when the language changes', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  await page.goto('/orders/new');
  const governors = page.locator('form input[inputmode=numeric]').first();
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill('1001, 1002');
  await governors.fill('3000');
  const folded = page.locator('main button[aria-expanded=false]').last();
  const section = await folded.getAttribute('id');
  await folded.click();
  const handles = await held(page, ['main form', `main [id="${section}"]`, 'footer']);
  await page.getByRole('link', { name: '한국어' }).click();
  await page.getByRole('heading', { level: 1, name: '새 주문' }).waitFor();
  expect(await page.getByRole('textbox', { name: '왕국' }).first().inputValue()).toBe('1001, 1002');
  expect(await governors.inputValue()).toBe('3000');
  expect(await page.locator(`main [id="${section}"]`).getAttribute('aria-expanded')).toBe('true');
  expect(await areHeld(handles)).toEqual([true, true, true]);
  // Links to public pages lead to them in the new language.
  await expect.poll(() => page.locator('footer a[href$="/faq"]').getAttribute('href')).toBe('/ko/faq');
  expect(errors).toEqual([]);
});

test('thanks for a report are said in the language chosen after them', async () => {
  const address = inject('address');
  const { client, username } = await newUser(address, 10);
  await order(client, 'rok', [1003], 300);
  const { page, errors } = await openPage(browser, address);
  await signInByCall(page, username, PASSWORD);
  await page.goto('/orders');
  await page.getByRole('button', { name: 'Report Issue' }).click();
  await page.getByLabel('What is wrong').fill('Rows are missing.');
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Thank you. Support has your report and answers by mail.').waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByText('Danke. Der Support hat deine Meldung').waitFor();
  expect(errors).toEqual([]);
});

test('what was typed beside the account’s choice of a language stays', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page, username, PASSWORD);
  await page.goto('/account');
  await page.locator('input[type=email]').fill('half@example.');
  await page.getByLabel('Language of pages and mails').selectOption('ru');
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('ru');
  await page.getByLabel('Language of pages and mails').waitFor({ state: 'detached' });
  expect(await page.locator('input[type=email]').inputValue()).toBe('half@example.');
  expect(errors).toEqual([]);
});

test('a board keeps its search, its opened row and the place when the language changes', async () => {
  const { page, errors } = await openPage(browser, inject('address'), PHONE);
  await page.goto('/leaderboard/governor?size=50');
  await page.getByRole('contentinfo').waitFor();
  const search = page.getByRole('searchbox').first();
  await search.fill('a');
  await page.waitForURL('**q=a*');
  await page.locator('main tbody [aria-expanded=false]').first().click();
  await page.locator('main tbody [aria-expanded=true]').waitFor();
  const handles = await held(page, [
    'main [type=search]',
    'main tbody tr',
    'main tbody [aria-expanded=true]',
    'footer',
  ]);
  await page.getByRole('link', { name: '한국어' }).scrollIntoViewIfNeeded();
  const above = () => page.evaluate(() => Math.round(document.documentElement.scrollHeight - scrollY));
  const [at, rest] = [await page.evaluate(() => scrollY), await above()];
  expect(at).toBeGreaterThan(500);
  await page.getByRole('link', { name: '한국어' }).click();
  await page.waitForURL('**/ko/leaderboard/governor?**q=a*');
  await page.getByRole('searchbox', { name: '이 순위표에서 검색' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await search.inputValue()).toBe('a');
  expect(await areHeld(handles)).toEqual([true, true, true, true]);
  // Rows may be higher in the other language.
  expect(Math.abs((await above()) - rest)).toBeLessThan(400);
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(at - 400);
  await expect.poll(() => page.getByRole('columnheader').nth(1).textContent()).toMatch(/[가-힣]/);
  await expect.poll(() => page.locator('footer a[href$="/faq"]').getAttribute('href')).toBe('/ko/faq');
  expect(errors).toEqual([]);
});

test('a typed figure keeps its value in a language that writes it otherwise', async () => {
  const address = inject('address');
  const { username } = await newAdmin(address, 'To type a goal in German.');
  const { page, errors } = await openPage(browser, address);
  await signInByCall(page, username, PASSWORD);
  await page.goto('/admin/events/new');
  await page.getByRole('button', { name: 'Add a bracket' }).click();
  await page.getByLabel('From power of goal 1').fill('100,000');
  await page.getByLabel('Add a camp').selectOption('Fire');
  await page.getByRole('textbox', { name: 'Add kingdoms to Fire' }).fill('12x');
  await page.getByRole('textbox', { name: 'Add kingdoms to Fire' }).press('Enter');
  await page.getByText(/'12x' is not a number such as 1206/).waitFor();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  const power = page.getByLabel('Ab Macht von Ziel 1');
  await power.waitFor();
  expect(await power.inputValue()).toBe('100.000');
  // The refusal on the screen changes its language too.
  await page.getByText(/„12x“ ist keine Nummer wie 1206/).waitFor();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByLabel('From power of goal 1').waitFor();
  expect(await page.getByLabel('From power of goal 1').inputValue()).toBe('100,000');
  expect(errors).toEqual([]);
});
