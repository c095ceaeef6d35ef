import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { signedIn } from '../support/client.ts';

/** A leader's roster and goals in rows, over the scans of the library. */

const KINGDOM = 4779;
const ROSTER = `/v1/rosters/rok/${KINGDOM}`;
/** Names as players choose them: markup, right-to-left marks, nothing visible, and too long. */
const HOSTILE = ['<img src=x onerror=alert(1)>', '\u202egnp.exe', '\u3164', 'W'.repeat(90)];
const FIGHTERS = ['Aster', 'Birch', 'Cedar', ...HOSTILE].map((name, index) => ({ id: 72_001 + index, name }));

let browser: Browser;
let address: string;
const scans: string[] = [];

/** A scan in which the governor at `index` has `index` × `gain` more T4 kills than at the start. */
const fileOf = (gain: number): string =>
  [
    'governor_id,governor_name,kingdom,power,killcount_t4,killcount_t5,deads',
    ...FIGHTERS.map(({ id, name }, index) => `${id},"${name}",${KINGDOM},50000000,${100 + index * gain},0,0`),
  ].join('\n');

beforeAll(async () => {
  browser = await launchBrowser();
  const client = await signedIn(inject('address'));
  for (const [day, gain] of [
    ['2026-04-01', 0],
    ['2026-04-08', 1000],
    ['2026-04-15', 3000],
  ] as const) {
    const brought = await fetch(`${inject('address')}/v1/scans/import?name=${day}.csv`, {
      method: 'POST',
      headers: { cookie: client.cookie() },
      body: fileOf(gain),
    });
    const { data } = (await brought.json()) as { data: { import_id: string } };
    const path = `/v1/scans/import/${data.import_id}/save`;
    scans.push(...(await client.call<{ scan_ids: string[] }>('POST', path, {})).scan_ids);
  }
  address = `/compare?from=${scans[0]}&to=${scans[1]}`;
});

afterAll(async () => {
  const client = await signedIn(inject('address'));
  await client.call('PUT', ROSTER, []);
  for (const id of scans) await client.call('DELETE', `/v1/scans/${id}`);
  await browser.close();
});

async function opened(viewport: typeof PHONE) {
  const all = await openPage(browser, inject('address'), viewport);
  await signInByCall(all.page);
  await all.page.goto(address);
  await all.page.getByRole('button', { name: 'I understand' }).click();
  await all.page.getByRole('button', { name: /^Goals, zeroed/ }).click();
  return all;
}

const flaws = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

