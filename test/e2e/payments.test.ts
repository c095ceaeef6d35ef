import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signInByCall } from '../support/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The balance on the Balance tab, in cents. */
async function balanceOn(page: Page): Promise<number> {
  const text = await page.locator('dl', { hasText: 'Balance' }).locator('dd').textContent();
  return Math.round(Number((text ?? '').replace(/[^\d.]/g, '')) * 100);
}

test.each([
  ['a desk', DESKTOP],
  ['a phone', PHONE],
])('a top-up at %s: amount, checkout page, balance, statement, receipt', async (_, viewport) => {
  const { page, context, errors } = await openPage(browser, inject('address'), viewport);
  await signInByCall(page);
  await page.goto('/account/balance');
  const before = await balanceOn(page);

  await page.getByLabel('Amount in USD').fill('4.99');
  await page.getByRole('button', { name: /Pay/ }).click();
  await page.getByText('The smallest top-up is 5.00 USD.').waitFor();
  await page.getByRole('button', { name: '$50', exact: true }).click();
  await page.getByRole('button', { name: 'Pay $50.00 with Stripe' }).click();

  await page.getByText('This is a test payment.').waitFor();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('Subscription attempt cancelled.').waitFor();
  await page.goto('/account/balance');
  await page.getByLabel('Amount in USD').fill('12.5');
  await page.getByRole('button', { name: 'Pay $12.50 with Stripe' }).click();
  await page.getByRole('button', { name: 'Pay 12.50 USD (test payment)' }).click();

  await page.getByRole('heading', { name: 'Success!' }).waitFor();
  await page.getByText("Your subscription was successful, and you're ready to go!").waitFor();
  const after = `$${((before + 1250) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
  await page.locator('strong', { hasText: after }).waitFor();
  // Coming back to the address a second time adds nothing.
  await page.reload();
  await page.locator('strong', { hasText: after }).waitFor();

  await page.getByRole('link', { name: 'See your balance' }).click();
  await page.waitForURL('**/account/balance');
  expect(await balanceOn(page)).toBe(before + 1250);
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'csv' }).click(),
  ]);
  const [, newest] = readFileSync(await download.path(), 'utf8').split('\r\n');
  expect(newest?.split(',').slice(1, 4)).toEqual(['Top-up', '12.50', ((before + 1250) / 100).toFixed(2)]);

  const [receipt] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Receipt' }).first().click(),
  ]);
  await receipt.getByText('12.50 USD').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
