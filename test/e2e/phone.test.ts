import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { ods } from '../scan-files/workbooks.ts';
import { launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';

/** What a phone shows of imported files. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const phone = async (): Promise<Page> => (await openPage(browser, inject('address'), PHONE)).page;

test('a spreadsheet with six moments is previewed, its game named once', async () => {
  const page = await phone();
  await page.goto('/login');
  await signIn(page);
  await page.waitForURL(/\/dashboard/);
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
