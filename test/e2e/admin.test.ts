import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { fleetClient } from '../../fleet/client.ts';
import { resultOf } from '../../fleet/hand-in.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { launchBrowser, openPage, signInByCall } from '../support/browser.ts';
import { type Client, newUser, order, PASSWORD, signedIn, waitFor } from '../support/client.ts';

/** The admin console: the main act of each page, and a failed scan from the report to the money returned. */

let browser: Browser;
let admin: Client;
let agents: string[];
const contexts: BrowserContext[] = [];

const REASON = 'tried by a test';
const groups = async () =>
  (await admin.call<{ groups: { group_id: string; paused_at: number | null }[] }>('GET', '/v1/admin/groups')).groups;

beforeAll(async () => {
  browser = await launchBrowser();
  admin = await signedIn(inject('address'), 'admin', 'admin-muster');
  agents = (await groups()).filter(({ paused_at }) => paused_at === null).map(({ group_id }) => group_id);
});
// The copy's own bots work again, also if a test failed.
afterAll(async () => {
  for (const { group_id, paused_at } of await groups())
    if (agents.includes(group_id) && paused_at !== null)
      await admin.call('POST', `/v1/admin/groups/${group_id}/resume`, { reason: REASON });
  for (const context of contexts) await context.close();
  await browser.close();
});

/** Opens a page as a signed-in user. */
async function opened(path: string, username = 'admin', password = 'admin-muster') {
  const all = await openPage(browser, inject('address'));
  contexts.push(all.context);
  await signInByCall(all.page, username, password);
  await all.page.goto(path);
  return all;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Presses an act's button, fills in its form, and confirms. */
async function act(page: Page, name: string, fields: Record<string, string> = {}, confirm = name): Promise<void> {
  await button(page, name).first().click();
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries({ Reason: REASON, ...fields }))
    await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a scan that failed is reported, explained, read again and answered, and money returns', async () => {
  const address = inject('address');
  const { client, username } = await newUser(address, 20);
  const group_id = `bad-${crypto.randomUUID().slice(0, 8)}`;
  const { token } = await admin.call<{ token: string }>('POST', '/v1/admin/groups', {
    ...{ group_id, name: group_id, reason: REASON },
  });
  // Only a bot whose game closes its ranking has work.
  const desk = await opened('/admin/bots');
  for (const id of agents) await admin.call('POST', `/v1/admin/groups/${id}/pause`, { reason: REASON });
  const bot = fleetClient({ url: address, token });
  const id = await order(client, 'rok', [1033], 200);
  const { tasks } = await bot.lease({ bot_id: 'one', games: ['rok'], count: 2 });
  const [read, lost] = tasks.toSorted((one, other) => one.from_rank - other.from_rank);
  if (!read || !lost) throw new Error(`${tasks.length} subtasks were leased`);
  const scan = await simulatedWorld(1).scan('rok', 1033, Date.now());
  if (!('rows' in scan)) throw new Error('the kingdom has no rows');
  await bot.handIn({ bot_id: 'one', results: [resultOf(read, scan)] });
  const why = 'The game closed its ranking.';
  await bot.fail({ bot_id: 'one', subtask_id: lost.subtask_id, lease: lost.lease, reason: why, permanent: false });

  const { page } = await opened('/orders', username, PASSWORD);
  await button(page, 'Report Issue').click();
  await page.getByLabel('What is wrong').fill('Half of my scan never arrives.');
  await button(page, 'Send report').click();
  await page.getByText('Thank you. Support has your report').waitFor();

  const console_ = desk.page;
  await console_.goto('/admin/');
  await console_.getByRole('link', { name: /reports? without an answer/ }).click();
  const report = console_.getByRole('form', { name: `Order #${id}, by ${username}` });
  await report.getByText('Half of my scan never arrives.').waitFor();
  await report.getByRole('link', { name: `order #${id}` }).click();
  const happened = console_.getByRole('list').filter({ hasText: why });
  await happened.getByText(why).first().waitFor();
  await act(console_, 'Finish with what there is');
  await console_.getByText('1 item being finished with the rows that have arrived.').waitFor();
  await waitFor(client, id, ({ items }) => items[0]?.has_results === true);

  // The bots are well again, and read what was lost.
  await console_.goto('/admin/bots');
  await act(console_, 'Resume');
  await expect.poll(async () => (await groups()).filter(({ paused_at }) => paused_at !== null)).toEqual([]);
  await console_.goto(`/admin/orders/${id}`);
  await act(console_, 'Repair');
  await console_.getByText('1 item being read again.').waitFor();
  await waitFor(client, id, ({ items: [item] }) => item?.state === 'done' && item.incomplete_count === 0);
  await console_.getByLabel('Answer', { exact: true }).fill('It was read again, and is whole now.');
  await button(console_, 'Mail the answer').click();
  const items = console_.getByRole('region', { name: 'Items', exact: true }).last();
  await items.getByRole('button', { name: 'Return money' }).click();
  const dialog = console_.getByRole('dialog');
  await dialog.getByLabel('Amount in USD').fill('0.25');
  await dialog.getByLabel('Reason').fill('for the wait');
  await dialog.getByRole('button', { name: 'Return money' }).click();
  await console_.getByText('$0.25 returned in all.').waitFor();
  await happened.getByText('for the wait').first().waitFor();

  await page.reload();
  await page.getByText('Support answered: It was read again, and is whole now.').waitFor();
  await page.getByText('$0.25 returned').first().waitFor();
  await page.getByRole('link', { name: 'View Results' }).click();
  await page
    .getByText(/\b200\b/)
    .first()
    .waitFor();
  const { mails } = await admin.call<{ mails: { subject: string; text: string }[] }>(
    'GET',
    `/v1/admin/outbox?search=${username}`,
  );
  expect(mails.find(({ subject }) => subject === `Your report about order #${id}`)?.text).toContain('is whole now');
  expect([...desk.errors]).toEqual([]);
});

