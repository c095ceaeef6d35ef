import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { usualSettings } from '../../domain/compare/contract.ts';
import type { EventPayload } from '../../domain/events/contract.ts';
import { DESKTOP, launchBrowser, openPage, PHONE, signIn } from '../support/browser.ts';
import { ended, newUser, order, PASSWORD, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { startService } from '../support/service.ts';

/**
 * `npm run screens`: every screen in every state on one sheet (screens/index.html). The screens are those of the route
 * tree, so that a new one is not forgotten: one with a parameter of which there is no example here ends the run.
 * `npm run screens -- orders leaderboard` takes those whose address holds one of the words.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const OUT = join(ROOT, 'screens');

const LOOKS = [
  { look: 'desktop light', viewport: DESKTOP, colorScheme: 'light' },
  { look: 'phone dark', viewport: PHONE, colorScheme: 'dark' },
  { look: 'desktop dark', viewport: DESKTOP, colorScheme: 'dark' },
  { look: 'phone light', viewport: PHONE, colorScheme: 'light' },
] as const;

/** Who looks, what the service does meanwhile, and in how many looks that is taken: one of each scheme where not in all. */
const STATES = [
  { state: 'full', looks: 4 },
  { state: 'empty', looks: 2 },
  { state: 'loading', looks: 2 },
  { state: 'failing', looks: 2 },
] as const;

/** What a screen shows at once is there whole, so that it neither loads nor fails. */
const STILL =
  /^\/(eula|imprint|privacy|login|logout|register|password_reset|stop-change|verify-email|admin\/events\/new)$/;
type State = (typeof STATES)[number]['state'];
type Who = 'visitor' | 'user' | 'admin';

interface Screen {
  path: string;
  who: Who;
}

/** Every path of the route tree, and behind which guard it lies. */
function screensOf(): Screen[] {
  const tree = readFileSync(join(ROOT, 'web/route-tree.gen.ts'), 'utf8');
  const guarded = new Set(
    [...tree.matchAll(/'\/_signed-in(\/[^']*)': typeof/g)].map(([, path = '']) => path.replace(/(.)\/$/, '$1')),
  );
  const paths = JSON.parse(readFileSync(join(ROOT, 'dist/web/pages.json'), 'utf8')) as string[];
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, '$1')))]
    .filter((path) => path !== '/logout')
    .sort()
    .map((path) => ({ path, who: path.startsWith('/admin') ? 'admin' : guarded.has(path) ? 'user' : 'visitor' }));
}

/** A path with examples in place of its parameters. */
function filled(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replace(/\$(\w+)/g, (_, name: string) => {
    const example = examples[`${path} $${name}`] ?? examples[`$${name}`];
    if (example === undefined) throw new Error(`${path} needs an example of $${name} in test/screens/screens.ts.`);
    return example;
  });
}

const settled = async (page: Page): Promise<void> => {
  await page.locator('#main').waitFor();
  await page
    .waitForFunction(
      () => ![...document.querySelectorAll('[role=status]')].some((note) => note.textContent?.startsWith('Loading')),
      undefined,
      { timeout: 8000 },
    )
    .catch(() => undefined);
  await page.waitForTimeout(150);
};

/** Makes the service slow for ever or broken for all but who is signed in. */
async function disturb(page: Page, state: State): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (state !== 'loading' && state !== 'failing') return;
  await page.route(/\/v1\/(?!account$)/, async (route) => {
    if (state === 'loading') return;
    await route.fulfill({
      status: 503,
      json: { success: 0, msg: 'The service is being repaired. Try again in a minute.' },
    });
  });
}

/** The pages of someone in each state: one who has everything, and one who has nothing. */
interface Sitters {
  full: Page;
  empty: Page;
}

async function sitting(browser: Browser, address: string, name: string | null, password?: string): Promise<Page> {
  const { page } = await openPage(browser, address);
  await page.goto('/login');
  await page.getByRole('button', { name: 'I understand' }).click();
  if (name === null) return page;
  await signIn(page, name, password);
  await page.waitForURL(/\/(dashboard|eula)/);
  return page;
}

const DAY_MS = 86_400_000;

/** What there is to show: orders with results, a comparison, links to them, events of every age, and who is in them. */
async function examplesOf(address: string): Promise<Record<string, string>> {
  const [client, admin] = [await signedIn(address), await signedIn(address, 'admin', 'admin-muster')];
  const first = await waitFor(client, await order(client, 'rok', [1003, 1004], 300), ended);
  const second = await waitFor(client, await order(client, 'rok', [1003, 1004], 300), ended);
  const [from = '', to = ''] = [first, second].map(({ items }) => items[0]?.item_id ?? '');
  const [governor] = await rowsOf(client, from);
  const link = await client.call<{ path: string }>('POST', `/v1/order/${from}/shares`, { days: 7 });
  const { report_id } = await client.call<{ report_id: string }>('POST', '/v1/reports', {
    name: 'A week of kingdom 1003',
    ranges: [{ name: '', from: [from], to: [to] }],
    settings: { ...usualSettings('rok'), note: 'Thank you all.' },
  });
  const report = await client.call<{ path: string }>('POST', `/v1/reports/${report_id}/links`, { days: 30 });
  const { events } = await client.call<{ events: { dashboard_id: number; game: string; state: string }[] }>(
    'GET',
    '/v1/dashboards',
  );
  const eventOf = (game: string, state: string): string => {
    const found = events.find((event) => event.game === game && event.state === state);
    if (!found) throw new Error(`The seed has no event of ${game} that is ${state}.`);
    return String(found.dashboard_id);
  };
  const running = eventOf('rok', 'running');
  const { event } = await admin.call<{ event: EventPayload }>('GET', `/v1/admin/events/${running}`);
  const start = Date.now() + 5 * DAY_MS;
  const upcoming = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
    ...event,
    name: 'Lost Kingdom to come',
    kvk_id: 'ROK-NEXT',
    dates: {},
    start,
    end: start + 35 * DAY_MS,
  });
  const archived = eventOf('cod', 'ended');
  await admin.call('POST', `/v1/admin/events/${archived}/archive`);
  const { bots } = await admin.call<{ bots: Record<string, { bot_id: string }[]> }>('GET', '/v1/admin/bots');
  return {
    $orderId: from,
    $id: String(governor?.governor_id),
    $kingdomId: '1003',
    $tag: String(governor?.alliance_tag),
    '/shared/$token $token': link.path.replace('/shared/', ''),
    '/reports/shared/$token $token': report.path.replace('/reports/shared/', ''),
    $code: 'no-such-link',
    $reportId: report_id,
    '/dashboards/$dashboardId $dashboardId': running,
    '/cod-dashboards/$dashboardId $dashboardId': eventOf('cod', 'running'),
    $eventId: running,
    $botId: Object.values(bots)[0]?.[0]?.bot_id ?? '',
    _order: String(first.order_id),
    _compared: `from=${from}&to=${to}`,
    _upcoming: String(upcoming.dashboard_id),
    _ended: eventOf('rok', 'ended'),
    _archived: archived,
  };
}

