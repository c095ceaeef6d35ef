import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn, signInByCall } from '../support/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

/** Adds a scan of 300 governors (1.50 USD) to the order and chooses who pays. */
async function fillOrder(page: Page, payer: string): Promise<void> {
  await page.goto('/orders/new');
  await page.getByRole('textbox', { name: 'Kingdoms' }).first().fill('1101');
  await page.getByRole('textbox', { name: 'Governors' }).first().fill('300');
  await page.getByRole('button', { name: 'Add to Order' }).first().click();
  await page.getByLabel('Pay with').selectOption(payer);
}

test.each([
  ['a desk', DESKTOP],
  ['a phone', PHONE],
])("a team's evening at %s: invite, join, order from the shared balance, limit reached, leave", async (_, viewport) => {
  const owner = await openPage(browser, inject('address'), viewport);
  const leader = await openPage(browser, inject('address'), viewport);
  const name = `Council ${viewport.width}`;
  await signInByCall(owner.page);
  await owner.page.goto('/teams');
  await owner.page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await owner.page.getByRole('button', { name: 'Create the team' }).click();
  await owner.page.waitForURL('**/teams/*-*');
  await owner.page.getByLabel('Amount in USD').fill('4');
  await owner.page.getByRole('button', { name: 'Move to the team' }).click();
  await owner.page.getByText('$4.00 moved.').waitFor();
  await owner.page.getByLabel('Limit in USD').fill('2');
  await owner.page.getByRole('button', { name: 'Save the limit' }).click();
  await owner.page.getByText('Saved.').waitFor();
  await owner.page.getByRole('button', { name: 'Make the link' }).click();
  const link = await owner.page.getByText(/\/teams\/invites\//).textContent();
  expect(await fits(owner.page)).toBe(true);

  await leader.page.goto(new URL(link ?? '').pathname);
  await signIn(leader.page, 'admin', 'admin-muster');
  await leader.page.getByRole('button', { name: `Join ${name}` }).click();
  await leader.page.getByRole('heading', { level: 1, name }).waitFor();
  await leader.page.getByText('You can order for').waitFor();
  expect(await fits(leader.page)).toBe(true);

  await fillOrder(leader.page, `Team ${name}`);
  await leader.page.getByRole('button', { name: 'Submit Order' }).click();
  await leader.page.waitForURL('**/orders');
  await fillOrder(leader.page, `Team ${name}`);
  await leader.page.getByText(`${name} does not cover this order`).waitFor();
  expect(await leader.page.getByRole('button', { name: 'Submit Order' }).getAttribute('aria-disabled')).toBe('true');

  await owner.page.reload();
  const order = owner.page.getByRole('link', { name: /^Order #/ });
  await order.waitFor();
  expect(await owner.page.getByRole('region', { name: 'Orders and transfers' }).textContent()).toContain('admin');
  // The owner reads the leader's order, for which no socket is open to them.
  const sockets: string[] = [];
  owner.page.on('websocket', (socket) => sockets.push(socket.url()));
  await order.click();
  await owner.page.waitForURL(/\/order\/i/);
  await owner.page.getByRole('heading', { level: 1, name: 'Kingdom 1101' }).waitFor();
  expect(sockets).toEqual([]);
  await owner.page.goBack();
  await owner.page.getByRole('heading', { level: 1, name }).waitFor();

  await leader.page.goto(new URL(owner.page.url()).pathname);
  await leader.page.getByRole('button', { name: 'Leave the team' }).click();
  await leader.page.getByRole('dialog').getByRole('button', { name: 'Leave the team' }).click();
  await leader.page.waitForURL('**/teams');
  await leader.page.getByText('You are in no team.').waitFor();

  await owner.page.getByRole('button', { name: 'Close the team' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Close the team' }).click();
  await owner.page.waitForURL('**/teams');
  expect([...owner.errors, ...leader.errors]).toEqual([]);
  await owner.context.close();
  await leader.context.close();
});
