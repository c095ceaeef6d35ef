import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { newUser, PASSWORD } from '../support/client.ts';

/**
 * A leader's evening: they look at the event and at their kingdom, find governors below goal, and share results.
 */

let browser: Browser;
let war: { dashboard_id: number; name: string };
const data = async (path: string) => (await (await fetch(`${inject('address')}/v1${path}`)).json()).data;

beforeAll(async () => {
  browser = await launchBrowser();
  const { events } = await data('/dashboards?game=rok');
  war = events.find(({ state }: { state: string }) => state === 'running');
});
afterAll(() => browser.close());

/** Returns what axe finds in a page that has loaded. */
const flaws = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const run = () => page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  const bars = page.getByRole('progressbar');
  let violations: axe.Result[];
  // The room is loaded again when an answer arrives, and shows its bar meanwhile.
  do {
    await expect.poll(() => bars.count()).toBe(0);
    ({ violations } = await run());
  } while (
    (await bars.count()) > 0 ||
    violations.some(({ nodes }) => nodes.some(({ html }) => /progressbar/.test(html)))
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

test('a leader pins the kingdom, finds who is below goal and copies a text for Discord', async () => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const { kingdom } = board.kingdoms[1];
  const room = await data(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
  const { page, context, errors } = await openPage(browser, inject('address'));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
  await page.getByRole('heading', { level: 1, name: `Kingdom ${kingdom}` }).waitFor();
  await page.getByText('of 8 kingdoms').waitFor();
  expect(await page.locator('dl').first().textContent()).toContain(`#${room.rank}`);
  expect(await page.getByText(room.changes[0].text).count()).toBe(1);
  expect(await flaws(page)).toEqual([]);

  await page.getByRole('button', { name: String(room.counts.below_goal), exact: true }).click();
  const count = page.getByRole('status').filter({ hasText: 'governors' });
  await expect.poll(() => count.textContent()).toBe(`${room.counts.below_goal} of ${room.governors.length} governors`);

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
});

/** A page of a new user. */
async function asUser(viewport: typeof PHONE) {
  const { client, username } = await newUser(inject('address'), 5);
  const opened = await openPage(browser, inject('address'), viewport);
  await signInByCall(opened.page, username, PASSWORD);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return { ...opened, client };
}

test.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a leader’s evening on a %s: own kingdom, below goal, a farm, Discord and a card', async (_, viewport) => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const { kingdom, counts } = board.kingdoms[2];
  const { page, context, errors, client } = await asUser(viewport);
  await client.call('PUT', '/v1/account/following/kingdom', { game: 'rok', kingdom });
  await page.goto(`/dashboards/${war.dashboard_id}`);
  await page.getByRole('button', { name: 'I understand' }).click();
  const below = page.getByRole('link', { name: `${counts.below_goal} below goal` });
  await below.waitFor();
  // Who leads, how the own kingdom is and who must fight more are on the first screen.
  for (const shown of [below, page.getByRole('link', { name: `My kingdom ${kingdom}` }), page.getByText('leads by')])
    expect((await shown.boundingBox())?.y).toBeLessThan(viewport.height - 40);
  await below.click();
  const listed = page.getByRole('status').filter({ hasText: 'governors' });
  const { governors } = await data(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
  await expect.poll(() => listed.textContent()).toBe(`${counts.below_goal} of ${governors.length} governors`);

  const farm = governors.find((one: { below_goal: boolean }) => one.below_goal);
  await page.getByRole('button', { name: `Roster of ${kingdom}` }).click();
  await page.getByRole('searchbox', { name: 'Add a governor' }).fill(String(farm.governor_id));
  await page.getByRole('searchbox', { name: 'Add a governor' }).press('Enter');
  const main = page.getByRole('searchbox', { name: `Farm ${farm.governor_id} is of` });
  await main.fill(String(governors[0].governor_id));
  await main.press('Enter');
  await page.getByRole('button', { name: 'Save the roster' }).click();
  await page.getByText('Counted by your roster: 1 farm for their mains').waitFor();
  await expect.poll(() => listed.textContent()).toBe(`${counts.below_goal - 1} of ${governors.length} governors`);
  expect(await flaws(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  await page.getByRole('button', { name: 'Share' }).first().click();
  await page.getByRole('button', { name: 'Copy Discord' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${counts.below_goal - 1} below goal`);
  const card = await page.getByRole('link', { name: 'Open the picture' }).getAttribute('href');
  const picture = await fetch(card ?? '');
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(errors).toEqual([]);
  await context.close();
});

test('a leader’s own goals count in their view on a phone, and stay for the next war', async () => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const { kingdom } = board.kingdoms[3];
  const { governors, counts } = await data(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
  const scores: number[] = governors.flatMap(({ dkp, exempt }: { dkp: number | null; exempt: boolean }) =>
    dkp === null || exempt ? [] : [dkp],
  );
  const target = scores[Math.floor(scores.length / 2)] ?? 0;
  const passing = scores.filter((dkp) => dkp >= target).length;
  const { page, context, errors, client } = await asUser(PHONE);
  await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`);
  await page.getByRole('button', { name: 'I understand' }).click();
  await page.getByRole('button', { name: `Your goals of ${kingdom}` }).click();
  await page.getByRole('button', { name: 'Add a bracket' }).click();
  await page.getByLabel('From power of goal 1').fill('1');
  await page.getByLabel('DKP of goal 1').fill(String(target));
  await page.getByText(new RegExp(`^${passing} of \\d+ governors pass`)).waitFor();
  await page.getByLabel('Percent of a farm’s score that counts for its main').fill('120');
  await page.getByText('Write a percent from 0 to 100.').waitFor();
  expect(await page.getByRole('button', { name: 'Save the goals' }).isDisabled()).toBe(true);
  await page.getByLabel('Percent of a farm’s score that counts for its main').fill('20');
  expect(await flaws(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Save the goals' }).click();
  const below = page.getByRole('button', { name: String(scores.length - passing), exact: true });
  for (let visit = 0; visit < 2; visit++) {
    await page.getByText('Goals here are your own.').waitFor();
    await below.waitFor();
    await page.reload();
  }
  const goal = { min_power: 1, dkp: target, kills: null, deads: null };
  expect(await client.call('GET', `/v1/rosters/rok/${kingdom}/goals`)).toMatchObject({ goals: [goal], farms: 20 });
  // Others see the event's goals.
  expect((await data(`/dashboards/${war.dashboard_id}/kingdoms/${kingdom}`)).counts).toEqual(counts);
  expect(errors).toEqual([]);
  await context.close();
});

test('goals in the editor are those of the kingdom on the page, also on the way back', async () => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const [one, other] = board.kingdoms.map(({ kingdom }: { kingdom: string }) => kingdom);
  const { page, context, errors, client } = await asUser(DESKTOP);
  for (const [kingdom, min_power] of [
    [one, 1000],
    [other, 2000],
  ] as const) {
    const goals = [{ min_power, dkp: 5, kills: null, deads: null }];
    await client.call('PUT', `/v1/rosters/rok/${kingdom}/goals`, { goals, farms: null });
  }
  await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/${one}`);
  await page.getByText('Goals here are your own.').waitFor();
  await page.getByRole('link', { name: other, exact: true }).first().click();
  await page.getByRole('button', { name: `Your goals of ${other}` }).click();
  const power = page.getByLabel('From power of goal 1');
  await expect.poll(() => power.inputValue()).toBe('2,000');
  await page.goBack();
  await page.getByRole('button', { name: `Your goals of ${one}` }).waitFor();
  await expect.poll(() => power.inputValue()).toBe('1,000');
  expect(errors).toEqual([]);
  await context.close();
});

test('who follows an event on a phone sees its news on the dashboard until they stop', async () => {
  const { page, context, errors, client } = await asUser(PHONE);
  const followed = async () => (await client.call<{ events: object[] }>('GET', '/v1/account/following')).events;
  await page.goto(`/dashboards/${war.dashboard_id}`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  expect(await followed()).toMatchObject([{ dashboard_id: war.dashboard_id, kingdom: null }]);
  await page.goto('/account/notifications');
  await page.getByText(war.name).first().waitFor();
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'In your wars' }).waitFor();
  await page.goto(`/dashboards/${war.dashboard_id}`);
  await page.getByRole('button', { name: 'Following', pressed: true }).click();
  await page.getByRole('button', { name: 'Follow', exact: true, pressed: false }).waitFor();
  expect(await followed()).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});

test('charts of an event are read with the arrow keys and open as tables', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  await page.goto(`/dashboards/${war.dashboard_id}?tab=2`);
  // Keys pressed before React has taken over are lost.
  await page.waitForLoadState('networkidle');
  for (const name of [/^Lead over the next camp/, /^DKP against power/, /^Deads against kills/]) {
    const chart = page.getByRole('slider', { name });
    await chart.focus();
    await page.keyboard.press('Home');
    const first = await chart.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => chart.getAttribute('aria-valuetext')).not.toBe(first);
    const figure = page.getByRole('figure').filter({ has: chart });
    await figure.getByText('As a table').click();
    await expect.poll(() => figure.getByRole('row').count()).toBeGreaterThan(2);
    // The other two tables have a row for each fighter, too many to be looked at quickly.
    if (String(name).includes('Lead')) expect(await flaws(page)).toEqual([]);
  }
  expect(errors).toEqual([]);
  await context.close();
});

test('a kingdom that is not in the event says so, and where to go', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const answer = await page.goto(`/dashboards/${war.dashboard_id}/kingdoms/9999`);
  expect(answer?.status()).toBe(404);
  await page.getByText('Kingdom 9999 is not in this event').waitFor();
  await page.getByRole('link', { name: 'All events' }).waitFor();
  await context.close();
});

test('an address that names a scan that was removed leads to those left', async () => {
  const { board } = await data(`/dashboards/${war.dashboard_id}/page`);
  const { page, context } = await openPage(browser, inject('address'));
  for (const [path, scan] of [
    ['', `end=${Date.now()}`],
    [`/kingdoms/${board.kingdoms[0].kingdom}`, 'since=1'],
  ]) {
    await page.goto(`/dashboards/${war.dashboard_id}${path}?${scan}`);
    await page.getByText('There is no snapshot at').waitFor();
    await page.getByRole('button', { name: 'From the first scan to the latest' }).click();
    await page.getByRole('combobox', { name: 'To', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  }
  await context.close();
});
