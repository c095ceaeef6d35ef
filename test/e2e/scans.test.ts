import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';
import { signedIn } from '../support/client.ts';

/** Files of other tools in a browser: from the drop to a report that a stranger reads, by keyboard and on a phone. */

interface Fighter {
  id: number;
  name: string;
  t4: number;
  t5: number;
  power: number;
}

const START: Fighter[] = [
  { id: 71001, name: 'Aster', t4: 100, t5: 10, power: 90_000_000 },
  { id: 71002, name: 'Birch', t4: 50, t5: 0, power: 80_000_000 },
  { id: 71003, name: 'Cedar', t4: 70, t5: 0, power: 70_000_000 },
  { id: 71004, name: 'Fewer', t4: 500, t5: 0, power: 60_000_000 },
];
const END: Fighter[] = [
  { id: 71001, name: 'Aster', t4: 1100, t5: 60, power: 91_000_000 },
  { id: 71002, name: 'Birch', t4: 2550, t5: 0, power: 80_500_000 },
  { id: 71003, name: 'Cedar', t4: 70, t5: 0, power: 70_000_000 },
  { id: 71004, name: 'Fewer', t4: 400, t5: 0, power: 60_000_000 },
  { id: 71005, name: 'Joiner', t4: 5, t5: 0, power: 50_000_000 },
];

/** A file as RokTracker writes it, which names neither kingdom nor moment. */
const fileOf = (fighters: readonly Fighter[]): Buffer =>
  Buffer.from(
    [
      'Governor ID,Governor Name,Power,Kill Points,Deaths,T1,T2,T3,T4,T5,Alliance',
      ...fighters.map(
        ({ id, name, power, t4, t5 }) =>
          `${id},${name},${power},${10 * t4 + 20 * t5},3,0,0,0,${t4},${t5},[MC~]Moss Company`,
      ),
    ].join('\n'),
  );

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  const client = await signedIn(inject('address'));
  const { scans } = await client.call<{ scans: { scan_id: string }[] }>('GET', '/v1/scans?origin=imported');
  for (const { scan_id } of scans) await client.call('DELETE', `/v1/scans/${scan_id}?with=reports`);
  await browser.close();
});

/** A page of somebody's own session, signed in as the demo user or a stranger. */
async function opened(path: string, { viewport, stranger }: { viewport?: typeof PHONE; stranger?: true } = {}) {
  const all = await openPage(browser, inject('address'), viewport);
  if (!stranger) await signInByCall(all.page);
  await all.page.goto(path);
  const cookies = all.page.getByRole('button', { name: 'I understand' });
  await cookies.click();
  return all;
}

