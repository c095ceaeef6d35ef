import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser, openPage, signInByCall } from '../support/browser.ts';
import { signedIn } from '../support/client.ts';
import { filled, screensOf } from '../support/every-screen.ts';
import { untilShown } from '../support/until-shown.ts';

/** Every page has exactly one title of its own. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const titlesOn = (page: Page): Promise<string[]> => page.locator('head title').allTextContents();

/** Parameters of the pages. Codes, tokens and ids of orders are made up, because a refusal needs a title, too. */
async function examples(address: string): Promise<Record<string, string>> {
  const client = await signedIn(address, 'admin', 'admin-muster');
  const { events } = await client.call<{ events: { dashboard_id: number; event: { game: string } }[] }>(
    'GET',
    '/v1/admin/events',
  );
  const eventOf = (game: string) => String(events.find(({ event }) => event.game === game)?.dashboard_id);
  const { bots } = await client.call<{ bots: Record<string, { bot_id: string }[]> }>('GET', '/v1/admin/bots');
  const { rankings } = await client.call<{
    rankings: { governor_id: number; kingdom_id: number; alliance_tag: string }[];
  }>('GET', '/v1/governor/rankings/rok?type=power&count=10&page=0');
  return {
    $dashboardId: eventOf('rok'),
    '/cod-dashboards/$dashboardId $dashboardId': eventOf('cod'),
    '/cod-dashboards/$dashboardId/kingdoms/$kingdom $dashboardId': eventOf('cod'),
    $kingdom: '1003',
    $governorId: String(rankings[0]?.governor_id),
    $userId: 'none',
    $paymentId: 'none',
    $eventId: eventOf('rok'),
    $botId: Object.values(bots)[0]?.[0]?.bot_id ?? 'none',
    $kingdomId: '1003',
    $tag: 'none',
    $id: String(rankings[0]?.governor_id),
    $orderId: '1',
    $reportId: 'none',
    $teamId: 'none',
    $token: 'none',
    $code: 'none',
  };
}

test('every page has one title, which changes with each link', async () => {
  const address = inject('address');
  const known = await examples(address);
  const visitor = await openPage(browser, address);
  const admin = await openPage(browser, address);
  await signInByCall(admin.page, 'admin', 'admin-muster');
  const wrong: string[] = [];
  for (const { path, who } of screensOf()) {
    const { page } = who === 'visitor' ? visitor : admin;
    await page.goto(filled(path, known));
    await untilShown(page);
    const titles = await titlesOn(page);
    if (titles.length !== 1 || !/^Muster · .|. · Muster$/.test(titles[0] ?? '')) wrong.push(`${path}: ${titles}`);
  }
  expect(wrong).toEqual([]);

  const { page } = admin;
  await page.goto('/account');
  for (const name of ['Balance', 'Security', 'Account']) {
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name, exact: true }).click();
    await expect.poll(() => titlesOn(page)).toEqual([`${name} · Muster`]);
    expect(await page.title()).toBe(`${name} · Muster`);
  }
  await Promise.all([visitor.context.close(), admin.context.close()]);
});
