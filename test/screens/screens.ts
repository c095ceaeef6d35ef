import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usualSettings } from '../../domain/compare/contract.ts';
import type { EventPayload } from '../../domain/events/contract.ts';
import { DESKTOP, launchBrowser, PHONE } from '../support/browser.ts';
import { type Client, ended, newUser, order, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { copyToLookAt } from './copy.ts';
import { Sitters, type State, type Who } from './sitter.ts';

/**
 * `npm run screens`: every screen in every state on one sheet (screens/index.html). The screens are those of the route
 * tree, so that a new one is not forgotten: one with a parameter of which there is no example here ends the run.
 * `npm run screens -- orders leaderboard` takes those whose address holds one of the words, `-- 2/4` the second quarter
 * of them; the pictures of all others stay on the sheet. ADDRESS names a copy that runs already.
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
const STATES: readonly { state: State; looks: number }[] = [
  { state: 'full', looks: 4 },
  { state: 'empty', looks: 2 },
  { state: 'loading', looks: 2 },
  { state: 'failing', looks: 2 },
];

/** What a screen shows at once is there whole, so that it neither loads nor fails. */
const STILL =
  /^\/(eula|imprint|privacy|login|logout|register|password_reset|stop-change|verify-email|admin\/events\/new)$/;

interface Screen {
  path: string;
  who: Who;
}

/** A screen and the address at which there is something to see of it. */
interface Placed extends Screen {
  at: string;
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
  const gappy = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
    ...event,
    name: 'Lost Kingdom with a gap',
    kvk_id: 'ROK-GAP',
    gather: false,
  });
  await loadWithGap(address, admin, running, gappy.dashboard_id);
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
    _gappy: String(gappy.dashboard_id),
    _ended: eventOf('rok', 'ended'),
    _archived: archived,
  };
}

/** Loads the first and the newest scan of one event into another, the newest without one of its kingdoms. */
async function loadWithGap(address: string, admin: Client, from: string, to: number): Promise<void> {
  const { snapshots } = await admin.call<{ snapshots: { ts: number }[] }>('GET', `/v1/dashboards/${from}/`);
  const [first = 0, newest = 0] = [snapshots[0]?.ts, snapshots.at(-1)?.ts];
  for (const ts of [first, newest]) {
    const file = await admin.send('GET', `/v1/dashboards/${from}/snapshot/${ts}/download?type=csv`);
    const [header = '', ...lines] = (await file.text()).split('\r\n');
    const column = header.split(',').indexOf('home_kingdom');
    const gone = lines[0]?.split(',')[column];
    const kept = ts === first ? lines : lines.filter((line) => line.split(',')[column] !== gone);
    const loaded = await fetch(`${address}/v1/admin/events/${to}/snapshots?captured_at=${new Date(ts).toISOString()}`, {
      method: 'POST',
      headers: { cookie: admin.cookie(), 'content-type': 'text/csv' },
      body: [header, ...kept].join('\r\n'),
    });
    if (!loaded.ok) throw new Error(`The event with a gap: ${await loaded.text()}`);
  }
}

/** Screens that look another way by what their address asks for: what they are called, and where they are. */
const moreOf = (examples: Readonly<Record<string, string>>): Placed[] => [
  { path: '/order, combined', at: `/order/${examples._order}?all=true`, who: 'user' },
  { path: '/order, sums', at: `/order/${examples._order}?all=true&sums=true`, who: 'user' },
  { path: '/compare, of two scans', at: `/compare?${examples._compared}`, who: 'user' },
  { path: '/dashboards, upcoming', at: `/dashboards/${examples._upcoming}`, who: 'visitor' },
  { path: '/dashboards, a kingdom missing', at: `/dashboards/${examples._gappy}`, who: 'visitor' },
  { path: '/dashboards, ended', at: `/dashboards/${examples._ended}`, who: 'visitor' },
  { path: '/cod-dashboards, archived', at: `/cod-dashboards/${examples._archived}`, who: 'visitor' },
  { path: '/dashboards, embedded', at: `/dashboards/${examples.$eventId}?embed=true`, who: 'visitor' },
];

