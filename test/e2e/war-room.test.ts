import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE } from '../support/browser.ts';

/** A leader's evening in a browser: the event, the own kingdom, who is below goal, and what to show others. */

let browser: Browser;
let war: { dashboard_id: number; name: string };
const data = async (path: string) => (await (await fetch(`${inject('address')}/v1${path}`)).json()).data;

beforeAll(async () => {
  browser = await launchBrowser();
  const { events } = await data('/dashboards?game=rok');
  war = events.find(({ state }: { state: string }) => state === 'running');
});
afterAll(() => browser.close());

const flaws = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

test.each([['desktop', undefined] as const, ['phone', PHONE] as const])(
  'a leader pins the kingdom, finds who is below goal and copies a text for Discord on a %s',
  async (_, viewport) => {
    const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
    const { kingdom } = board.kingdoms[1];
    const room = await data(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
    const { page, context, errors } = await openPage(browser, inject('address'), viewport);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
    await page.getByRole('heading', { level: 1, name: `Kingdom ${kingdom}` }).waitFor();
    await page.getByText('of 8 kingdoms').waitFor();
    expect(await page.locator('dl').first().textContent()).toContain(`#${room.rank}`);
    expect(await page.getByText(room.changes[0].text).count()).toBe(1);
    expect(await flaws(page)).toEqual([]);

    await page.getByRole('button', { name: String(room.counts.below_goal), exact: true }).click();
    const count = page.getByRole('status').filter({ hasText: 'governors' });
    await expect
      .poll(() => count.textContent())
      .toBe(`${room.counts.below_goal} of ${room.governors.length} governors`);

    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Copy Discord' }).click();
    await page.getByText('Copied').waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/^```\nKingdom/);
    expect(text).toContain(`#${room.rank} of ${room.kingdoms}`);
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'My kingdom' }).click();
    await page.getByRole('link', { name: war.name }).click();
    await page.getByRole('link', { name: `My kingdom ${kingdom}` }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  },
);

test('a kingdom that is not in the event says so, and where to go', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const answer = await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/9999`);
  expect(answer?.status()).toBe(404);
  await page.getByText('Kingdom 9999 is not in this event').waitFor();
  await page.getByRole('link', { name: 'All events' }).waitFor();
  await context.close();
});
