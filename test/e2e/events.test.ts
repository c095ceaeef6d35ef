import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';

/** An event's dashboard in a browser: the wars of the simulated world, by mouse, by keyboard and on a phone. */

let browser: Browser;
let war: { dashboard_id: number; name: string; kvk_id: string };
let realms: { dashboard_id: number };
const data = async (path: string) => (await (await fetch(`${inject('address')}/v1${path}`)).json()).data;

beforeAll(async () => {
  browser = await launchBrowser();
  const { events } = await data('/dashboards');
  const running = (game: string) =>
    events.find((event: { game: string; state: string }) => event.game === game && event.state === 'running');
  [war, realms] = [running('rok'), running('cod')];
});
afterAll(() => browser.close());

const table = (page: Page) => page.getByRole('region', { name: 'Governors' });
const firstRow = (page: Page) => table(page).getByRole('row').nth(1);
/** A filter, by one of its options. */
const choice = (page: Page, option: string) => page.locator('select').filter({ hasText: option });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function opened(path: string, viewport?: typeof PHONE) {
  const all = await openPage(browser, inject('address'), viewport);
  await all.page.goto(path);
  return all;
}

const flaws = async (page: Page): Promise<string[]> => {
  // The bar above a slow page is no part of it.
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' });
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

test('the first screen shows the leader and the lead from the answer, without a navigation bar', async () => {
  const { page, context, errors } = await opened(`/dashboards/${war.dashboard_id}`);
  await page.getByRole('heading', { level: 1, name: war.name }).waitFor();
  await firstRow(page).waitFor();
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const camps = page.getByRole('region', { name: 'Scoreboard' });
  expect(await camps.getByRole('heading', { level: 2 }).allTextContents()).toEqual(
    board.camps.map(({ name }: { name: string }) => name),
  );
  expect(await camps.textContent()).toContain(`${board.lead.camp} leads by`);
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  expect(await firstRow(page).textContent()).toContain(String(board.top[0].id));
  await page.getByText('Next refresh').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('columns sort descending, then ascending, and return to the first page', async () => {
  const { page, context } = await opened(`/dashboards/${war.dashboard_id}?page=2&size=10`);
  await firstRow(page).waitFor();
  const header = page.getByRole('columnheader', { name: 'T4 kills' });
  await header.getByRole('link').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
  expect(param(page, 'page')).toBeNull();
  await header.getByRole('link').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  expect(await table(page).getByRole('row').count()).toBe(11);
  await context.close();
});

test('search, camp and inactive players filter the table, and the address keeps the filters', async () => {
  const { page, context } = await opened(`/dashboards/${war.dashboard_id}`);
  await firstRow(page).waitFor();
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const { id, camp } = board.top[3];
  await page.getByRole('searchbox').fill(String(id));
  await expect.poll(() => table(page).getByRole('row').count()).toBe(2);
  expect(await firstRow(page).textContent()).toContain(String(id));
  await expect.poll(() => param(page, 'q')).toContain(String(id));
  await choice(page, 'All camps').selectOption(camp);
  await expect.poll(() => param(page, 'camp')).toBe(camp);
  await page.reload();
  await expect.poll(() => table(page).getByRole('row').count()).toBe(2);
  await page.getByRole('searchbox').fill('');
  await choice(page, 'Did not fight').selectOption('idle');
  await expect.poll(() => table(page).getByRole('row').count()).toBeGreaterThan(2);
  const cells = await table(page).getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(cells.filter((cell) => /^\+/.test(cell))).toEqual([]);
  await context.close();
});

test('an expanded row explains its score, and own weights are part of the link', async () => {
  const { page, context } = await opened(`/dashboards/${war.dashboard_id}`);
  await firstRow(page).waitFor();
  await firstRow(page).getByRole('button').press('Enter');
  const governor = param(page, 'open');
  await expect.poll(() => param(page, 'open')).not.toBeNull();
  const why = await data(`/dashboards/${war.dashboard_id}/governor/${governor ?? param(page, 'open')}`);
  await page.getByText(why.whole.dkp.toLocaleString('en-US'), { exact: true }).first().waitFor();
  await page.getByText(/^DKP =/).click();
  const weight = page.getByLabel('T5 kills', { exact: true });
  await weight.press('End');
  for (const _ of await weight.inputValue()) await weight.press('Backspace');
  await weight.pressSequentially('40');
  await expect.poll(() => param(page, 'weights')).toContain('killcount_t5:40');
  const { killcount_t4 = 0, killcount_t5 = 0, deads = 0 } = why.whole.gains;
  const { weights } = (await data(`/dashboards/${war.dashboard_id}/`)) as { weights: Record<string, number> };
  const points =
    killcount_t4 * (weights.killcount_t4 ?? 0) +
    killcount_t5 * 40 +
    deads * (weights.deads ?? 0) * (1 - why.deads_off / 100);
  await page.getByText(points.toLocaleString('en-US'), { exact: true }).first().waitFor();
  await page.reload();
  await page.getByText('(your weights)').waitFor();
  await page.getByRole('button', { name: 'Default weights' }).click();
  await expect.poll(() => param(page, 'weights')).toBeNull();
  await context.close();
});

test('the three views open by keyboard, with lines, a race and files named after the event', async () => {
  const { page, context } = await opened(`/dashboards/${war.dashboard_id}`);
  await page.getByRole('link', { name: 'Summarized' }).press('Enter');
  await page.getByRole('heading', { name: 'Kingdoms' }).waitFor();
  await page.getByRole('figure', { name: 'The race: DKP' }).waitFor();
  await page.getByLabel('Compared by').selectOption('power');
  await page.getByRole('columnheader', { name: 'Power gained' }).first().waitFor();
  await page.getByRole('link', { name: 'Download' }).press('Enter');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'csv', exact: true }).first().press('Enter'),
  ]);
  expect(file.suggestedFilename()).toMatch(new RegExp(`^kvk_${war.kvk_id}_\\d+_\\d+\\.csv$`));
  await context.close();
});