const finder = (page: Page, name: string) => page.getByRole('searchbox', { name });
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])(
  'on %s a bracket counts who passes while it is typed, and a zeroed governor is found by name',
  async (_, viewport) => {
    const { page, context, errors } = await opened(viewport);
    await page.getByRole('button', { name: 'Add a bracket' }).click();
    const passes = page.getByRole('list', { name: 'Goals' }).getByRole('status');
    await expect.poll(() => passes.textContent()).toBe('Name the power from which the goal counts.');
    await page.getByLabel('From power of goal 1').fill('40M');
    await expect.poll(() => passes.textContent()).toBe('Set at least one target.');
    await page.getByLabel('Kills of goal 1').fill('much');
    await expect.poll(() => passes.textContent()).toBe('Kills: write a figure such as 40,000,000 or 40M.');
    // Gains are 0, 1,000, 2,000 … 6,000.
    await page.getByLabel('Kills of goal 1').fill('2.5K');
    await expect.poll(() => passes.textContent()).toBe('4 of 7 governors pass.');
    await page.getByLabel('Kills of goal 1').fill('5K');
    await expect.poll(() => passes.textContent()).toBe('2 of 7 governors pass.');
    await expect.poll(() => param(page, 'goals')).toBe('40000000: kills 5000');

    await finder(page, 'Add a zeroed governor').fill('birch');
    await finder(page, 'Add a zeroed governor').press('Enter');
    await expect.poll(() => param(page, 'zeroed')).toBe('72002: 80');
    for (const { id } of FIGHTERS.slice(3)) {
      await finder(page, 'Add a zeroed governor').fill(String(id));
      await page.getByRole('list', { name: 'Found for add a zeroed governor' }).getByRole('button').click();
    }
    await page.getByLabel('Percent of the deads of 72002 that does not count').selectOption('50');
    await expect.poll(() => param(page, 'zeroed')).toMatch(/^72002: 50\n/);
    expect(await flaws(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await page.reload();
    await page.getByRole('button', { name: /^Goals, zeroed/ }).click();
    expect(await page.getByLabel('Kills of goal 1').inputValue()).toBe('5,000');
    expect(await page.getByRole('list', { name: 'Zeroed' }).getByRole('listitem').count()).toBe(5);
    expect(errors).toEqual([]);
    await context.close();
  },
);

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s a farm is marked, and an edit of what changed meanwhile shows the difference', async (_, viewport) => {
  const client = await signedIn(inject('address'));
  await client.call('PUT', ROSTER, []);
  const { page, context, errors } = await opened(viewport);
  await page.getByRole('button', { name: `Roster of ${KINGDOM}` }).click();
  await finder(page, 'Add a governor').fill('cedar');
  await finder(page, 'Add a governor').press('Enter');
  await page.getByText('72003 is a farm: name its main.').waitFor();
  expect(await page.getByRole('button', { name: 'Save the roster' }).isDisabled()).toBe(true);
  await finder(page, 'Farm 72003 is of').fill('72001');
  await page.getByRole('list', { name: 'Found for farm 72003 is of' }).getByRole('button', { name: /Aster/ }).click();
  for (const { id } of FIGHTERS.slice(3)) {
    await finder(page, 'Add a governor').fill(String(id));
    await finder(page, 'Add a governor').press('Enter');
    await page.getByLabel(`Role of ${id}`).selectOption('exempt');
    await page.getByLabel(`Reason of ${id}`).fill('<b>ill</b>');
  }
  expect(await flaws(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Save the roster' }).click();
  await page.getByText('Saved: 5 governors.').waitFor();
  const kept = () =>
    client.call<{ entries: { governor_id: number; main_id: number | null; note: string }[] }>('GET', ROSTER);
  expect((await kept()).entries.slice(0, 2)).toMatchObject([
    { governor_id: 72003, main_id: 72001 },
    { governor_id: 72004, note: '<b>ill</b>' },
  ]);

  const other = [{ governor_id: 72002, role: 'left', main_id: null, note: '' }];
  await client.call('PUT', ROSTER, other);
  await page.getByLabel('Reason of 72004').fill('back');
  await page.getByRole('button', { name: 'Save the roster' }).click();
  const changes = page.getByRole('list', { name: 'What changed meanwhile' }).getByRole('listitem');
  await changes.first().waitFor();
  const told = (await changes.allTextContents()).join('\n');
  expect(told).toMatch(/Cedar.*72003: farm of 72001 → removed/);
  expect(told).toMatch(/Birch.*72002: new, left/);
  expect((await kept()).entries).toEqual(other);
  await page.getByRole('button', { name: 'Save mine in its place' }).click();
  await page.getByText('Saved: 5 governors.').waitFor();
  expect((await kept()).entries.find(({ governor_id }) => governor_id === 72004)?.note).toBe('back');
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByText('by you: 6 governors').first().waitFor();
  expect(errors).toEqual([]);

  await client.call('PUT', ROSTER, other);
  await page.getByRole('button', { name: 'Replace it by csv' }).click();
  await page.getByRole('textbox', { name: 'Rows' }).fill('governor_id,role\n72001,main\n72005,exempt');
  await page.getByRole('button', { name: 'Replace the roster' }).click();
  await page.getByRole('button', { name: 'Save mine in its place' }).click();
  await page.getByText('Saved: 2 governors.').waitFor();
  expect((await kept()).entries).toMatchObject([
    { governor_id: 72001, role: 'main' },
    { governor_id: 72005, role: 'exempt' },
  ]);
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/roster-${viewport.width}.png`, fullPage: true });
  await context.close();
});

test('a report of several fights opens each of them alone, also after one was deleted', async () => {
  const client = await signedIn(inject('address'));
  const ranges = [0, 1].map((at) => ({ from: [scans[at]], to: [scans[at + 1]] }));
  const fights: string[] = [];
  for (const [at, range] of ranges.entries())
    fights.push(
      (await client.call<{ fight_id: string }>('POST', '/v1/fights', { name: `Pass ${at}`, ...range })).fight_id,
    );
  const settings = {
    weights: { killcount_t4: 7 },
    power_off: 0,
    goals: [],
    zeroed: {},
    farms: null,
    columns: [],
    note: '',
  };
  const report = { name: 'Both passes', ranges, settings };
  const { report_id } = await client.call<{ report_id: string }>('POST', '/v1/reports', report);
  await client.call('DELETE', `/v1/fights/${fights[0]}`);
  const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
  await signInByCall(page);
  await page.goto(`/compare/${report_id}`);
  await page.getByText('one of which was deleted').waitFor();
  expect(await page.getByRole('list', { name: 'Fights' }).getByRole('listitem').allTextContents()).toEqual([
    'Fight 1',
    'Pass 1',
  ]);
  expect(await flaws(page)).toEqual([]);
  await page.getByRole('link', { name: 'Fight 1' }).click();
  await page.getByRole('region', { name: 'Governors' }).getByRole('button', { name: 'Cedar' }).waitFor();
  expect(['from', 'to', 'weights'].map((name) => param(page, name))).toEqual([scans[0], scans[1], 'killcount_t4:7']);
  await client.call('DELETE', `/v1/fights/${fights[1]}`);
  await client.call('DELETE', `/v1/reports/${report_id}`);
  expect(errors).toEqual([]);
  await context.close();
});
