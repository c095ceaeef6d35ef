import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DESKTOP, hold, launchBrowser, openPage, PHONE, signInByCall, withoutWaiting } from '../support/browser.ts';

/** Public pages: their HTML has the first screen, and React takes over what is there. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PAGES: readonly [path: string, text: RegExp][] = [
  ['/', /Kingdom \d{4}/],
  ['/leaderboard', /\d/],
  ['/leaderboard/governor', /\d(\.\d+)?[MB]/],
  ['/leaderboard/governor?page=3', /\d(\.\d+)?[MB]/],
  ['/leaderboard/governor?page=9999', /\d(\.\d+)?[MB]/],
  ['/leaderboard/alliance', /\d(\.\d+)?B/],
  ['/leaderboard/kingdom', /\d(\.\d+)?[MB]/],
  ['/leaderboard/kingdom?game=cod', /\d(\.\d+)?[MB]/],
  ['/faq', /per 100 governors/],
  ['/eula', /You may/],
  ['/maps', /leads by|won by|camp/i],
  ['/privacy', /./],
];

describe('without JavaScript', () => {
  async function plainPage(): Promise<Page> {
    const options: BrowserContextOptions = { baseURL: inject('address'), javaScriptEnabled: false, viewport: PHONE };
    return (await browser.newContext(options)).newPage();
  }

  test.concurrent.for(PAGES)('%s can be read', async ([path, text], { expect }) => {
    const page = await plainPage();
    // The first request of a fresh copy may find its data late.
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.locator('main').textContent();
      })
      .toMatch(text);
    expect(await page.locator('[style]').count()).toBe(0);
    await page.context().close();
  });

  test('a board’s games and metrics are links', async () => {
    const page = await plainPage();
    await page.goto('/leaderboard/governor');
    await page.getByRole('navigation', { name: 'Ranked by' }).getByRole('link', { name: 'Killpoints' }).click();
    expect(new URL(page.url()).search).toBe('?type=killpoints');
    await page.getByRole('link', { name: 'Call of Dragons' }).click();
    expect(new URL(page.url()).search).toBe('?game=cod&type=merits');
    await page.getByRole('row').nth(5).waitFor();
    await page.context().close();
  });

  test('sort headers and page arrows are links', async () => {
    const page = await plainPage();
    await page.goto('/leaderboard/kingdom');
    const header = page.getByRole('columnheader', { name: 'Kingdom' }).getByRole('link');
    const kingdoms = async () =>
      (await page.locator('tbody a[href^="/leaderboard/kingdom/"]').allTextContents()).map(Number);
    await header.click();
    expect(new URL(page.url()).search).toBe('?sort=kingdom_id&ascending=true');
    await page.locator('th[aria-sort=ascending]').waitFor();
    const lowest = await kingdoms();
    expect(lowest.length).toBe(12);
    expect(lowest).toEqual(lowest.toSorted((one, other) => one - other));
    await header.click();
    expect(new URL(page.url()).search).toBe('?sort=kingdom_id');
    await page.locator('th[aria-sort=descending]').waitFor();
    const highest = await kingdoms();
    expect(highest).toEqual(highest.toSorted((one, other) => other - one));
    expect(highest[0]).toBeGreaterThan(lowest[0] ?? Number.NaN);
    await page.goto('/leaderboard/governor?game=rok&type=killpoints');
    await page.getByRole('link', { name: 'Next page' }).first().click();
    expect(new URL(page.url()).search).toBe('?type=killpoints&page=2');
    expect(await page.locator('tbody td').first().textContent()).toMatch(/^51/);
    await page.context().close();
  });
});

/** Returns the path of an event with gains. */
async function eventPath(): Promise<string> {
  const { data } = (await (await fetch(`${inject('address')}/v1/dashboards?game=rok`)).json()) as {
    data: { events: { dashboard_id: number; snapshots: number }[] };
  };
  return `/dashboards/${data.events.find(({ snapshots }) => snapshots > 1)?.dashboard_id}`;
}

