import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/days.ts';
import { fleetClient } from '../../fleet/client.ts';
import { runAgent } from '../../fleet/run-agent.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { build } from '../../scripts/build.ts';
import { launchBrowser, openPage, signInByCall } from '../support/browser.ts';
import { type Client, PASSWORD, signedIn } from '../support/client.ts';
import { insertUser } from './crowd.ts';
import { fireMinute, type OwnCopy, openCopy } from './own-copy.ts';

/** Three in the morning: the fleet falls silent during a war, and one person finds out why and brings it back. */

const CAUSE = 'The game asks for an update.';
const KINGDOMS = ['1001', '1002', '1003', '1004'];

let copy: OwnCopy;
let browser: Browser;
const agent = new AbortController();
let running: Promise<void> | undefined;

beforeAll(async () => {
  await build();
  copy = await openCopy(60);
  browser = await launchBrowser();
});
afterAll(async () => {
  agent.abort();
  await running;
  await browser.close();
  await copy.remove();
});

/** An event of the last hour whose scans stopped 40 minutes ago. */
async function lateEvent(admin: Client, now: number): Promise<number> {
  const { dashboard_id } = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
    ...{ game: 'rok', kvk_id: 'NIGHT', name: 'War of the night' },
    ...{ refresh_rate: 5, depth: 100, dates: {}, weights: {} },
    camps: [
      { name: 'Fire', kingdoms: KINGDOMS.slice(0, 2) },
      { name: 'Water', kingdoms: KINGDOMS.slice(2) },
    ],
    start: now - 60 * MINUTE_MS,
    end: now + 24 * 60 * MINUTE_MS,
  });
  await admin.call('POST', `/v1/admin/events/${dashboard_id}/publish`);
  const scanned = now - 40 * MINUTE_MS;
  const rows = KINGDOMS.flatMap((kingdom) =>
    simulatedWorld()
      .rows('rok', Number(kingdom), scanned, 20)
      .map((row) => [row.governor_id, kingdom, row.name, row.power, row.killpoints].join(',')),
  );
  const csv = ['Governor ID,Kingdom,Governor Name,Power,Kill Points', ...rows].join('\n');
  const path = `/v1/admin/events/${dashboard_id}/snapshots?captured_at=${new Date(scanned).toISOString()}`;
  const headers = { cookie: admin.cookie(), 'content-type': 'text/csv' };
  expect((await fetch(copy.runtime.address + path, { method: 'POST', headers, body: csv })).status).toBe(200);
  return dashboard_id;
}

