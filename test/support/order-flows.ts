import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from './browser.ts';
import { balanceOf, type Client, ended, newUser, order, PASSWORD, signedIn, waitFor } from './client.ts';
import { csvRows } from './files.ts';

/** Presses what has that name, then waits for that text. */
async function press(page: Page, name: string | RegExp, then?: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click();
  if (then !== undefined) await page.getByText(then).first().waitFor();
}

/** Opens a page and makes sure that it does not scroll sideways. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('#main h1').first().waitFor();
  await fits(page);
}

const fits = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

/** Fills in the kingdom scan and adds it to the order. */
async function add(page: Page, kingdoms: string, governors = '100'): Promise<void> {
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill(kingdoms);
  await page.getByRole('textbox', { name: 'Governors' }).first().fill(governors);
  await page.getByRole('button', { name: 'Add to Order' }).first().click();
}

const cardOf = (page: Page, name: string | RegExp) => page.getByRole('article', { name });

/** The figures of a panel, every digit, by their names; the panel's are all there. */
async function figuresOf(panel: Locator): Promise<Record<string, number>> {
  await expect.poll(() => panel.locator('dd data').count()).toBe(6);
  const pairs = await panel
    .locator('dl > div')
    .evaluateAll((entries) =>
      entries.map((entry) => [entry.querySelector('dt')?.textContent, Number(entry.querySelector('data')?.value)]),
    );
  return Object.fromEntries(pairs);
}

/** The figures of a column in the rows that are drawn, every digit of them. */
async function figuresIn(table: Locator, name: string): Promise<number[]> {
  const names = await table.getByRole('columnheader').allTextContents();
  const cells = table.locator(`tbody tr[aria-rowindex] td:nth-child(${names.indexOf(name) + 1})`);
  return (await cells.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
}

/** The file behind a download link. */
async function saved(page: Page, name: string | RegExp): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name }).first().click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** 'YYYY-MM-DDTHH:MM' in UTC, that many days from now, as the fields of a schedule take it. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);

/**
 * Each button of the screens around orders, pressed at one size by a user who owns nothing but these orders: on a phone
 * by `npm test`, on a desktop by `npm run proof`.
 */
