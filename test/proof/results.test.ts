import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test, vi } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { type Client, ended, order, signedIn, waitFor } from '../support/client.ts';
import { KINGDOM, writeScan } from '../support/misread-scans.ts';
import { type Service, startService } from '../support/service.ts';

/** The results page in a browser, for a kingdom of 5,000 governors, four of them misread in the second scan. */

const scans = mkdtempSync(join(tmpdir(), 'misread-'));
let service: Service;
let browser: Browser;
let path: string;

const itemOf = async (client: Client): Promise<string> => {
  const { items } = await waitFor(client, await order(client, 'rok', [KINGDOM], 5000), ended);
  return items[0]?.item_id ?? '';
};

beforeAll(async () => {
  writeScan(scans, '2026-11-10', false);
  [service, browser] = await Promise.all([startService({ SCANS_DIR: scans, SETTLE_MS: '0' }), launchBrowser()]);
  const client = await signedIn(service.address);
  await itemOf(client);
  writeScan(scans, '2026-11-18', true);
  const log = join(service.stateDir, 'agent.log');
  // The bots list the folder every three seconds.
  await vi.waitUntil(() => /2026-11-18\.csv: .* rows taken/.test(readFileSync(log, 'utf8')), { timeout: 60_000 });
  path = `/order/${await itemOf(client)}`;
});
afterAll(async () => {
  await Promise.all([service?.remove(), browser?.close()]);
  rmSync(scans, { recursive: true });
});

/** Opens the results in a new session. */
async function opened(viewport?: typeof PHONE) {
  const { page, context, errors } = await openPage(browser, service.address, viewport);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInByCall(page);
  await page.goto(path);
  await header(page, 'Power').waitFor();
  await page.getByRole('button', { name: 'I understand' }).click();
  return { page, context, errors };
}

const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** Leaves out the message about a finished order, which is a dialog as well. */
const dialog = (page: Page) => page.locator('dialog');
const count = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('status').first();
const ids = (page: Page): Promise<string[]> =>
  page.locator('tbody tr[aria-rowindex]').evaluateAll((rows) =>
    // By cells: in the row's text a rank runs into the id after it.
    rows.map(
      (row) => [...row.children].map((cell) => cell.textContent.trim()).find((text) => /^7\d{5}$/.test(text)) ?? '',
    ),
  );
const statistics = (page: Page) => page.getByRole('region', { name: 'Statistics' });

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Returns the serious accessibility barriers that a machine finds on the screen. */
const barriers = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
};