test('a silent fleet alerts once, shows its cause, is paused and comes back', async () => {
  const { address } = copy.runtime;
  const now = Date.now();
  const db = await copy.runtime.database();
  await insertUser(copy.runtime, 'chief', 'admin');
  await insertUser(copy.runtime, 'customer');
  const [chief, customer] = [await signedIn(address, 'chief', PASSWORD), await signedIn(address, 'customer', PASSWORD)];
  const night = fleetClient({ url: address, token: await copy.group('night') });
  const day = await copy.group('day');
  const beat = (bot_id: string, error: string | null) => night.heartbeat({ bot_id, account_game: 'rok', error });
  const work = async (bot_id: string) => (await night.lease({ bot_id, games: ['rok'], count: 1 })).tasks;
  const minute = () => fireMinute(address);
  const mailed = (subject: string) =>
    copy.figure(`SELECT count(*) AS n FROM outbox WHERE recipient = 'chief@example.com' AND subject = ?`, subject);

  for (const bot of ['owl', 'bat', 'moth']) await beat(bot, CAUSE);
  const order = { type: 'rok-kingdom-scan', params: { kingdoms: ['1010'], governors: 100, full_profile: true } };
  await customer.call('POST', '/v1/order/create', { orders: [{ ...order, fields: {}, price: 0.5 }] });
  const event = await lateEvent(chief, now);
  await db.batch([
    db.prepare('UPDATE bots SET last_connected_at = ?').bind(now - 20 * MINUTE_MS),
    db.prepare('UPDATE orders SET placed_at = ?').bind(now - 15 * MINUTE_MS),
  ]);
  for (let time = 0; time < 2; time++) await minute();
  expect([await mailed('Trouble: bots rok'), await mailed('Trouble: waiting rok')]).toEqual([1, 1]);
  expect(await mailed(`Trouble: event ${event}`)).toBe(1);

  // The alert leads to the cause: what the bots said last.
  const { page, errors } = await openPage(browser, address);
  await signInByCall(page, 'chief', PASSWORD);
  await page.goto('/admin/');
  await page.getByText(/^No bot of rok was seen for ten minutes; \d+ subtasks are waiting\./).waitFor();
  await page.getByText(/^The oldest waiting subtask of rok has waited for 1\d minutes/).waitFor();
  await page.getByRole('link', { name: '1 event late' }).click();
  await page.getByRole('row').filter({ hasText: 'War of the night' }).getByText('late since').waitFor();
  await page.getByRole('link', { name: 'Bots Listing' }).click();
  await page.getByRole('link', { name: 'offline (3)' }).waitFor();
  const owl = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'owl' }) });
  await owl.getByText(CAUSE).waitFor();
  await owl.getByText('Offline').waitFor();

  // Its bots get no work that they cannot do.
  const group = page.getByRole('listitem').filter({ hasText: '3 bots' });
  await group.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('the game was updated at three');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await group.getByRole('button', { name: 'Resume' }).waitFor();
  await beat('owl', CAUSE);
  expect(await work('owl')).toEqual([]);

  // Visitors read that the figures are old.
  const visitor = await openPage(browser, address);
  await visitor.page.goto(`/dashboards/${event}`);
  await visitor.page.getByText('Late: a new scan was expected by').waitFor();

  // Another group takes over: what waited is delivered, the event is scanned, and the alerts end.
  running = runAgent(
    { url: address, token: day, source: simulatedWorld(), bots: 4, name: 'day', pollMs: 500 },
    agent.signal,
  );
  const settled = async () => {
    await minute();
    return copy.figure(
      `SELECT (SELECT count(*) FROM items WHERE state <> 'done')
         + (SELECT count(*) FROM event_refreshes WHERE state = 'running') + (SELECT count(*) < 2 FROM event_snapshots) AS n`,
    );
  };
  await expect.poll(settled, { timeout: 90_000, interval: 1000 }).toBe(0);
  await visitor.page.reload();
  await visitor.page.getByText('Newest scan').waitFor();
  expect(await visitor.page.getByText('Late: a new scan').count()).toBe(0);
  // A problem is over once it was not found for two minutes.
  const recovered = async () => {
    await db
      .prepare('UPDATE alerts SET seen_at = seen_at - ?')
      .bind(2 * MINUTE_MS)
      .run();
    await minute();
    return [await mailed('Recovered: bots rok'), await mailed(`Recovered: event ${event}`)];
  };
  await expect.poll(recovered, { timeout: 60_000, interval: 1000 }).toEqual([1, 1]);
  await page.goto('/admin/');
  await page.getByRole('heading', { name: 'Alerts' }).waitFor();
  await expect.poll(() => page.getByText('No bot of rok was seen').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'event late' }).count()).toBe(0);

  // The updated bots work again once their group is resumed.
  await page.goto('/admin/bots');
  await group.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('the bots were updated');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await group.getByRole('button', { name: 'Pause' }).waitFor();
  agent.abort();
  await running;
  await customer.call('POST', '/v1/order/create', { orders: [{ ...order, fields: {}, price: 0.5 }] });
  await beat('owl', null);
  expect(await work('owl')).toHaveLength(1);
  await page.goto('/admin/activity');
  await page.getByRole('row').filter({ hasText: 'group.paused' }).getByText('the game was updated at three').waitFor();
  expect([...errors, ...visitor.errors]).toEqual([]);
}, 400_000);