const card = (page: Page, name: string) => page.getByRole('article', { name });
const rowsOf = (table: Locator) => table.getByRole('row');
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const flaws = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`);
};

/** Supplies what a file does not say and saves it, without a mouse. */
async function save(page: Page, name: string, day: string) {
  const file = card(page, name);
  await file.getByText('RokTracker v3–v4').waitFor();
  expect(await file.getByRole('button', { name: 'Save 1 scan' }).isDisabled()).toBe(true);
  await file.getByLabel('Kingdom of these rows').fill('4777');
  await page.keyboard.press('Tab');
  await file.getByRole('cell', { name: '4777', exact: true }).waitFor();
  const moment = file.getByLabel('Scanned at (UTC)');
  await moment.fill(`${day}T12:00`);
  // Tab leads through day, hour and minute first.
  await moment.blur();
  await file.getByRole('button', { name: 'Save 1 scan', disabled: false }).press('Enter');
  await file.getByText('Saved: 1 scan in your library.').waitFor();
  await file.getByRole('button', { name: 'Done' }).press('Enter');
}

/** Lets files fall on the page, several at once, as a mouse would. */
async function drop(page: Page, files: Record<string, Buffer>) {
  const named = Object.entries(files).map(([name, bytes]) => [name, bytes.toString('latin1')] as const);
  const data = await page.evaluateHandle((given) => {
    const carried = new DataTransfer();
    for (const [name, text] of given)
      carried.items.add(new File([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], name));
    return carried;
  }, named);
  const place = page.getByText('Drop scan files here');
  for (const event of ['dragenter', 'dragover', 'drop']) await place.dispatchEvent(event, { dataTransfer: data });
}

const side = (page: Page, which: 'From' | 'To', day: string) =>
  page.getByRole('checkbox', { name: `${which} Kingdom 4777, ${day}` });

test('files are dropped, previewed, saved, compared and shared until the link is closed', async () => {
  const { page, context, errors } = await opened('/scans');
  const photo = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
  await drop(page, { 'before.csv': fileOf(START), 'after.csv': fileOf(END), 'photo.xlsx': photo });
  await card(page, 'photo.xlsx').getByText('This is a picture, whatever its name says.').waitFor();
  await card(page, 'photo.xlsx').getByRole('button', { name: 'Dismiss' }).press('Enter');
  await card(page, 'after.csv').getByText('5 lines read').waitFor();
  expect.soft(await flaws(page)).toEqual([]);
  await save(page, 'before.csv', '2026-03-01');
  await save(page, 'after.csv', '2026-03-08');
  await side(page, 'From', '1 Mar 2026, 12:00 UTC').press('Space');
  await page.getByText('From 1 scan to 0 scans: choose the later scans').waitFor();
  await side(page, 'To', '8 Mar 2026, 12:00 UTC').press('Space');
  await page.getByText('From 1 scan to 1 scan').waitFor();
  await page.getByRole('link', { name: 'Compare', exact: true }).press('Enter');

  await page.waitForURL(/\/compare\?/);
  const governors = page.getByRole('region', { name: 'Governors' });
  await governors.getByRole('button', { name: 'Birch' }).waitFor();
  await page.getByText('4 governors on both sides, 1 joined, 0 left.').waitFor();
  // 10 for each T4 kill, 20 for each T5: Birch 2,500 × 10, Aster 1,000 × 10 + 50 × 20; Fewer has less than before.
  const cells = async () =>
    Promise.all((await rowsOf(governors).all()).slice(1).map((row) => row.getByRole('cell').allTextContents()));
  const named = (await cells()).map(([rank, name = '', , dkp]) => [rank, /[A-Z][a-z]+/.exec(name)?.[0], dkp]);
  expect(named.slice(0, 3)).toEqual([
    ['1', 'Birch', '+25.0K'],
    ['2', 'Aster', '+11.0K'],
    ['3', 'Cedar', '0'],
  ]);
  expect(named.find(([, name]) => name === 'Fewer')?.[2]).toMatch(/^\?/);

  await governors.getByRole('button', { name: 'Aster' }).press('Enter');
  await expect.poll(() => param(page, 'open')).toBe('71001');
  await page.getByText('20 × T5 kills', { exact: true }).waitFor();
  await page.getByText('11,000', { exact: true }).first().waitFor();
  await page.getByText('Power through your scans').first().waitFor();
  expect.soft(await flaws(page)).toEqual([]);

  await page.getByRole('button', { name: 'Save as a report' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Power at the start').press('Space');
  await dialog.getByLabel('Name').fill('War of moss');
  await dialog.getByLabel('Name').press('Enter');
  await dialog.getByRole('link', { name: 'Open and share it' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'War of moss' }).waitFor();
  await page.getByLabel('Days').press('Enter');
  const address = (await page.getByText(/^The link: /).textContent())?.replace('The link: ', '') ?? '';
  expect(new URL(address).origin).toBe(inject('address'));
  const shared = new URL(address).pathname;
  expect.soft(await flaws(page)).toEqual([]);

  for (const viewport of [PHONE, undefined]) {
    const seen = await opened(shared, { ...(viewport && { viewport }), stranger: true });
    await seen.page.getByRole('heading', { level: 1, name: 'War of moss' }).waitFor();
    await seen.page.getByText('4777 · from 1 Mar 2026, 12:00 UTC to 8 Mar 2026, 12:00 UTC').waitFor();
    const sums = seen.page.getByRole('region', { name: 'Sums' });
    expect(await rowsOf(sums).nth(1).getByRole('cell').allTextContents()).toEqual([
      '4777',
      '+36.0K',
      '+35.0K',
      '1',
      '4',
      '1',
      '0',
    ]);
    const table = seen.page.getByRole('region', { name: 'Governors' });
    const names = async () => (await table.locator('tbody td:nth-child(2)').allTextContents()).join();
    expect(await names()).toBe('Birch,Aster,Cedar,Fewer');
    expect(await table.getByRole('columnheader', { name: /Power/ }).count()).toBe(0);
    const dkp = table.getByRole('columnheader', { name: 'DKP', exact: true });
    await seen.page.getByLabel('Search the report').fill('cedar');
    await expect.poll(names).toBe('Cedar');
    await seen.page.getByLabel('Search the report').fill('');
    const csv = await seen.context.request.get(
      (await seen.page.getByRole('link', { name: 'csv' }).getAttribute('href')) ?? '',
    );
    expect((await csv.text()).split('\r\n')[0]?.split(',')).not.toContain('power');
    await dkp.getByRole('link').press('Enter');
    await expect.poll(() => dkp.getAttribute('aria-sort')).toBe('descending');
    await dkp.getByRole('link').press('Enter');
    await expect.poll(names).toBe('Cedar,Aster,Birch,Fewer');
    expect([param(seen.page, 'sort'), param(seen.page, 'ascending')]).toEqual(['dkp', 'true']);
    await seen.page.reload();
    await expect.poll(names).toBe('Cedar,Aster,Birch,Fewer');
    expect.soft(await overflow(seen.page)).toBeLessThanOrEqual(0);
    expect.soft(await flaws(seen.page)).toEqual([]);
    expect(seen.errors).toEqual([]);
    await seen.context.close();
  }

  await page.getByRole('button', { name: 'End now' }).press('Enter');
  await page.getByText('Nobody else sees this report.').waitFor();
  const late = await opened(shared, { stranger: true });
  await late.page.getByText('This link no longer works. Ask whoever sent it for a new one.').waitFor();
  expect(await late.page.getByText('Birch').count()).toBe(0);
  await late.context.close();
  expect(errors).toEqual([]);
  await context.close();
});

test('a preview names unknown columns, lets the user map them and remembers the mapping', async () => {
  const { page, context, errors } = await opened('/scans', { viewport: PHONE });
  const lines = ['Kingdom,Governor ID,Governor Name,Power,Might,Mood', '4778,7,Aster,5,9,glad'];
  const odd = [...lines, '4778,7,Twice,6,9,', '4778,,Nobody,6,9,', '4778,8,Birch,many,9,', '4778,9,Cedar,4,8,sad'];
  await page.getByLabel('choose them').setInputFiles({
    name: 'odd.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(odd.join('\n')),
  });
  const first = card(page, 'odd.csv');
  await first.getByText('5 lines read, 2 kept, 3 excluded').waitFor();
  await first.getByText('were not understood').click();
  await first
    .getByText('line 3: 7 appears twice with different figures: line 2 counts, this one is left out.')
    .waitFor();
  await first.getByText('line 4: No governor id; the line is left out.').waitFor();
  await first.getByText("line 5: 'many' is not a number.").waitFor();
  await first.getByText('6 headers · 2 of them not known').waitFor();
  await first.getByLabel('Might').selectOption('Highest Power');
  await first.getByText('First rows').click();
  await first.getByRole('columnheader', { name: 'Highest Power' }).waitFor();
  await first.getByLabel('Governor Name').selectOption('ignore');
  await first.getByRole('cell', { name: 'Aster' }).waitFor({ state: 'detached' });
  const moment = first.getByLabel('Scanned at (UTC)');
  await moment.fill('2099-01-01T12:00');
  await moment.blur();
  await first.getByText('2099-01-01 12:00 UTC is in the future.').waitFor();
  expect(await moment.getAttribute('aria-invalid')).toBe('true');
  await moment.fill('2026-03-01T12:00');
  await moment.blur();
  expect.soft(await flaws(page)).toEqual([]);
  expect.soft(await overflow(page)).toBeLessThanOrEqual(0);
  await first.getByRole('button', { name: 'Save 1 scan', disabled: false }).click();
  await first.getByText('Saved: 1 scan in your library.').waitFor();
  await page.getByLabel('choose them').setInputFiles({
    name: 'next_2026-03-02.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  const next = card(page, 'next_2026-03-02.csv');
  await next.getByText('mapped like your previous file').waitFor();
  // The user can correct what the file's name says.
  await next.getByRole('button', { name: 'Correct the time' }).click();
  const corrected = next.getByLabel('Scanned at (UTC)');
  expect(await corrected.inputValue()).toBe('2026-03-02T00:00');
  await corrected.fill('2026-03-02T18:30');
  await corrected.blur();
  await next.getByRole('cell', { name: /18:30/ }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('on a phone a range is saved and scored as a fight, and reports and fights can be deleted', async () => {
  const { page, context, errors } = await opened('/scans?game=rok&of=4777', { viewport: PHONE });
  await side(page, 'From', '1 Mar 2026, 12:00 UTC').click();
  await page.getByText('From 1 scan to 0 scans: choose the later scans').waitFor();
  await side(page, 'To', '8 Mar 2026, 12:00 UTC').click();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Save as a fight' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Pass of moss');
  await page.getByRole('dialog').getByLabel('Name').press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect.soft(await overflow(page)).toBeLessThanOrEqual(0);
  expect.soft(await flaws(page)).toEqual([]);

  await page.getByRole('link', { name: 'Choose scans' }).click();
  await page.getByRole('checkbox', { name: 'Pass of moss' }).click();
  expect.soft(await overflow(page)).toBeLessThanOrEqual(0);
  expect.soft(await flaws(page)).toEqual([]);
  await page.getByRole('link', { name: 'Score 1 fight' }).click();
  await page.waitForURL(/\/compare\?fights=/);
  await page.getByRole('region', { name: 'Governors' }).getByRole('button', { name: 'Birch' }).waitFor();

  await page.goto('/scans');
  for (const [what, name] of [
    ['fight', 'Pass of moss'],
    ['report', 'War of moss'],
  ]) {
    await page.getByRole('button', { name: `Delete the ${what} ${name}` }).click();
    await page
      .getByRole('dialog', { name: `Delete “${name}”?` })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText(name ?? '', { exact: true }).waitFor({ state: 'detached' });
  }
  await page.getByText('None yet. Compare two scans and save the comparison as a report.').waitFor();
  await page.getByText('None yet. Compare two scans and choose “Save as a fight”.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('the files of a war are saved with one click, survive a reload and are compared with two choices', async () => {
  const { page, context, errors } = await opened('/scans');
  const fileOn = (kingdom: number, day: string) => ({
    name: `war_${kingdom}_${day}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'Governor ID,Governor Name,Kingdom,Power,Kill Points,Deaths,T1,T2,T3,T4,T5,Alliance',
        `${kingdom}1,Aster ${kingdom},${kingdom},90000000,1000,3,0,0,0,100,0,[MC~]Moss Company`,
        `${kingdom}2,Birch ${kingdom},${kingdom},80000000,500,3,0,0,0,50,0,[MC~]Moss Company`,
      ].join('\n'),
    ),
  });
  const days = ['2026-03-05', '2026-04-19'];
  const files = days.flatMap((day) => [4801, 4802, 4803].map((kingdom) => fileOn(kingdom, day)));
  await page.locator('input[type="file"]').setInputFiles(files);
  const all = page.getByRole('button', { name: 'Save all (6 scans)' });
  await all.waitFor();
  await page.reload();
  await all.waitFor();
  expect(await page.getByRole('article').count()).toBe(6);
  await all.click();
  await expect.poll(() => page.getByText('Saved: 1 scan in your library.').count()).toBe(6);
  await page.reload();
  await page.getByRole('region', { name: 'Library' }).getByText('Kingdom 4803').first().waitFor();
  expect(await page.getByRole('article').count()).toBe(0);
  const whole = page.getByRole('group', { name: 'Compare whole days' });
  await whole.getByLabel('From all of').selectOption({ label: '5 Mar 2026 · 3 kingdoms' });
  await whole.getByLabel('to all of').selectOption({ label: '19 Apr 2026 · 3 kingdoms' });
  await page.getByText('From 3 scans to 3 scans').waitFor();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.getByText('6 governors on both sides, 0 joined, 0 left.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

test('a file that is not saved yet survives reloads on a connection that fails', async () => {
  const { page, context, errors } = await opened('/scans');
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'patient.csv', mimeType: 'text/csv', buffer: fileOf(START) });
  const file = card(page, 'patient.csv');
  await file.getByLabel('Kingdom of these rows').fill('4778');
  await page.keyboard.press('Tab');
  await file.getByRole('cell', { name: '4778', exact: true }).waitFor();
  await page.route('**/v1/scans/import/*/preview', (route) => route.abort());
  for (let times = 0; times < 2; times++) {
    await page.reload();
    await file.getByRole('button', { name: 'Try again' }).waitFor();
  }
  await page.unroute('**/v1/scans/import/*/preview');
  await file.getByRole('button', { name: 'Try again' }).click();
  await file.getByRole('cell', { name: '4778', exact: true }).waitFor();
  await file.getByRole('button', { name: 'Discard' }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'My Scans' }).waitFor();
  expect(await file.count()).toBe(0);
  expect(errors).toEqual([]);
  await context.close();
});

test('governors and kingdoms known only from own files have pages for their owner, and search finds them', async () => {
  const { page, context } = await opened('/scans?of=4801');
  await page.getByRole('link', { name: '4801', exact: true }).first().click();
  await page.waitForURL(/\/scans\?.*of=4801/);
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: /^Search players/ });
  await search.fill('aster 4801');
  await page.getByRole('option', { name: /Aster 4801/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Aster 4801' }).waitFor();
  const readings = page.getByRole('region', { name: 'In your scans' });
  expect(await rowsOf(readings).count()).toBe(3);
  await page.goto('/kingdoms/4801');
  await page.getByRole('link', { name: '2 scans of kingdom 4801 in your library' }).click();
  await page.getByRole('region', { name: 'Library' }).getByText('Kingdom 4801').first().waitFor();
  await context.close();
});