test('progress of an act on all matching orders ends with the act, and is not shown for another one', async () => {
  const { client, username } = await newUser(inject('address'), 20);
  for (const id of agents) await admin.call('POST', `/v1/admin/groups/${id}/pause`, { reason: REASON });
  // One more than one call acts on.
  for (let index = 0; index < 21; index++) await order(client, 'rok', [1034], 100);
  const { page, errors } = await opened(`/admin/orders?user=${username}`);
  const dialog = page.getByRole('dialog');
  const counted = dialog.getByText(/^21 orders with 21 items/);
  let calls = 0;
  await page.route('**/v1/admin/orders/matching/retry*', async (route) => {
    if (route.request().method() === 'POST' && ++calls === 2) await route.abort();
    else await route.continue();
  });
  await button(page, 'Retry all that match').click();
  await counted.waitFor();
  await dialog.getByLabel('Reason').fill(REASON);
  await button(page, 'Retry all that match').last().click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('status').textContent()).toBe('');
  await button(page, 'Go back').click();
  await button(page, 'Cancel all that match').click();
  await counted.waitFor();
  expect(await dialog.getByRole('status').textContent()).toBe('');
  await dialog.getByLabel('Reason').fill(REASON);
  await button(page, 'Cancel all that match').last().click();
  await page.getByText('Done: 21 orders, 21 items.').waitFor();
  for (const id of agents) await admin.call('POST', `/v1/admin/groups/${id}/resume`, { reason: REASON });
  expect(errors).toEqual([]);
});

test('an act does what its form says, whatever the filter behind it becomes', async () => {
  const { client, username } = await newUser(inject('address'), 1);
  for (const id of agents) await admin.call('POST', `/v1/admin/groups/${id}/pause`, { reason: REASON });
  await order(client, 'rok', [1035], 100);
  const { page, errors } = await opened(`/admin/orders?user=${username}`);
  await button(page, 'Retry all that match').click();
  const dialog = page.getByRole('dialog');
  const counted = dialog.getByText(/^1 order with 1 item/);
  await counted.waitFor();
  // As a search that was typed just before reaches the address late.
  await page.evaluate(() => history.replaceState(history.state, '', '/admin/orders?user=nobody-at-all'));
  await page.getByText('No order matches this filter.').waitFor();
  expect(await counted.isVisible()).toBe(true);
  await dialog.getByLabel('Reason').fill(REASON);
  await button(page, 'Retry all that match').last().click();
  await page.getByText('Done: 1 order, 1 item.').waitFor();
  for (const id of agents) await admin.call('POST', `/v1/admin/groups/${id}/resume`, { reason: REASON });
  expect(errors).toEqual([]);
});