test('an event on a phone says who leads and shows its first rows on the first screen, also without JavaScript', async () => {
  const path = await eventPath();
  for (const javaScriptEnabled of [false, true]) {
    const options: BrowserContextOptions = { baseURL: inject('address'), javaScriptEnabled, viewport: PHONE };
    const page = await (await browser.newContext(options)).newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const row = page.locator('#main tbody tr:not([aria-hidden])').first();
    await expect
      .poll(async () => {
        await page.goto(path);
        return row.count();
      })
      .toBe(1);
    expect(await page.getByText(/(leads|won) by/).count()).toBe(1);
    expect(await row.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThan(PHONE.height);
    if (javaScriptEnabled) {
      const first = await row.textContent();
      await page.waitForLoadState('networkidle');
      expect(await row.textContent()).toBe(first);
    } else {
      await page.getByRole('link', { name: 'Download' }).click();
      await page.getByRole('link', { name: 'csv', exact: true }).first().waitFor();
    }
    expect(errors).toEqual([]);
    await page.context().close();
  }
});

test('an event keeps its first rows and the focus until its table is here, then takes what was pressed', async () => {
  const { page, context } = await openPage(browser, inject('address'), PHONE);
  const letTable = await hold(page, /\/table\?/);
  await page.goto(await eventPath());
  const governors = page.getByRole('region', { name: 'Governors' });
  const opener = governors.locator('button[aria-expanded]').nth(1);
  const name = await opener.textContent();
  await opener.press('Enter');
  const opened = governors.locator('button[aria-expanded=true]:focus');
  await opened.waitFor();
  await page
    .getByRole('columnheader', { name: 'Power' })
    .getByRole('link')
    .evaluate((link) => {
      (link as HTMLAnchorElement).click();
    });
  await page.waitForURL(/sort=power/);
  expect(await governors.locator('button[aria-expanded]').nth(1).textContent()).toBe(name);
  await opened.waitFor();
  letTable();
  await page.locator('th[aria-sort=descending]', { hasText: 'Power' }).waitFor();
  await expect.poll(() => governors.locator('button[aria-expanded]').nth(20).count()).toBe(1);
  await context.close();
});

describe('React', () => {
  // Each waits for its network to fall silent, which takes half a second.
  test.concurrent.for(PAGES)(
    'hydrates %s without changing it or fetching its data again',
    async ([path], { expect }) => {
      const hydrated = async (viewport: typeof PHONE) => {
        const { page, context, errors } = await openPage(browser, inject('address'), viewport, 'Asia/Kolkata');
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        const asked: string[] = [];
        page.on('request', (request) => {
          if (new URL(request.url()).pathname.startsWith('/v1/')) asked.push(request.url());
        });
        // React keeps the elements of the HTML, with the marks that were set on them.
        await page.addInitScript(() => {
          new MutationObserver((_, observer) => {
            const heading = document.querySelector('#root h1');
            if (!heading) return;
            (heading as HTMLElement & { fromServer?: boolean }).fromServer = true;
            observer.disconnect();
          }).observe(document, { childList: true, subtree: true });
        });
        await page.reload();
        const heading = page.locator('#root h1');
        const isHydrated = () =>
          heading.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')));
        await expect.poll(isHydrated).toBe(true);
        await page.waitForLoadState('networkidle');
        expect(await heading.evaluate((element) => (element as { fromServer?: boolean }).fromServer)).toBe(true);
        expect([path, viewport.width, errors, asked]).toEqual([path, viewport.width, [], []]);
        await context.close();
      };
      await Promise.all([DESKTOP, PHONE].map(hydrated));
    },
  );
});

test('a user gets the visitor’s page with their own navigation bar', async () => {
  const { page, errors } = await openPage(browser, inject('address'));
  await signInByCall(page);
  const html = await (await page.request.get('/leaderboard/governor')).text();
  expect(html).toContain('href="/login"');
  expect(html).not.toContain('href="/account"');
  await page.goto('/leaderboard/governor');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Account' }).waitFor();
  // Names link to their pages.
  await page.locator('tbody a[href^="/leaderboard/governor/"]').first().waitFor();
  expect(errors).toEqual([]);
});

test('the cookie banner stays hidden after consent, also before the script runs', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const banner = page.locator('section[aria-label=Cookies]');
  await page.goto('/faq');
  await page.getByRole('button', { name: 'I understand' }).click();
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await banner.count()).toBe(1);
  expect(await banner.isVisible()).toBe(false);
  await context.close();
});