test('an unknown event, the other game’s path and a start after the end offer a way on', async () => {
  const { page, context } = await opened('/dashboards/999999');
  await page.getByText('There is no such event.').waitFor();
  await page.getByRole('link', { name: 'All events' }).click();
  await page.getByRole('heading', { name: 'Maps' }).waitFor();
  await page.goto(`/dashboards/${realms.dashboard_id}`);
  await page.getByRole('link', { name: 'Open its dashboard' }).click();
  await page.waitForURL(new RegExp(`/cod-dashboards/${realms.dashboard_id}`));
  await page.getByRole('region', { name: 'Lords' }).waitFor();
  const { snapshots } = await data(`/dashboards/${war.dashboard_id}/`);
  const [first, last] = [snapshots[0].ts, snapshots.at(-1).ts];
  await page.goto(`/dashboards/${war.dashboard_id}?start=${last}&end=${first}`);
  await page.getByRole('heading', { name: 'Nothing to show here' }).waitFor();
  await page.getByRole('button', { name: 'From the first scan to the latest' }).click();
  await firstRow(page).waitFor();
  await context.close();
});

test('a signed-in user chooses their governor in the account or in a row, and is shown first', async () => {
  const { page, context } = await opened('/account');
  await signIn(page);
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const [one, other] = [board.top[8].id, board.top[10].id];
  await page.getByRole('searchbox', { name: 'Find a governor or lord' }).fill(String(one));
  // By chance a lord of the other game has the same id.
  const found = page
    .getByRole('list', { name: 'Found' })
    .getByRole('listitem')
    .filter({ hasText: `RoK · ${one}` })
    .getByRole('button', { name: /is me$/ });
  await found.waitFor();
  // The governor is listed before they are saved, so leaving now would cancel the save.
  await Promise.all([
    page.waitForResponse(
      (saved) => saved.url().endsWith('/v1/account/governors') && saved.request().method() === 'PUT',
    ),
    found.click(),
  ]);
  await page
    .getByRole('list', { name: 'My governors' })
    .getByRole('listitem')
    .filter({ hasText: String(one) })
    .waitFor();
  await page.goto(`/dashboards/${war.dashboard_id}?open=${other}`);
  await expect.poll(() => firstRow(page).textContent()).toContain(String(one));
  await page.getByRole('button', { name: 'This is me' }).click();
  const pinned = async () => (await table(page).getByRole('row').allTextContents()).slice(1, 3).join();
  await expect.poll(pinned).toContain(String(other));
  await page.getByRole('button', { name: 'This is not me' }).click();
  await page.getByRole('button', { name: 'This is me' }).waitFor();
  await page.goto('/account');
  await page.getByRole('list', { name: 'My governors' }).getByRole('button').click();
  await page.getByText('Nobody yet.').waitFor();
  await context.close();
});

test('the dashboard works on a phone and in a frame, without signing in', async () => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  for (const viewport of [PHONE, undefined]) {
    const { page, context, errors } = await opened(`/dashboards/${war.dashboard_id}`, viewport);
    await firstRow(page).waitFor();
    expect(await flaws(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(width).toBeLessThanOrEqual(0);
    await page.goto(`/dashboards/${war.dashboard_id}?embed=true&tab=2`);
    await page.getByRole('figure', { name: 'The race: DKP' }).waitFor();
    expect(await page.getByRole('link', { name: 'All events' }).count()).toBe(0);
    for (const view of [`tab=3`, `open=${board.top[10].id}`, 'start=1', '']) {
      await page.goto(`/${view ? 'dashboards' : 'cod-dashboards'}/${war.dashboard_id}?embed=true&${view}`);
      // Tabs, page arrows and sort headers stay in the frame.
      const links = page.locator('main a[href]:not(nav a, th[scope=col] a)');
      await links.filter({ visible: true }).first().waitFor();
      const own = await page
        .locator('main :is(nav, th[scope=col]) a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      expect(own.filter((href) => !href?.includes('embed=true'))).toEqual([]);
      const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('target')));
      expect([view, new Set(targets)]).toEqual([view, new Set(['_blank'])]);
    }
    expect(await flaws(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  }
});