test('every page of the console does what it is for', async () => {
  const { username } = await newUser(inject('address'), 1);
  const { page, errors } = await opened('/admin/access-codes');
  const note = `for ${username}`;
  await page.getByLabel('Note').fill(note);
  await button(page, 'Make the code').click();
  const codes = page.getByRole('region', { name: 'Access codes' });
  await codes.getByText(note).waitFor();
  await codes
    .getByRole('row')
    .filter({ hasText: note })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await codes.getByRole('row').filter({ hasText: note }).getByText('revoked').waitFor();

  await page.goto('/admin/news');
  const title = `News about ${username}`;
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Text').fill('There is something new.');
  await button(page, 'Publish').click();
  const news = page.getByRole('region', { name: 'News' }).getByRole('row').filter({ hasText: title });
  await news.getByRole('button', { name: 'Take down' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click();
  await news.waitFor({ state: 'detached' });

  await page.goto('/admin/licence');
  await act(page, 'Write a new version', {}, 'Save the draft');
  const versions = page.getByRole('region', { name: 'Versions of the licence' });
  await versions.getByText('draft', { exact: true }).waitFor();
  await act(page, 'Discard');
  await versions.getByText('draft', { exact: true }).waitFor({ state: 'detached' });

  await page.goto('/admin/accounts');
  await page.getByLabel('Search accounts').fill(username);
  await page.waitForURL(({ searchParams }) => searchParams.get('search') === username);
  await page.getByRole('link', { name: username }).click();
  await act(page, 'Lock');
  await button(page, 'Unlock').waitFor();

  await page.goto(`/admin/activity?user=${username}`);
  await page.getByRole('row').filter({ hasText: 'account.locked' }).getByText(REASON).waitFor();

  await page.goto('/admin/outbox');
  await page.getByLabel('Search mails').fill(username);
  await page
    .getByRole('row')
    .filter({ hasText: `${username}@mail.example` })
    .first()
    .waitFor();

  const board = await admin.call<{ rankings: { governor_id: number }[] }>(
    'GET',
    '/v1/governor/rankings/rok?type=power&count=10&page=0',
  );
  const governor = board.rankings[9]?.governor_id;
  await admin.call('POST', '/v1/removals', { game: 'rok', governor_id: governor, note });
  await page.goto('/admin/removals');
  const asked = page.getByRole('region', { name: new RegExp(String(governor)) });
  await asked.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await asked.getByRole('button', { name: 'Refuse' }).waitFor({ state: 'detached' });

  await page.goto('/admin/');
  await act(page, 'Change limits', { 'Oldest subtask, in minutes': '11' }, 'Save');
  const { limits, version } = await admin.call<{ limits: object & { waiting_minutes: number }; version: number }>(
    'GET',
    '/v1/admin/alerts',
  );
  expect(limits.waiting_minutes).toBe(11);
  await admin.call('PUT', '/v1/admin/alerts', { ...limits, waiting_minutes: 10, version, reason: REASON });
  expect(errors).toEqual([]);

  // Not sent on, because it would sign the other tests out too.
  const sent = Promise.withResolvers<unknown>();
  await page.route('**/v1/admin/sign-out', (route) => {
    sent.resolve(route.request().postDataJSON());
    return route.abort();
  });
  await button(page, 'End all sessions').click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the sessions' }).click();
  expect(await sent.promise).toEqual({ username: null });

  // Groups that cannot be read are not none.
  await page.route('**/v1/admin/groups', (route) => route.abort());
  await page.goto('/admin/bots');
  await page.getByText('Muster could not be reached.').waitFor();
});
