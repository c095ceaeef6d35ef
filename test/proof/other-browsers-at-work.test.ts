import exceljs from 'exceljs';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, inject, test } from 'vitest';
import { DESKTOP, launchBrowser, openPage } from '../support/browser.ts';
import { type Client, ended, newUser, order, orderOf, PASSWORD, rowsOf, waitFor } from '../support/client.ts';
import { openDoor } from '../support/engines/ears.ts';
import { firefox } from '../support/engines/firefox.ts';
import { click, drop, fill, KEYS, press, until } from '../support/engines/hands.ts';
import { webkit } from '../support/engines/webkit.ts';
import type { Engine, Window } from '../support/engines/window.ts';
import { arrives, openedAt, settle, shows, signIn } from './visits.ts';

/**
 * What customers and admins do in Firefox and WebKit besides looking: thousands of rows, filling orders, payments,
 * the second factor, files, forms, two tabs, and no connection.
 */

const PATIENCE_MS = 300_000;

/** A new user with money, and their window. */
interface Customer {
  window: Window;
  client: Client;
  username: string;
}

async function customer(engine: Engine): Promise<Customer> {
  const { client, username } = await newUser(inject('address'), 60);
  const window = await engine.launch(inject('address'), { ...DESKTOP, scheme: 'light' });
  await signIn(window, username, PASSWORD);
  return { window, client, username };
}

/** Checks that there were no errors except those that the story expects. */
const onlyRefused = (window: Window, pattern: RegExp): void =>
  expect(window.troubles().filter((trouble) => !pattern.test(trouble))).toEqual([]);

const TABLE = '#main section[data-scroll-restoration-id]';

/** Ids of the governors whose rows fill the table from top to bottom; null while there is a gap. Runs in the page. */
const idsInSight = (table: string): number[] | null => {
  const box = document.querySelector(table);
  if (!box) return null;
  const { left, top } = box.getBoundingClientRect();
  // Without the horizontal scroll bar; one that covers the last row is lower than that.
  const bottom = top + box.clientTop + box.clientHeight;
  const ids: (number | null)[] = [];
  const head = document.querySelector(`${table} thead`)?.getBoundingClientRect().bottom ?? top;
  for (let y = head + 10; y < Math.min(bottom, innerHeight) - 20; y += 20) {
    const row = document.elementFromPoint(left + 40, y)?.closest('tbody tr[aria-rowindex]');
    const link = row?.querySelector('a[href^="/players/"]')?.getAttribute('href');
    ids.push(link ? Number(/\d+/.exec(link)) : null);
  }
  return ids.length === 0 || ids.includes(null) ? null : [...new Set(ids as number[])];
};

/** True once this governor is first. Runs in the page. */
const beginsWith = (table: string, id: number): boolean =>
  document.querySelector(`${table} tbody tr[aria-rowindex="2"] a[href^="/players/"]`)?.getAttribute('href') ===
  `/players/${id}`;

const toTheEnd = async (window: Window): Promise<number[]> => {
  await window.run((table) => {
    const box = document.querySelector<HTMLElement>(table);
    box?.scrollIntoView({ block: 'end', behavior: 'instant' });
    box?.focus();
  }, TABLE);
  await press(window, KEYS.end);
  await until(
    window,
    (table) => {
      const box = document.querySelector(table);
      return box !== null && box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    },
    TABLE,
  );
  return until(window, idsInSight, TABLE);
};

async function readThousands({ window, client }: Customer): Promise<void> {
  const done = await waitFor(client, await order(client, 'rok', [1005, 1006, 1007], 1000), ended, 120_000);
  const rows = await Promise.all(done.items.map(({ item_id }) => rowsOf(client, item_id)));
  const governors = rows.flat().sort((a, b) => Number(b.power) - Number(a.power));
  const [mightiest, weakest] = [governors[0], governors.at(-1)].map((each) => Number(each?.governor_id));
  await openedAt(window, `/order/${done.order_id}?all=true`);
  await until(window, beginsWith, TABLE, mightiest ?? 0);
  expect(await toTheEnd(window)).toContain(weakest);
  await click(window, `${TABLE} th button`, 'Power');
  await until(window, beginsWith, TABLE, weakest ?? 0);
  await click(window, `${TABLE} th button`, 'Name');
  await until(
    window,
    (table) => document.querySelector(`${table} th[aria-sort]`)?.textContent?.includes('Name'),
    TABLE,
  );
  // By name, because some governors share one.
  const last = (await toTheEnd(window)).at(-1) ?? 0;
  const name = await window.run((id) => document.querySelector(`a[href="/players/${id}"]`)?.textContent ?? '', last);
  await click(window, `${TABLE} th button`, 'Name');
  await until(
    window,
    (table, wanted) =>
      document.querySelector(`${table} tbody tr[aria-rowindex="2"] a[href^="/players/"]`)?.textContent === wanted,
    TABLE,
    name,
  );
  await click(window, '#main input[type=search]');
  await press(window, ...String(weakest));
  await shows(window, `1 of ${governors.length.toLocaleString('en-US')} governors`);
  expect(await until(window, idsInSight, TABLE)).toEqual([weakest]);
}

