import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ods } from '../scan-files/workbooks.ts';
import { launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';

/** What a phone shows of boards, events and imported files. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const phone = async (): Promise<Page> => (await openPage(browser, inject('address'), PHONE)).page;

test('a tap on a dotted figure shows its note, and a tap on another figure does not', async () => {
  const page = await phone();
  await page.goto('/faq');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    for (const [text, title, line] of [
      ['12B', 'of 3 of 4 members', 'underline dotted'],
      ['13B', 'exactly', 'none'],
    ] as const) {
      const figure = Object.assign(document.createElement('p'), { textContent: text, title });
      figure.style.textDecoration = line;
      document.body.prepend(figure);
    }
  });
  await page.getByText('12B').click();
  await page.getByRole('status').getByText('of 3 of 4 members').waitFor();
  await page.getByText('13B').click();
  expect(await page.getByRole('status').getByText('of 3 of 4 members').count()).toBe(0);
});

test('a board sorted another way shows positions and ranks', async () => {
  const page = await phone();
  await page.goto('/leaderboard/governor?sort=deads');
  const places = page.getByRole('table').locator('tbody tr:not([aria-hidden]) td:first-child');
  await expect.poll(() => places.count()).toBe(50);
  const texts = await places.allTextContents();
  expect(texts.map((text) => text.split('#')[0])).toEqual(texts.map((_, index) => String(index + 1)));
  const ranks = texts.map((text) => Number(text.split('#')[1]?.replace(',', '')));
  expect(new Set(ranks).size).toBe(50);
  expect(ranks).not.toEqual(ranks.toSorted((one, other) => one - other));
});

test('the preview of a spreadsheet with six scans names the game once', async () => {
  const page = await phone();
  await signInByCall(page);
  await page.goto('/scans');
  const moments = ['Start', 'Pass 4', 'Pass 5', 'Pass 6', 'Kingsland', 'KvK End'];
  const rows = [
    [null, null, ...moments.flatMap((moment) => [moment, null])],
    ['ID', 'Name', ...moments.flatMap(() => ['Power', 'Kill Points'])],
    [4001, 'Moss', ...moments.flatMap((_, at) => [100 + at, 10 + at])],
  ];
  const file = { name: '1599.ods', mimeType: 'application/octet-stream', buffer: ods({ Tracker: rows }) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('Rise of Kingdoms · 1 line read').waitFor();
  await page.getByRole('button', { name: 'Save 6 scans' }).waitFor();
});
