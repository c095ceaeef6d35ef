import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { type Client, signedIn } from '../support/client.ts';

/** An admin makes, clones, edits and publishes events. */

const NAME = '<b>War</b> \u202eof moss';

let browser: Browser;
let admin: Client;
const made: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  admin = await signedIn(inject('address'), 'admin', 'admin-muster');
});
afterAll(async () => {
  for (const id of made) await admin.send('POST', `/v1/admin/events/${id}/archive`, {});
  await browser.close();
});

async function opened(path: string, viewport: typeof PHONE) {
  const all = await openPage(browser, inject('address'), viewport);
  await signInByCall(all.page, 'admin', 'admin-muster');
  await all.page.goto(path);
  await all.page.getByRole('button', { name: 'I understand' }).click();
  return all;
}

const flaws = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

async function shown(page: Page): Promise<string> {
  await page.getByText('This is a draft').waitFor();
  const id = /events\/(\d+)$/.exec(page.url())?.[1] ?? '';
  made.push(id);
  return id;
}

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s a draft is made by fields, previewed, cloned and published', async (_, viewport) => {
  const { page, context, errors } = await opened('/admin/events/new', viewport);
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByLabel('KvK id').fill('M-1');
  for (const [camp, kingdoms] of [
    ['Fire', '4771, 4772'],
    ['Water', '4773'],
  ] as const) {
    await page.getByLabel('Add a camp').selectOption(camp);
    await page.getByText(`${camp} has no kingdom yet.`).waitFor();
    await page.getByRole('textbox', { name: `Add kingdoms to ${camp}` }).fill(kingdoms);
    await page.getByRole('textbox', { name: `Add kingdoms to ${camp}` }).press('Enter');
  }
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).fill('4771 12x');
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).press('Enter');
  await page.getByText(/'12x' is not a number such as 1206/).waitFor();
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).fill('');
  // The search finds scanned kingdoms by the start of their number, and those of camps are not offered again.
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).fill('100');
  const found = page.getByRole('list', { name: 'Found for add kingdoms to Water' });
  await found.getByRole('button', { name: '1002' }).click();
  await page.getByRole('button', { name: 'Remove 1002 from Water' }).waitFor();
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).fill('100');
  await found.getByRole('button', { name: '1003' }).waitFor();
  expect(await found.getByRole('button', { name: '1002' }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Add kingdoms to Water' }).fill('');
  await page.getByRole('button', { name: 'Add a moment' }).click();
  await page.getByText('Name the moment.').waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('A row or a time above is not finished').waitFor();
  await page.getByLabel('Name of moment 1').fill('Pass 4');
  await page.getByLabel('Time of moment 1').fill('2027-01-01T12:00');
  await page.getByRole('button', { name: 'Add a bracket' }).click();
  await page.getByLabel('From power of goal 1').fill('40M');
  await page.getByLabel('DKP of goal 1').fill('2M');
  await page.getByRole('searchbox', { name: 'Add an exempt governor' }).fill('73001');
  await page.getByRole('searchbox', { name: 'Add an exempt governor' }).press('Enter');
  await page.getByLabel('Reason of 73001').fill('on holiday');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog');
  await preview.getByText('4771 · 4772').waitFor();
  await preview.getByText('40000000: dkp 2000000').waitFor();
  await preview.getByRole('button', { name: 'Close' }).click();
  expect(await flaws(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Make the event' }).click();
  const id = await shown(page);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/event-${viewport.width}.png`, fullPage: true });

  await page.getByRole('link', { name: 'Clone' }).click();
  await page.getByRole('heading', { name: /^New event like/ }).waitFor();
  expect(await page.getByLabel('DKP of goal 1').inputValue()).toBe('2,000,000');
  expect(await page.getByLabel('Reason of 73001').inputValue()).toBe('on holiday');
  await page.getByLabel('KvK id').fill('M-2');
  await page.getByRole('button', { name: 'Make the event' }).click();
  await page.waitForURL((url) => /events\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`));
  const next = await shown(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByText('Visitors see it at once').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('link', { name: 'Open the dashboard' }).waitFor();
  const { event } = await admin.call<{ event: Record<string, unknown> }>('GET', `/v1/admin/events/${next}`);
  expect(event).toMatchObject({ kvk_id: 'M-2', name: NAME, exempt: [73001], dates: { 'Pass 4': expect.any(Number) } });
  expect(errors).toEqual([]);
  await context.close();
});

test('an edit of an event that changed meanwhile shows the difference, and nothing is lost', async () => {
  const { event } = await admin.call<{ event: Record<string, unknown> }>('GET', `/v1/admin/events/${made[0]}`);
  const { page, context } = await opened(`/admin/events/${made[0]}`, DESKTOP);
  await page.getByLabel('Season', { exact: true }).fill('5');
  await admin.call('PUT', `/v1/admin/events/${made[0]}`, { ...event, depth: 700 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const changes = page.getByRole('list', { name: 'What changed meanwhile' });
  await expect.poll(() => changes.textContent()).toBe('Scan depth: 500 → 700');
  await page.getByRole('button', { name: 'Take the other version' }).click();
  await expect.poll(() => page.getByLabel('Scan depth').inputValue()).toBe('700');
  await page.getByLabel('Season', { exact: true }).fill('6');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Visitors see it').waitFor();
  const saved = await admin.call<{ event: Record<string, unknown> }>('GET', `/v1/admin/events/${made[0]}`);
  expect(saved.event).toMatchObject({ season: '6', depth: 700 });
  await context.close();
});