export function orderFlows(viewport: { width: number; height: number }): void {
  let browser: Browser;
  let page: Page;
  let errors: string[];
  let client: Client;
  let username: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    ({ client, username } = await newUser(inject('address'), 500));
    ({ page, errors } = await openPage(browser, inject('address'), viewport));
    await signInByCall(page, username, PASSWORD);
  });
  afterAll(async () => {
    await browser.close();
    // No page threw an error, including those that the tests only passed through.
    expect(errors).toEqual([]);
  });

  test('an order is composed, submitted, watched, repaired and downloaded', async () => {
    await visit(page, '/orders');
    await page.getByText('You have not yet ordered any scans/data from our service.').waitFor();
    await page.getByRole('link', { name: 'Order your first scan' }).click();
    await add(page, '1003, 1004, 9999');
    await add(page, '1005', '99');
    await page.getByText('The following value is out-of-bounds for Governors: 99').waitFor();
    await add(page, '1005');
    await page.getByRole('button', { name: /^Remove .*\$0\.50/ }).click();
    await page.getByText('1 item in the order, $1.50.').waitFor({ state: 'attached' });
    await press(page, 'Submit Order');
    await page.waitForURL(/\/orders\/?$/);

    await page.getByText(/Refresh in \d+ s/).waitFor();
    const [refreshed] = await Promise.all([
      page.waitForRequest(/\/v1\/orders/),
      page.getByRole('button', { name: 'Refresh orders' }).click(),
    ]);
    expect(refreshed.method()).toBe('GET');
    const card = cardOf(page, /^Order #/);
    await card.getByText('Kingdom 9999 is not in the simulated world').waitFor({ timeout: 30_000 });
    await expect.poll(() => card.getByRole('link', { name: 'View Results' }).count(), { timeout: 30_000 }).toBe(2);
    // The order is finished, so no countdown is left.
    await expect.poll(() => page.getByText(/Refresh in/).count()).toBe(0);

    await fits(page);
    for (const type of ['csv', 'xlsx', 'json']) {
      const { name, bytes } = await saved(page, new RegExp(`Download Kingdom 1003 .* as ${type}$`));
      expect(name).toBe(`results.${type}`);
      if (type === 'csv') expect(csvRows(bytes)).toHaveLength(100);
      if (type === 'xlsx') expect(bytes.subarray(0, 2).toString()).toBe('PK');
      if (type === 'json') expect(JSON.parse(bytes.toString()).data.rows).toHaveLength(100);
    }
    expect(csvRows((await saved(page, /^Download order \d+ as csv$/)).bytes)).toHaveLength(200);

    const repaired = page.waitForResponse(/\/repair$/);
    await card.getByRole('button', { name: /^Repair Kingdom 9999/ }).click();
    await repaired;
    const since = Date.now();
    await page.waitForRequest(/\/v1\/orders\/?(\?|$)/);
    expect(Date.now() - since).toBeGreaterThan(1500);
    // The card may still show the failure of before.
    const { orders } = await client.call<{ orders: { order_id: number }[] }>('GET', '/v1/orders/');
    await waitFor(client, orders[0]?.order_id ?? 0, ended);
    await card.getByText('Kingdom 9999 is not in the simulated world').waitFor({ timeout: 30_000 });
    await card.getByRole('button', { name: /^Repair Kingdom 9999/ }).click();
    await card.getByText(/within the last ten minutes/).waitFor();
  });

  test('results are viewed alone and together, and shared by a link until it is closed', async () => {
    await visit(page, '/orders');
    await page.getByRole('link', { name: 'View Combined Results' }).first().click();
    await page.waitForURL(/\/order\/\d+\?all=true/);
    await page.getByText('Combined results of 2 kingdoms').waitFor();
    const results = page.getByRole('region', { name: 'Results' });
    const powers = () => figuresIn(results, 'Power');
    await results.getByRole('row').nth(1).waitFor();
    const top = await results.boundingBox();
    expect(top?.y).toBeLessThan(500);
    const shown = page.getByRole('navigation', { name: 'Shown' });
    await shown.getByRole('link', { name: 'Sums' }).click();
    await page.getByRole('region', { name: 'Statistics of kingdom 1004' }).waitFor();
    const all = await figuresOf(page.getByRole('region', { name: 'Statistics', exact: true }));
    const each = await Promise.all(
      [1003, 1004].map((kingdom) => figuresOf(page.getByRole('region', { name: `Statistics of kingdom ${kingdom}` }))),
    );
    expect(Object.keys(all)).toContain('Top 350 (200 read) power');
    for (const name of ['Total power', 'Total killpoints', 'Total deads', 'T4 and T5 kills'])
      expect(all[name]).toBe(each.reduce((sum, figures) => sum + (figures[name] ?? Number.NaN), 0));
    await fits(page);
    await page.goBack();
    await page.getByRole('checkbox', { name: 'Every digit' }).check();
    const descending = await powers();
    expect(descending).toEqual(descending.toSorted((a, b) => b - a));
    await results.getByRole('columnheader', { name: 'Power', exact: true }).getByRole('button').click();
    await page.waitForURL(/ascending=true/);
    const ascending = await powers();
    expect(ascending).toEqual(ascending.toSorted((a, b) => a - b));
    expect(ascending[0]).toBeLessThan(descending.at(-1) ?? 0);
    await visit(page, page.url());
    if (viewport === PHONE)
      await results
        .getByText(/ · 100[34] · \d+/)
        .first()
        .waitFor();
    else {
      await results.getByRole('columnheader', { name: 'Kingdom ID' }).waitFor();
      expect(new Set(await figuresIn(results, 'Kingdom ID'))).toEqual(new Set([1003, 1004]));
    }
    await shown.getByRole('link', { name: 'Sums' }).click();
    await page.getByRole('link', { name: 'Kingdom 1004' }).click();
    await page.getByText('100 governors', { exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'Kingdom 1004', level: 1 }).waitFor();
    await visit(page, '/orders');
    await page.getByRole('link', { name: 'View Results' }).first().click();
    await page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
    await fits(page);
    await page.getByRole('link', { name: 'View Combined Results' }).waitFor();

    await press(page, 'Share');
    await page.getByLabel('Days until it expires').selectOption('1');
    await press(page, 'Make a link');
    const link = await page.getByLabel('Address of the link').inputValue();
    const { pathname } = new URL(link);
    const visitor = await openPage(browser, inject('address'), viewport);
    await visitor.page.goto(pathname);
    await visitor.page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
    await fits(visitor.page);
    expect(csvRows((await saved(visitor.page, /as csv$/)).bytes)).toHaveLength(100);
    await page.getByLabel('Address of the link').locator('xpath=..').getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByLabel('Address of the link').count()).toBe(0);
    await visitor.page.reload();
    await visitor.page.getByRole('main').getByRole('alert').waitFor();
    expect(visitor.errors).toEqual([]);
    await visitor.context.close();
  });

  test('an order is repeated, reported, and cancelled after a confirmation', async () => {
    await visit(page, '/orders');
    await page.getByRole('link', { name: 'Re-Order' }).first().click();
    await page.waitForURL(/\/orders\/new/);
    await page.getByText('1 item in the order, $1.50.').waitFor({ state: 'attached' });
    await page.getByText('1003, 1004, 9999').waitFor();
    // The tab keeps what is not submitted: the next order begins empty only without it.
    await page.getByRole('button', { name: /^Remove / }).click();

    await page.goBack();
    await press(page, 'Report Issue');
    const report = page.getByRole('dialog');
    await report.getByRole('button', { name: 'Send report' }).click();
    await report.getByText(/^What is wrong must say/).waitFor();
    await report.getByLabel('What is wrong').fill(`<b>Rows are missing</b>, says ${username}.`);
    await report.getByLabel('Governor ids').fill('12, 34');
    await report.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Thank you. Support has your report and answers by mail.').waitFor();
    const admin = await signedIn(inject('address'), 'admin', 'admin-muster');
    const kept = await admin.call('GET', '/v1/admin/reports');
    expect(JSON.stringify(kept)).toContain(`<b>Rows are missing</b>, says ${username}.`);

    const before = await balanceOf(client);
    const orderId = await order(client, 'rok', [1011, 1012, 1013], 5000);
    await visit(page, '/orders');
    const card = cardOf(page, `Order #${orderId}`);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    expect(await balanceOf(client)).toBe(before - 75);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    await card.getByText(`Order #${orderId} was cancelled. Its price is back in the balance that paid it.`).waitFor();
    await expect.poll(() => card.getByText('Cancelled.', { exact: true }).count()).toBe(3);
    await expect.poll(() => card.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await balanceOf(client)).toBe(before);
  });

  test('a form sent offline waits on its screen for a connection', async () => {
    const before = await balanceOf(client);
    await visit(page, '/orders/new');
    await add(page, '1006');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await press(page, 'Submit Order');
    await page.getByRole('link', { name: 'Muster' }).first().click();
    await page.getByText('1 item in the order, $0.50.').waitFor({ state: 'attached' });
    expect(await balanceOf(client)).toBe(before);
    await page.context().setOffline(false);
    await page.waitForURL(/\/orders\/?$/);
    expect(await page.getByText('You are offline.').count()).toBe(0);
    expect(await balanceOf(client)).toBe(before - 0.5);
  });

  test('a schedule shows its cost, runs, pauses, resumes, changes its times and ends', async () => {
    await visit(page, '/orders/scheduled');
    await page.getByRole('link', { name: 'Schedule a scan' }).click();
    await add(page, '1006');
    await page.getByLabel('Later or repeated').press('Space');
    await press(page, 'Submit Order', 'Choose when it starts, or how often it repeats.');
    await page.getByLabel('Repeat', { exact: true }).selectOption('day');
    await page.getByLabel('Every how many days').fill('2');
    await page.getByText(/About \$7\.6\d a month/).waitFor();
    await page.getByLabel('End (UTC)').fill(inDays(-1));
    await press(page, 'Submit Order', 'End: must not lie before the start.');
    await page.getByLabel('End (UTC)').fill('');
    await fits(page);
    await press(page, 'Submit Order');
    await page.waitForURL(/\/orders\/scheduled\/?$/);

    const card = cardOf(page, /^Schedule #/);
    for (const words of ['Active', 'running forever', 'every 2 days', /about \$7\.6\d a month/])
      await card
        .getByText(words, { exact: typeof words === 'string' })
        .first()
        .waitFor();
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByText('when resumed').waitFor();
    await card.getByRole('button', { name: 'Resume' }).click();
    await card.getByText('Active', { exact: true }).waitFor();

    await card.getByRole('button', { name: 'Edit times' }).click();
    const times = page.getByRole('dialog');
    await times.getByLabel('Every how many days').fill('0');
    await times.getByRole('button', { name: 'Save times' }).click();
    await times.getByText('Repeat every: must be a whole number').waitFor();
    await times.getByLabel('Every how many days').fill('3');
    await times.getByLabel('End (UTC)').fill(inDays(30));
    await times.getByRole('button', { name: 'Save times' }).click();
    await card.getByText('every 3 days').waitFor();
    expect(await card.getByText('running forever').count()).toBe(0);

    // Its first run was at once.
    const { orders } = await client.call<{ orders: { order_id: number }[] }>('GET', '/v1/orders/');
    await waitFor(client, orders[0]?.order_id ?? 0, ended);
    await visit(page, '/orders/scheduled');
    expect(csvRows((await saved(page, /^Download order \d+ as csv$/)).bytes)).toHaveLength(100);
    await card.getByRole('link', { name: /^View results of order/ }).click();
    await page.getByRole('columnheader', { name: 'Power' }).first().waitFor();
    await page.goBack();

    await card.getByRole('button', { name: 'End schedule' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await card.getByRole('button', { name: 'End schedule' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End schedule' }).click();
    await card.getByText('Ended', { exact: true }).waitFor();
    await expect.poll(() => card.getByRole('button', { name: /Pause|Resume|Edit times/ }).count()).toBe(0);
  });

  test('dashboard and reports show scanned kingdoms, and news until it is dismissed', async () => {
    const desk = await openPage(browser, inject('address'), viewport);
    await signInByCall(desk.page, 'admin', 'admin-muster');
    await desk.page.goto('/admin/news');
    const title = `Maintenance for ${username}`;
    await desk.page.getByLabel('Title').fill(title);
    await desk.page.getByLabel('Text').fill('On <i>Sunday</i>.\nFor an hour.');
    await press(desk.page, 'Publish', 'It is on every user’s dashboard now.');
    await fits(desk.page);

    await visit(page, '/dashboard');
    await page.getByText(`Welcome back, ${username}!`).waitFor();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('article').filter({ hasText: title }).getByText('On <i>Sunday</i>.').waitFor();
    const card = cardOf(page, 'Kingdom 1003');
    await card.getByText(/^Last scan/).waitFor();
    await fits(page);
    await page.getByRole('link', { name: 'As a table' }).click();
    await page.waitForURL(/\/orders\/reports\/?$/);
    await page.getByRole('row', { name: /1004/ }).waitFor();
    await fits(page);
    await page.getByRole('link', { name: 'Kingdom 1003', exact: true }).click();
    await page.getByRole('heading', { name: 'Kingdom 1003', level: 1 }).waitFor();
    await fits(page);

    const row = desk.page.getByRole('row', { name: new RegExp(title) });
    await row.getByRole('button', { name: 'Take down' }).click();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
    await expect.poll(() => desk.page.getByText(title).count()).toBe(0);
    await visit(page, '/dashboard');
    expect(await page.getByRole('heading', { name: title }).count()).toBe(0);
    expect(desk.errors).toEqual([]);
    await desk.context.close();
  });

  test('a history has one row per governor and day, on the page and in the file', async () => {
    const history = { type: 'rok-history', params: { kingdoms: ['1003'], governors: 100 }, fields: {}, price: 2 };
    const placed = await client.call<{ order_id: number }>(
      'POST',
      '/v1/order/create',
      { orders: [history], scheduleInfo: null },
      { 'idempotency-key': crypto.randomUUID() },
    );
    const { items } = await waitFor(client, placed.order_id, ended);
    await visit(page, `/order/${items[0]?.item_id}`);
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByRole('columnheader', { name: 'Day', exact: true }).waitFor();
    const { name, bytes } = await saved(page, /as csv$/);
    expect(name).toBe('results.csv');
    const rows = csvRows(bytes);
    expect(new Set(rows.map((row) => row.governor_id)).size).toBe(100);
    expect(new Set(rows.map((row) => row.day)).size).toBeGreaterThan(7);
    const days = new Set(rows.map((row) => row.day)).size;
    await results.getByText(`100 governors, ${days} days`, { exact: true }).waitFor();
    const drawn = await results.locator('tbody tr[aria-rowindex]').allTextContents();
    const shown = drawn.map((text) =>
      rows.find((row) => text.includes(row.governor_id ?? '-') && text.includes(row.day ?? '-')),
    );
    expect(shown.length).toBeGreaterThan(7);
    expect(shown).not.toContain(undefined);
    expect(new Set(shown).size).toBe(shown.length);
    await fits(page);
  });

  test('with more kingdoms than fit, one kingdom’s sums are shown in full, and the address names it', async () => {
    const many = Array.from({ length: 13 }, (_, index) => 1006 + index);
    const orderId = await order(client, 'rok', many, 100);
    await waitFor(client, orderId, ended);
    await visit(page, `/order/${orderId}?all=true&sums=true`);
    const panels = page.getByRole('region', { name: /^Statistics of kingdom/ });
    const chosen = (kingdom: number) => page.getByRole('region', { name: `Statistics of kingdom ${kingdom}` });
    const sums = page.getByRole('region', { name: 'Sums by kingdom' });
    await sums.getByRole('row').nth(2).waitFor();
    const [first = 0, second = 0] = await figuresIn(sums, 'Kingdom');
    expect(await panels.count()).toBe(0);
    await page.getByRole('link', { name: `Statistics of kingdom ${first}` }).click();
    await chosen(first).waitFor();
    await page.getByRole('link', { name: `Statistics of kingdom ${second}` }).click();
    await page.waitForURL(new RegExp(`kingdom=${second}`));
    await visit(page, page.url());
    await chosen(second).waitFor();
    expect(await panels.count()).toBe(1);
    await page.getByRole('link', { name: `Close statistics of kingdom ${second}` }).press('Enter');
    await expect.poll(() => panels.count()).toBe(0);
    expect(page.url()).not.toContain('kingdom=');
  });
}