/** An order fills on the page without a reload, and its results appear by themselves. */
async function watchOrder({ window, client }: Customer): Promise<void> {
  const id = await order(client, 'rok', [1008], 2000);
  await window.goto('/orders');
  const item = (await orderOf(client, id)).items[0]?.item_id ?? '';
  const lists = () =>
    performance.getEntriesByType('resource').filter(({ name }) => /\/v1\/orders\/?(\?|$)/.test(name)).length;
  await until(window, () => document.querySelector('#main [role=progressbar]') !== null);
  const before = await window.run(lists);
  const percents = new Set<number>();
  for (;;) {
    const percent = await window.run(
      () => document.querySelector('#main [role=progressbar]')?.getAttribute('aria-valuenow') ?? null,
    );
    if (percent === null) break;
    percents.add(Number(percent));
  }
  // The bar shows more steps than lists were fetched meanwhile.
  expect(percents.size).toBeGreaterThan((await window.run(lists)) - before);
  await shows(window, `Order #${id} is finished`);
  await click(window, 'dialog a, [role=dialog] a', 'View Results');
  await arrives(window, `/order/${item}`);
  await until(window, idsInSight, TABLE);

  const next = await order(client, 'rok', [1009], 2000);
  const nextItem = (await orderOf(client, next)).items[0]?.item_id ?? '';
  await openedAt(window, `/order/${nextItem}`);
  await until(window, idsInSight, TABLE);
}

/** A top-up through the test payment page, cancelled once and then paid. */
async function topUp({ window, client }: Customer): Promise<void> {
  await openedAt(window, '/account/balance');
  await fill(window, 'Amount in USD', '4.99');
  await click(window, '#main button', 'with Stripe');
  await shows(window, 'The smallest top-up is 5.00 USD.');
  await fill(window, 'Amount in USD', '12.5');
  await click(window, '#main button', 'Pay $12.50 with Stripe');
  await shows(window, 'This is a test payment.');
  await click(window, 'a', 'Cancel');
  await shows(window, 'Subscription attempt cancelled.');
  await openedAt(window, '/account/balance');
  await fill(window, 'Amount in USD', '12.5');
  await click(window, '#main button', 'Pay $12.50 with Stripe');
  await shows(window, 'This is a test payment.');
  await click(window, 'button', 'Pay 12.50 USD (test payment)');
  await shows(window, 'Success!');
  await shows(window, '$72.50');
  const { balance } = await client.call<{ balance: number }>('GET', '/v1/account');
  expect(balance).toBe(72.5);
}

/** Sets up the second factor and signs in with it. */
async function setUpSecondFactor({ window, username }: Customer): Promise<void> {
  await openedAt(window, '/account/security');
  await click(window, 'form label', 'Password');
  await press(window, ...PASSWORD);
  await click(window, 'button', 'Set up');
  await shows(window, 'Set up two-factor sign-in');
  const secret = await until(window, () =>
    [...document.querySelectorAll('#main form p')]
      .find((each) => each.textContent?.startsWith('Key:'))
      ?.textContent?.replace(/Key:|\s/g, ''),
  );
  const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await click(window, 'form label', 'Code');
  await press(window, ...codeAt(Date.now()));
  await click(window, 'button', 'Switch on');
  await shows(window, 'Two-factor sign-in is on');
  const spare = await until(window, () =>
    [...document.querySelectorAll('#main li')]
      .map((each) => each.textContent)
      .find((text) => /^[a-z0-9]{5}(-[a-z0-9]{5}){4}$/.test(text)),
  );
  await click(window, 'button', 'I have kept them');
  for (const code of [codeAt(Date.now() + 30_000), spare]) {
    await window.goto('/logout');
    await arrives(window, '/');
    await settle(window);
    await openedAt(window, '/login?from=/account/security');
    await fill(window, 'Username', username);
    await fill(window, 'Password', PASSWORD);
    await press(window, KEYS.enter);
    await shows(window, 'Please enter the code from your authenticator app.');
    // The field has the focus already.
    await until(window, () => document.activeElement?.getAttribute('name') === 'code');
    await press(window, ...code, KEYS.enter);
    await arrives(window, '/account/security');
    await settle(window);
  }
  // A sign-in without the code is refused and asked for it.
  onlyRefused(window, /^401: \S*\/v1\/login$/);
}