test.concurrent('misread rows are marked with a reason, counted and excluded from the sums they would distort', async ({
  expect,
}) => {
  const { page, context, errors } = await opened();
  await page.getByText('Killpoints do not follow from the kills by tier.').waitFor();
  // Two rows' kill points are in doubt, and two rows' kills by tier, of which one is the same.
  await statistics(page).getByText('2 rows excluded').nth(1).waitFor();
  await statistics(page).getByText('1 row excluded').waitFor();
  await button(page, 'Show only these').click();
  await page.getByText('4 of 5,000 governors', { exact: true }).waitFor();
  expect(await ids(page)).toEqual(['700003', '700008', '700012', '700020']);
  expect(page.url()).toContain('flawed=true');
  await statistics(page).getByText('Top 100 (4 read) power').first().waitFor();

  await button(page, /Counter fell/).click();
  await dialog(page).getByText('A lifetime counter is lower than in the previous scan').waitFor();
  await dialog(page).getByText('12', { exact: true }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toMatch(/^Counter fell/);
  await button(page, /Remove the filter Only unverified rows/).click();
  await expect.poll(() => count(page).textContent()).toBe('5,000 governors');
  expect(await focused()).toBe('Filters');
  await button(page, `Repair Kingdom ${KINGDOM}`).click();
  await page.getByText('The repair has started.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test.concurrent('the address keeps filters, columns and sort order, and the next results use the same columns', async ({
  expect,
}) => {
  const { page, context, errors } = await opened();
  await button(page, 'Filters').click();
  await dialog(page).getByRole('checkbox', { name: 'R&R 1,000' }).check();
  await dialog(page).getByLabel('At least').first().selectOption('24');
  await dialog(page).getByRole('textbox', { name: 'At least' }).fill('100 million');
  await dialog(page).getByRole('textbox', { name: 'At most' }).focus();
  await dialog(page).getByText('Write 50M or 50,000,000.').waitFor();
  await dialog(page).getByRole('textbox', { name: 'At least' }).fill('100M');
  await dialog(page).getByRole('textbox', { name: 'At least' }).press('Tab');
  const show = dialog(page).getByRole('button', { name: /^Show \d+ governors$/ });
  await page.waitForURL(/powerFrom=100000000/);
  const shown = Number(/\d+/.exec((await show.textContent()) ?? '')?.[0]);
  expect(shown).toBeGreaterThan(50);
  expect(await barriers(page)).toEqual([]);
  await show.click();
  expect(await count(page).textContent()).toBe(`${shown} of 5,000 governors`);
  await statistics(page).getByText(`Of the ${shown} of 5,000 governors that match the filters.`).waitFor();

  await button(page, 'Columns').click();
  await dialog(page).getByRole('checkbox', { name: 'Helps Given' }).check();
  await dialog(page).getByRole('checkbox', { name: 'T1 Kills' }).uncheck();
  await button(page, 'Done').click();
  await header(page, 'Helps Given').getByRole('button').click();
  await page.waitForURL(/sort=helps_given/);
  const first = await ids(page);
  expect(first).toEqual([...first].sort((a, b) => Number(b) - Number(a)));

  await page.reload();
  await header(page, 'Helps Given').waitFor();
  expect(await header(page, 'T1').count()).toBe(0);
  expect(await ids(page)).toEqual(first);
  await button(page, /Remove the filter Power from 100M/).click();
  await button(page, 'Clear all').click();
  expect(await count(page).textContent()).toBe('5,000 governors');

  await page.goto(path);
  await page.waitForURL(/columns=/);
  await header(page, 'Helps Given').waitFor();
  await button(page, 'Columns').click();
  await button(page, 'Reset').click();
  await button(page, 'Done').click();
  await header(page, 'T1').waitFor();
  expect(page.url()).not.toContain('columns=');
  expect(errors).toEqual([]);
  await context.close();
});

test.concurrent('charts also show their figures as text', async ({ expect }) => {
  const { page, context } = await opened();
  await page.getByRole('img', { name: /^Power by rank: from 2\d\d,\d{3},\d{3} at rank 1/ }).waitFor();
  await button(page, 'Distribution').click();
  const classes = page.getByRole('table', { name: 'Power distribution' }).getByRole('cell');
  await classes.first().waitFor();
  const counts = (await classes.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(5000);
  await page.getByRole('button', { name: 'Kills by tier', exact: true }).click();
  const tiers = page.getByRole('table', { name: 'Kills by tier' }).getByRole('cell');
  await expect.poll(() => tiers.count()).toBe(5);
  expect(page.url()).toContain('chart=kills');
  await context.close();
});

test.concurrent('the first rows are copied for a mail, also without the Clipboard API', async ({ expect }) => {
  const { page, context } = await opened();
  await button(page, /^Copy for mail/).click();
  const text = await page.getByRole('textbox', { name: 'Text of the mail' }).inputValue();
  expect(text.split('\n')).toHaveLength(22);
  expect(text).toContain('\n5. [WLF] <b>Rook, the "5th"</b> 240M');
  expect(text).toContain('\n12. [R&R] Governor 12 240M · 1.94B?');
  await dialog(page).getByRole('button', { name: /^Copy/ }).click();
  await dialog(page).getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);

  await dialog(page).getByRole('combobox').selectOption('Top 100');
  await dialog(page)
    .getByText(/^A mail holds 2,000 characters: the first \d\d of 100 rows fit\.$/)
    .waitFor();
  const long = await page.getByRole('textbox', { name: 'Text of the mail' }).inputValue();
  expect(long.length).toBeLessThanOrEqual(2000);
  await page.evaluate(() => {
    const read = navigator.clipboard.readText.bind(navigator.clipboard);
    Object.assign(window, { read });
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await dialog(page).getByRole('button', { name: /^Copy/ }).click();
  await expect.poll(() => page.evaluate(() => (window as unknown as { read(): Promise<string> }).read())).toBe(long);
  await context.close();
});

test.concurrent('a link shows the same results to everyone, without repairing', async ({ expect }) => {
  const { page, context } = await opened();
  await button(page, 'Share').click();
  await button(page, 'Make a link').click();
  const address = await page.getByRole('textbox', { name: 'Address of the link' }).inputValue();
  await context.close();

  const visitor = await openPage(browser, service.address, PHONE);
  await visitor.page.goto(`${new URL(address).pathname}?flawed=true&columns=deads,t5`);
  await header(visitor.page, 'Deads').waitFor();
  await visitor.page.getByText('4 of 5,000 governors', { exact: true }).waitFor();
  for (const rank of [3, 8, 12, 20]) await visitor.page.getByText(`Governor ${rank}`, { exact: true }).waitFor();
  await button(visitor.page, /Counter fell/).waitFor();
  expect(await button(visitor.page, /Repair/).count()).toBe(0);
  expect(await visitor.page.getByText(/Repair scans them again/).count()).toBe(0);
  expect(visitor.errors).toEqual([]);
  await visitor.context.close();
});

test.concurrent('on a phone nothing is wider than the screen, and every choice can be tapped', async ({ expect }) => {
  const { page, context, errors } = await opened(PHONE);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.reload();
  await header(page, 'Power').waitFor();
  expect(await overflows(page)).toBe(false);
  // With reduced motion a new colour applies at once, which charts on a canvas rely on.
  const read = page.locator('#main h1').evaluate((title) => {
    title.style.color = 'rgb(1, 2, 3)';
    const { color } = getComputedStyle(title);
    title.style.color = '';
    return color;
  });
  expect(await read).toBe('rgb(1, 2, 3)');
  for (const name of ['Filters', 'Columns', /^Copy for mail/]) {
    await button(page, name).click();
    const box = await dialog(page).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= PHONE.width && box.height <= PHONE.height).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await button(page, 'Show only these').click();
  await button(page, /Kills by tier unread/).click();
  await dialog(page).getByText('The kills by tier could not be read').waitFor();
  await page.keyboard.press('Escape');
  expect(await overflows(page)).toBe(false);
  expect(errors).toEqual([]);
  await context.close();
});