/** Screens that look another way by what their address asks for: what they are called, and where they are. */
const moreOf = (examples: Readonly<Record<string, string>>): (Screen & { at: string })[] => [
  { path: '/order, combined', at: `/order/${examples._order}?all=true`, who: 'user' },
  { path: '/order, sums', at: `/order/${examples._order}?all=true&sums=true`, who: 'user' },
  { path: '/compare, of two scans', at: `/compare?${examples._compared}`, who: 'user' },
  { path: '/dashboards, upcoming', at: `/dashboards/${examples._upcoming}`, who: 'visitor' },
  { path: '/dashboards, ended', at: `/dashboards/${examples._ended}`, who: 'visitor' },
  { path: '/cod-dashboards, archived', at: `/cod-dashboards/${examples._archived}`, who: 'visitor' },
  { path: '/dashboards, embedded', at: `/dashboards/${examples.$eventId}?embed=true`, who: 'visitor' },
];

interface Shot {
  path: string;
  state: State;
  look: string;
  file: string;
}

async function takeScreen(sitters: Sitters, { path }: Screen, address: string, shots: Shot[]): Promise<void> {
  for (const { state, looks } of STATES) {
    if (state === 'empty' && sitters.empty === sitters.full) continue;
    if ((state === 'loading' || state === 'failing') && STILL.test(path)) continue;
    const page = state === 'empty' ? sitters.empty : sitters.full;
    await disturb(page, state);
    await page.setViewportSize(DESKTOP);
    await page.goto(address, { waitUntil: 'domcontentloaded' }).catch(() => undefined);
    if (state === 'loading') await page.waitForTimeout(700);
    else await settled(page);
    for (const { look, viewport, colorScheme } of LOOKS.slice(0, looks)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(120);
      const file = `${path.replace(/[^\w-]+/g, '_')}-${state}-${look.replace(' ', '-')}.jpg`;
      await page.screenshot({ path: join(OUT, file), type: 'jpeg', quality: 60 });
      shots.push({ path, state, look, file });
    }
  }
}

const sheetOf = (shots: readonly Shot[]): string => `<!doctype html>
<meta charset="utf-8"><title>Every screen</title>
<style>body{font:14px system-ui;margin:16px;background:#888}section{display:flex;flex-wrap:wrap;gap:8px;align-items:start}
figure{margin:0}img{height:300px;display:block}figcaption,h2{color:#fff}h2{margin:24px 0 8px}</style>
${[...Map.groupBy(shots, ({ path }) => path)]
  .map(
    ([path, each]) =>
      `<h2>${path}</h2><section>${each.map(({ file, state, look }) => `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${state}, ${look}</figcaption></figure>`).join('')}</section>`,
  )
  .join('\n')}
`;

const words = process.argv.slice(2);
const service = await startService({ READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan,rok-history' });
const browser = await launchBrowser();
try {
  const { address } = service;
  const examples = await examplesOf(address);
  const user = await sitting(browser, address, 'demo', 'demo-muster');
  const { username } = await newUser(address, 1);
  const newcomer = await sitting(browser, address, username, PASSWORD);
  const admin = await sitting(browser, address, 'admin', 'admin-muster');
  const visitor = await sitting(browser, address, null);
  const sitters: Record<Who, Sitters> = {
    visitor: { full: visitor, empty: visitor },
    user: { full: user, empty: newcomer },
    admin: { full: admin, empty: admin },
  };
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const shots: Shot[] = [];
  const screens = [
    ...screensOf().map((screen) => ({ ...screen, at: filled(screen.path, examples) })),
    ...moreOf(examples),
  ];
  const wanted = screens.filter(({ path }) => words.length === 0 || words.some((word) => path.includes(word)));
  // Whoever looks has pages of their own, so that all look at once.
  await Promise.all(
    (Object.keys(sitters) as Who[]).map(async (who) => {
      for (const screen of wanted) if (screen.who === who) await takeScreen(sitters[who], screen, screen.at, shots);
    }),
  );
  shots.sort((a, b) => a.path.localeCompare(b.path));
  writeFileSync(join(OUT, 'index.html'), sheetOf(shots));
  console.log(`${shots.length} pictures of ${new Set(shots.map(({ path }) => path)).size} screens: screens/index.html`);
} finally {
  await browser.close();
  await service.remove();
}