/** Keeps the picture that a link to the page shows in chats. */
async function takeLinkPicture(address: string, { path, at }: Placed): Promise<void> {
  const html = await (await fetch(address + at)).text();
  const picture = /og:image" content="([^"]+)"/.exec(html)?.[1];
  if (!picture) return;
  const { pathname, search } = new URL(picture.replaceAll('&amp;', '&'));
  const drawn = await fetch(address + pathname + search);
  if (drawn.ok) writeFileSync(join(OUT, `${nameOf(path)}--link--picture.png`), Buffer.from(await drawn.arrayBuffer()));
}

const nameOf = (path: string): string => path.replace(/[^\w,-]+/g, '_');

/** `path--state--look.jpg`: the name says everything of a picture, so that a later run adds to the sheet of one before. */
const fileOf = (path: string, state: State, look: string): string =>
  `${nameOf(path)}--${state}--${look.replace(' ', '-')}.jpg`;

async function takeScreen(sitters: Sitters, { path, who, at }: Placed): Promise<void> {
  for (const { state, looks } of STATES) {
    // Visitors and admins have nothing of their own that could be missing.
    if (state === 'empty' && who !== 'user') continue;
    if ((state === 'loading' || state === 'failing') && STILL.test(path)) continue;
    const sitter = await sitters.of(state === 'empty' ? 'newcomer' : who);
    await sitter.open(at, state);
    for (const { look, viewport, colorScheme } of LOOKS.slice(0, looks)) {
      await sitter.look(viewport, colorScheme);
      await sitter.page.screenshot({ path: join(OUT, fileOf(path, state, look)), type: 'jpeg', quality: 60 });
    }
  }
}

/** The sheet of every picture that there is. */
function sheetOf(files: readonly string[]): string {
  const shots = files.map((file) => {
    const [path = '', state = '', look = ''] = file.replace(/\.\w+$/, '').split('--');
    return {
      file,
      path,
      about: `${state}, ${look.replace('-', ' ')}`,
      order: STATES.findIndex((each) => each.state === state),
    };
  });
  const sections = [...Map.groupBy(shots, ({ path }) => path)].map(([path, each]) => {
    const figures = each
      .toSorted((one, other) => one.order - other.order)
      .map(
        ({ file, about }) =>
          `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${about}</figcaption></figure>`,
      );
    return `<h2>${path.replaceAll('_', '/')}</h2><section>${figures.join('')}</section>`;
  });
  return `<!doctype html>
<meta charset="utf-8"><title>Every screen</title>
<style>body{font:14px system-ui;margin:16px;background:#888}section{display:flex;flex-wrap:wrap;gap:8px;align-items:start}
figure{margin:0}img{height:300px;display:block}figcaption,h2{color:#fff}h2{margin:24px 0 8px}</style>
${sections.join('\n')}
`;
}

/** The screens that were asked for: those that hold a word, and of them one part of several. */
function wantedOf(screens: readonly Placed[], asked: readonly string[]): Placed[] {
  const part = asked.map((each) => /^(\d+)\/(\d+)$/.exec(each)).find((found) => found !== null);
  const words = asked.filter((each) => !/^\d+\/\d+$/.test(each));
  const wanted = screens.filter(({ path }) => words.length === 0 || words.some((word) => path.includes(word)));
  if (!part) return wanted;
  const [which, of] = [Number(part[1]), Number(part[2])];
  return wanted.slice(Math.floor(((which - 1) * wanted.length) / of), Math.floor((which * wanted.length) / of));
}

const asked = process.argv.slice(2);
if (asked.length === 0) rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const begun = Date.now();
const { address, remove } = await copyToLookAt();
const browser = await launchBrowser();
try {
  const examples = await examplesOf(address);
  const { username } = await newUser(address, 1);
  const screens = [
    ...screensOf().map((screen) => ({ ...screen, at: filled(screen.path, examples) })),
    ...moreOf(examples),
  ];
  const waiting = wantedOf(screens, asked);
  // Two at once: while one is drawn, the service answers the other.
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      const sitters = new Sitters(browser, address, username);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await takeScreen(sitters, next);
        if (next.who === 'visitor') await takeLinkPicture(address, next);
        console.log(`${Math.round((Date.now() - begun) / 1000)} s  ${next.path}`);
      }
    }),
  );
} finally {
  const files = readdirSync(OUT)
    .filter((file) => /\.(jpg|png)$/.test(file))
    .sort();
  writeFileSync(join(OUT, 'index.html'), sheetOf(files));
  console.log(`${files.length} pictures: screens/index.html`);
  await browser.close();
  await remove();
}
