import ranges from '@fontsource-variable/inter/unicode.json';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hold, launchBrowser, openPage } from '../support/browser.ts';

/** When a page changes from the reader's own font to the product's. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const fontOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.font ?? null);

/** Opens a page in a new browser context, and waits until it has stored the font's files for the next one. */
async function visited(path: string) {
  const opened = await openPage(browser, inject('address'));
  await opened.page.goto(path);
  await opened.page.waitForFunction(() => localStorage.getItem('font') !== null);
  return opened;
}

test('a page keeps the font in which it begins, and the next page begins with the product’s', async () => {
  const { page, context, errors } = await visited('/faq');
  expect(await fontOf(page)).toBeNull();
  await page.getByRole('link', { name: 'Leaderboards', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();
  await expect.poll(() => fontOf(page)).toBe('');
  // On a busy machine the first paint of a page may come before the stored font, which then waits for the next one.
  await expect
    .poll(async () => {
      await page.goto('/faq');
      return fontOf(page);
    })
    .toBe('');
  expect(await page.evaluate(() => document.fonts.check('1em "Inter Variable"'))).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});

test('a page whose font is late keeps the reader’s own', async () => {
  const { page, context, errors } = await visited('/faq');
  const letFont = await hold(page, /\.woff2$/);
  const asked = page.waitForRequest(/\.woff2$/);
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
  const request = await asked;
  letFont();
  await (await request.response())?.finished();
  await page.waitForTimeout(100);
  expect(await fontOf(page)).toBeNull();
  expect(errors).toEqual([]);
  await context.close();
});

test('a download does not change the font of the page', async () => {
  const { page, context, errors } = await visited('/faq');
  const began = page.waitForEvent('download');
  await page.evaluate(() =>
    Object.assign(document.createElement('a'), { href: '/v1/openapi.json', download: '' }).click(),
  );
  await (await began).path();
  expect(await fontOf(page)).toBeNull();
  expect(errors).toEqual([]);
  await context.close();
});

test('a page that begins with the font does not get its files again', async () => {
  const { page, context, errors } = await visited('/faq');
  await expect
    .poll(async () => {
      await page.evaluate(() => localStorage.setItem('font', ` ${localStorage.getItem('font')}`));
      await page.reload();
      return fontOf(page);
    })
    .toBe('');
  // The page stores the list without the space.
  await page.waitForFunction(() => !localStorage.getItem('font')?.startsWith(' '));
  await page.getByRole('link', { name: 'Leaderboards', exact: true }).first().click();
  const files = () =>
    page.evaluate(() => [...document.fonts].filter(({ family }) => /Inter Variable/.test(family)).length);
  await expect.poll(files).toBe(Object.keys(ranges).length);
  expect(errors).toEqual([]);
  await context.close();
});

test('the next page begins with the files of all pages before, except those of an older release', async () => {
  const { page, context, errors } = await visited('/ru/faq');
  await page.evaluate(() => {
    const files: unknown[] = JSON.parse(localStorage.getItem('font') ?? '');
    localStorage.setItem('font', JSON.stringify([...files, { url: '/assets/older.woff2', unicodeRange: 'U+0-FF' }]));
  });
  await page.goto('/faq');
  await page.waitForFunction(() => !localStorage.getItem('font')?.includes('older'));
  expect(await page.evaluate(() => localStorage.getItem('font'))).toContain('U+0400-045F');
  expect(errors).toEqual([]);
  await context.close();
});
