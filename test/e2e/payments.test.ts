import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { newUser, PASSWORD } from '../support/client.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** A page follows its address a moment later, on a busy machine a long one. */
const SOON = { timeout: 15_000 };

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
  await page.goto('/account/balance');
  await signIn(page);
  await page.waitForURL('**/account/balance');
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

test('an order that costs too much survives reload, sign-in and top-up, and is placed', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, context, errors } = await openPage(browser, inject('address'), PHONE);
  await page.goto('/orders/new?product=rok-kingdom-scan&kingdoms=1001');
  await signIn(page, username, PASSWORD);
  const kingdoms = page.getByRole('textbox', { name: 'Kingdoms' }).first();
  await expect.poll(() => kingdoms.inputValue(), SOON).toBe('1001');
  // What a link wished is in the form now: the address is the form's own again.
  await page.waitForURL(/\/orders\/new$/);
  await kingdoms.fill('1001-1003; 1002\n1001');
  await page.getByText('$4.50').first().waitFor();
  await page.getByText('for 3 kingdoms').waitFor();
  await page.getByRole('button', { name: 'Add to Order' }).first().press('Enter');
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill('1004');
  await page.reload();
  await expect.poll(() => kingdoms.inputValue(), SOON).toBe('1004');
  await page.getByText('Kingdoms: 1001, 1002, 1003').waitFor();
  await context.clearCookies();
  await page.reload();
  await signIn(page, username, PASSWORD);
  await page.getByText('Kingdoms: 1001, 1002, 1003').waitFor();

  await page.getByText('The smallest top-up is $5.00.').waitFor();
  await page.getByRole('button', { name: 'Top up $5.00' }).press('Enter');
  await page.getByRole('link', { name: 'Cancel' }).press('Enter');
  await page.getByText('Subscription attempt cancelled.').waitFor();
  await page.getByRole('link', { name: 'Back to your order' }).press('Enter');
  await page.getByRole('button', { name: 'Top up $5.00' }).press('Enter');
  await page.getByRole('button', { name: 'Pay 5.00 USD (test payment)' }).press('Enter');
  await page.getByText('Topped up 5.00 USD.').waitFor();
  await page.getByText('Kingdoms: 1001, 1002, 1003').waitFor();
  expect(await kingdoms.inputValue()).toBe('1004');
  await page.getByRole('button', { name: 'Submit Order' }).press('Enter');
  await page.waitForURL(/\/orders\/?$/);
  await page.getByRole('article', { name: /Order #/ }).waitFor();
  await page.goto('/orders/new');
  await page.getByText('Nothing added yet.').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
