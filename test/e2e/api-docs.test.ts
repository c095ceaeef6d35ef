import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage, PHONE } from '../support/browser.ts';
import { signedIn } from '../support/client.ts';

/** The page of the API in a browser: its calls, and trying one with a key. */

let browser: Browser;
let key: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const user = await signedIn(inject('address'));
  const form = { name: 'api page', scopes: ['read', 'order'], current_password: 'demo-muster' };
  ({ key } = await user.call<{ key: string }>('POST', '/v1/account/keys', form));
});
afterAll(() => browser.close());

async function opened(viewport = DESKTOP) {
  const all = await openPage(browser, inject('address'), viewport);
  await all.page.goto('/api-docs');
  await all.page.getByRole('heading', { name: 'Your key' }).waitFor();
  return all;
}

/** The form of a call, after its line was opened. */
async function formOf(page: Page, path: string) {
  const line = page.locator('details').filter({ has: page.getByText(path, { exact: true }) });
  const get = line.filter({ has: page.locator('[data-method=GET]') }).first();
  await get.locator('> summary').click();
  return get.getByRole('form', { name: `Try GET ${path}`, exact: true });
}

test('the page lists every public call of the contract', async () => {
  const { page, context, errors } = await opened();
  await page.locator('[data-method=PATCH]').first().waitFor();
  const { paths } = await (await fetch(`${inject('address')}/v1/openapi.json`)).json();
  const calls = Object.entries<object>(paths)
    .filter(([path]) => !/^\/v1\/(fleet|admin)\//.test(path))
    .flatMap(([, methods]) => Object.keys(methods));
  expect(await page.locator('[data-method]').count()).toBe(calls.length);
  expect(errors).toEqual([]);
  await context.close();
});

test('the printed examples run unchanged and in order', async () => {
  const { page, context } = await opened();
  const panel = page.locator('div', { has: page.getByRole('heading', { name: 'Try it' }) }).last();
  await panel.locator('pre').first().waitFor();
  const examples = await panel.locator('pre').allTextContents();
  expect(examples).toHaveLength(4);
  const [list = '', order = '', poll = '', download = ''] = examples;
  const folder = mkdtempSync(join(tmpdir(), 'api-page-'));
  const run = async (code: string, env: Record<string, string> = {}) => {
    const all = { ...process.env, MUSTER_KEY: key, ...env };
    const { stdout } = await promisify(execFile)('sh', ['-euc', code], { cwd: folder, env: all });
    return stdout;
  };
  expect(JSON.parse(await run(list))).toMatchObject({ success: 1, data: { orders: expect.any(Array) } });
  const { data } = JSON.parse(await run(order));
  const named = { ORDER_UUID: String(data.order_uuid) };
  const isDone = async () => JSON.parse(await run(poll, named)).data.is_done_loading;
  await expect.poll(isDone, { timeout: 60_000, interval: 1000 }).toBe(true);
  await run(download, named);
  expect(readFileSync(join(folder, 'results.csv'), 'utf8').trim().split('\n')).toHaveLength(301);
  rmSync(folder, { recursive: true, force: true });
  await context.close();
});

test('a call sends the key as a bearer token to this origin, without cookies, and stores it nowhere', async () => {
  const { page, context, errors } = await opened();
  await page.getByLabel('API key').fill(key);
  const form = await formOf(page, '/v1/orders');
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/v1/orders');
  await form.getByLabel('kingdom').first().fill('1001');
  await form.getByRole('button', { name: 'Try it' }).click();
  const request = await sent;
  expect(new URL(request.url()).origin).toBe(inject('address'));
  const headers = await request.allHeaders();
  expect([headers.authorization, headers.cookie]).toEqual([`Bearer ${key}`, undefined]);
  const answer = form.getByRole('region', { name: 'Answer' });
  await answer.getByText('200', { exact: true }).waitFor();
  expect(await answer.locator('pre').textContent()).toContain('"success": 1');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  expect(kept).not.toContain(key);
  await page.reload();
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  expect(errors).toEqual([]);
  await context.close();
});

test('a call without a key asks for one, and a refusal is shown unchanged', async () => {
  const { page, context } = await opened();
  const form = await formOf(page, '/v1/orders');
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByText('Enter your key at the top of the page.').waitFor();
  await page.getByLabel('API key').fill('nonsense');
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByRole('region', { name: 'Answer' }).getByText('401', { exact: true }).waitFor();
  expect(await form.locator('pre').textContent()).toContain('"success": 0');
  await context.close();
});

test('markup in an answer is shown as text', async () => {
  const { page, context } = await opened();
  const markup = '<img src=x onerror="window.hit = 1"><b>bold</b>';
  await page.route('**/v1/orders', (route) =>
    route.fulfill({ contentType: 'text/html', body: JSON.stringify({ name: markup }) }),
  );
  await page.getByLabel('API key').fill(key);
  const form = await formOf(page, '/v1/orders');
  await form.getByRole('button', { name: 'Try it' }).click();
  const text = form.locator('pre');
  await text.waitFor();
  expect(JSON.parse((await text.textContent()) ?? '')).toEqual({ name: markup });
  expect(await text.locator('*').count()).toBe(0);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  await context.close();
});

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('fits %s and has no flaw that axe finds', async (name, viewport) => {
  const { page, context } = await opened(viewport);
  const form = await formOf(page, '/v1/governor/rankings/{game}');
  await form.getByLabel('game').fill('rok');
  await form.getByRole('button', { name: 'Try it' }).click();
  await form.getByRole('region', { name: 'Answer' }).waitFor();
  if (process.env.PICTURES) await form.screenshot({ path: `${process.env.PICTURES}/form-${viewport.width}.png` });
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/page-${viewport.width}.png` });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 2)}`)).toEqual([]);
  await context.close();
});