test('a page keeps its footer if the script of what is around it cannot be loaded', async () => {
  const { page, context, errors } = await openPage(browser, inject('address'));
  const html = await (await fetch(`${inject('address')}/faq`)).text();
  const first = new Set(Array.from(html.matchAll(/\/assets\/[^"]+\.js/g), ([path]) => path));
  await page.route(/\/assets\/.*\.js$/, (route) =>
    first.has(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  );
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.js'));
  await page.goto('/faq');
  await failed;
  await page.unrouteAll();
  await page.locator('footer').getByRole('link', { name: 'Licence' }).click();
  await page.waitForURL('**/eula');
  expect(errors).toEqual([]);
  await context.close();
});

test('a board whose other rows cannot be loaded says so instead of loading for ever', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await page.clock.install();
  await page.route(/count=-1/, (route) => route.abort());
  await page.goto('/leaderboard/governor?powerTo=0');
  await withoutWaiting(page, page.getByText('Muster could not be reached'));
  expect(await page.getByText('Loading').count()).toBe(0);
  await page.unroute(/count=-1/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing on this board matches.').waitFor();
  expect(await page.getByText('Muster could not be reached').count()).toBe(0);
  await context.close();
});

test('a board that is sorted stays as it is until its sorted rows are here, and loads no others', async () => {
  const { page, context } = await openPage(browser, inject('address'), PHONE);
  const others = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route(/\/rankings/, async (route) => {
    asked.push(new URL(route.request().url()).search);
    await others.promise;
    await route.continue();
  });
  await page.goto('/leaderboard/governor');
  await page.waitForLoadState('networkidle');
  const first = page.locator('#main tbody tr').first();
  const before = await first.textContent();
  await page.getByRole('columnheader', { name: 'Deads' }).getByRole('link').click();
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  expect(await first.textContent()).toBe(before);
  expect(await page.getByText('Loading the board').count()).toBe(0);
  others.resolve();
  await page.locator('th[aria-sort=descending]', { hasText: 'Deads' }).waitFor();
  await expect.poll(() => first.textContent()).not.toBe(before);
  await page.getByRole('link', { name: 'Next page' }).first().click();
  await expect.poll(() => first.textContent()).toMatch(/^51/);
  const page0 = '?type=power&count=50&page=0&sort=deads&ascending=false';
  expect(asked).toEqual([page0, page0.replace('page=0', 'page=1')]);
  await context.close();
});

test('a board that is published between HTML and script is shown as it was, then as it is', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  await page.route(/\/rankings/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"name":"', '"name":"Later ') });
  });
  const names = page.locator('#main tbody a[href^="/leaderboard/governor/"]');
  const later = async () => (await names.allTextContents()).map((name) => name.startsWith('Later '));
  await page.goto('/leaderboard/governor');
  await page.waitForLoadState('networkidle');
  expect(new Set(await later())).toEqual(new Set([false]));
  await page.getByRole('columnheader', { name: 'Deads' }).getByRole('link').click();
  await page.locator('th[aria-sort=descending]', { hasText: 'Deads' }).waitFor();
  await expect.poll(async () => [...new Set(await later())]).toEqual([true]);
  await context.close();
});

test('a first page is drawn before its font, and letters of other scripts come only with a name that has them', async () => {
  const { page, context } = await openPage(browser, inject('address'));
  const fonts = new Set<string>();
  const early: string[] = [];
  let isDrawn = false;
  page.on('request', (request) => {
    if (request.resourceType() !== 'font') return;
    fonts.add(request.url());
    if (!isDrawn) early.push(request.url());
  });
  const letScripts = await hold(page, /\/assets\/.*\.js$/);
  await page.goto('/faq', { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  isDrawn = true;
  letScripts();
  await page.waitForFunction(() => localStorage.getItem('font') !== null);
  expect(early).toEqual([]);
  await page.reload({ waitUntil: 'networkidle' });
  expect(await page.evaluate(() => document.fonts.check('1em "Inter Variable"'))).toBe(true);
  expect(fonts.size).toBe(1);
  await page.getByRole('link', { name: 'Leaderboards', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(fonts.size).toBe(1);
  await page.evaluate(() => document.querySelector('h1')?.append(' Жук'));
  await expect.poll(() => fonts.size).toBe(2);
  await context.close();
});

test('nothing shifts on a phone from home to a board, its order, a kingdom and an event', async () => {
  const { page, context } = await openPage(browser, inject('address'), PHONE);
  await page.addInitScript(() => {
    const shifts: { value: number; sources: string[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      type Shift = PerformanceEntry & { hadRecentInput: boolean; value: number; sources: { node: Node | null }[] };
      for (const { hadRecentInput, value, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput) shifts.push({ value, sources: sources.map(({ node }) => node?.textContent ?? '') });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const shift = async () => {
    await page.waitForLoadState('networkidle');
    const all = await page.evaluate(() => (window as unknown as { shifts: { value: number }[] }).shifts);
    return all.reduce((sum, { value }) => sum + value, 0) > 0.003 ? all : [];
  };
  await page.goto('/');
  expect(await shift()).toEqual([]);
  for (const kind of ['kingdom', 'governor', 'alliance']) {
    await page.goto(`/leaderboard/${kind}`);
    await page.waitForLoadState('networkidle');
    // A press of the script: what moves soon after one of the user does not count as a shift.
    await page.locator('thead th:nth-child(5) a').evaluate((link) => (link as HTMLAnchorElement).click());
    await page.locator('th:nth-child(5)[aria-sort=descending]').waitFor();
    expect([kind, await shift()]).toEqual([kind, []]);
  }
  await page.goto('/leaderboard/kingdom');
  await page.locator('tbody a[href^="/leaderboard/kingdom/"]').first().click();
  await page.waitForURL(/\/leaderboard\/kingdom\/\d+/);
  await page.reload();
  expect(['a kingdom', await shift()]).toEqual(['a kingdom', []]);
  const event = await eventPath();
  await page.goto(event);
  await page.waitForResponse(/\/table\?/);
  expect(['an event', await shift()]).toEqual(['an event', []]);
  const room = await page.locator(`a[href^="${event}/kingdoms/"]`).first().getAttribute('href');
  await page.goto(room ?? '');
  expect(['a war room', await shift()]).toEqual(['a war room', []]);
  await context.close();
});