/** A spreadsheet as RokTracker writes it. */
async function spreadsheet(): Promise<Uint8Array> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Scan');
  sheet.addRow(['Governor ID', 'Governor Name', 'Power', 'Kill Points', 'Deaths', 'T1', 'T2', 'T3', 'T4', 'T5']);
  sheet.addRow([81001, 'Açaí 花', 90_000_000, 1_000, 3, 0, 0, 0, 100, 0]);
  sheet.addRow([81002, 'Birch', 80_000_000, 700, 3, 0, 0, 0, 50, 10]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

async function importSpreadsheet({ window, client }: Customer): Promise<void> {
  await openedAt(window, '/scans');
  await drop(window, '#main input[type=file]', 'moss_2026-03-01.xlsx', await spreadsheet());
  await shows(window, '2 lines read');
  await click(window, 'article summary', 'First rows');
  await shows(window, 'Açaí 花');
  await fill(window, 'Kingdom of these rows', '4777');
  await press(window, KEYS.tab);
  // A browser without a window, as Firefox is here, has no focus to lose.
  await window.run(() => {
    const left = new FocusEvent('focusout', { bubbles: true });
    if (!document.hasFocus()) document.querySelector('article input[type=number]')?.dispatchEvent(left);
  });
  await until(window, () => [...document.querySelectorAll('article td')].some((each) => each.textContent === '4777'));
  await click(window, 'article button:not(:disabled, [aria-disabled=true])', 'Save 1 scan');
  await shows(window, 'Saved: 1 scan in your library.');
  const { scans } = await client.call<{ scans: { scan_id: string }[] }>('GET', '/v1/scans?origin=imported');
  expect(scans.length).toBe(1);
}

/** Logs out in one tab and orders in one; the other tab does not keep the old state. */
async function openTwoTabs({ window, client, username }: Customer): Promise<void> {
  await openedAt(window, '/orders');
  await shows(window, '$60.00');
  const other = await window.tabs?.another();
  if (!other) return;
  await openedAt(other, '/orders/new');
  await fill(other, 'Kingdoms', '1010');
  await fill(other, 'Governors', '100');
  await click(other, '#main button', 'Add to Order');
  await click(other, '#main button', 'Submit Order');
  await arrives(other, '/orders');
  await shows(other, '$59.50');
  const { orders } = await client.call<{ orders: { order_id: number }[] }>('GET', '/v1/orders/');
  await window.tabs?.show();
  await shows(window, `#${orders[0]?.order_id}`);
  await shows(window, '$59.50');

  await other.tabs?.show();
  await other.goto('/logout');
  await arrives(other, '/');
  await settle(other);
  await window.tabs?.show();
  await arrives(window, '/login');
  expect(await window.run(() => document.body.textContent.includes('$59.50'))).toBe(false);
  expect(await window.run(() => new URLSearchParams(location.search).get('from'))).toBe('/orders');
  // After a sign-in in one tab, the other goes on to its page.
  await other.tabs?.show();
  await openedAt(other, '/login');
  await fill(other, 'Username', username);
  await fill(other, 'Password', PASSWORD);
  await press(other, KEYS.enter);
  await arrives(other, '/dashboard');
  await window.tabs?.show();
  await arrives(window, '/orders');
  await shows(window, '$59.50');
  // A signed-out user gets a 401.
  onlyRefused(window, /^401: \S*\/v1\/(account|orders\/?)(\?\S*)?$/);
}

/** An admin makes a code, publishes news, gives money and makes an event. */
async function administer(engine: Engine): Promise<void> {
  const { client, username } = await newUser(inject('address'), 1);
  const window = await engine.launch(inject('address'), { ...DESKTOP, scheme: 'dark' });
  try {
    await signIn(window, 'admin');
    await openedAt(window, '/admin/access-codes');
    const code = `WAR-${username.slice(-6)}-${engine.name}`;
    await fill(window, 'Code', code);
    await fill(window, 'Uses', '3');
    await click(window, '#main button', 'Make the code');
    await shows(window, `The code is ${code.toUpperCase()}`);

    await openedAt(window, '/admin/news');
    await fill(window, 'Title', `Said in ${engine.name}`);
    await fill(window, 'Text', 'The first line.');
    await press(window, KEYS.enter, ...'The second.');
    await click(window, '#main button', 'Publish');
    await shows(window, 'It is on every user’s dashboard now.');
    await click(window, '#main td button', 'Take down');
    await until(window, (name) => !document.querySelector('#main table')?.textContent?.includes(name), engine.name);

    await openedAt(window, '/admin/payments');
    await fill(window, 'Username', username);
    await fill(window, 'Amount in USD', '7.25');
    await fill(window, 'Reason', 'A gift.');
    await click(window, '#main button', 'Adjust');
    await shows(window, 'The balance was adjusted.');
    expect((await client.call<{ balance: number }>('GET', '/v1/account')).balance).toBe(8.25);

    await openedAt(window, '/admin/events/new');
    await fill(window, 'Name', `War of ${engine.name}`);
    await fill(window, 'KvK id', `WAR-${engine.name}`);
    await fill(window, 'Camps', 'Fire: 1001');
    await press(window, KEYS.enter, ...'Water: 1002, 1003');
    await click(window, '#main form button', 'Make the event');
    await shows(window, `War of ${engine.name}`);
    await until(window, () => /^\/admin\/events\/\d+$/.test(location.pathname));
    await settle(window);
    expect(await window.run(() => document.querySelector('textarea')?.value)).toBe('Fire: 1001\nWater: 1002, 1003');
    expect(window.troubles()).toEqual([]);
  } finally {
    await window.close();
  }
}

/** Without a connection there is a page that says so, and a way back. */
async function loseConnection(engine: Engine): Promise<void> {
  const door = await openDoor(inject('address'));
  const window = await engine.launch(door.address, { ...DESKTOP, scheme: 'light' });
  try {
    await openedAt(window, '/faq');
    await until(window, async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated');
    await window.run(() => dispatchEvent(new Event('offline')));
    await shows(window, 'You are offline. Changes are sent once the connection is back.');
    door.close();
    await window.goto('/leaderboard').catch(() => undefined);
    await shows(window, 'Muster shows what its servers know, so it needs a connection.');
  } finally {
    await window.close();
    door.close();
  }
}

test('Chromium shows the offline page without a connection, and returns with it', async () => {
  const browser = await launchBrowser();
  const { page, context } = await openPage(browser, inject('address'));
  await page.goto('/faq');
  await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active?.state));
  await context.setOffline(true);
  await page.goto('/leaderboard');
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Leaderboards' }).waitFor();
  await browser.close();
});

describe.each([firefox, webkit])('$name', (engine) => {
  const missing = engine.missing();

  test.for([
    ['reads results of thousands of rows', readThousands],
    ['watches an order fill', watchOrder],
    ['tops up', topUp],
    ['signs in with a second factor', setUpSecondFactor],
    ['imports a spreadsheet', importSpreadsheet],
  ] as const)('%s', { timeout: PATIENCE_MS }, async ([, story], { skip }) => {
    skip(missing !== null, missing ?? '');
    const someone = await customer(engine);
    try {
      await story(someone);
      expect(someone.window.troubles()).toEqual([]);
    } finally {
      await someone.window.close();
    }
  });

  test('keeps two tabs of an account in step', { timeout: PATIENCE_MS }, async ({ skip }) => {
    skip(missing !== null, missing ?? '');
    const someone = await customer(engine);
    try {
      skip(!someone.window.tabs, 'Its driver leads one tab only.');
      await openTwoTabs(someone);
    } finally {
      await someone.window.close();
    }
  });

  test('sends the forms of admins', { timeout: PATIENCE_MS }, async ({ skip }) => {
    skip(missing !== null, missing ?? '');
    await administer(engine);
  });

  test('shows the offline page without a connection', { timeout: PATIENCE_MS }, async ({ skip }) => {
    skip(missing !== null, missing ?? '');
    await loseConnection(engine);
  });
});
