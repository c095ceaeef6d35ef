import { env, exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { eventually } from '../support/eventually.ts';
import { bot, db, scanOf, settled, signedInUser, work } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
import { fileOf, keep, SETTINGS as REPORT_SETTINGS } from './own-scans.ts';
import { governor, publishRows } from './scans.ts';

/** Every public page is sent with its first rows in its HTML, without scripts and without the data that they read. */

const DAY: Day = '2026-03-09';

/** Pages for signed-in users, and public ones that have only a form, a code to follow or a script's own screen. */
const WITHOUT_ROWS = [
  ...['/admin', '/account', '/compare', '/kingdoms', '/order', '/orders', '/payment', '/players', '/alliances'],
  ...[
    '/dashboard',
    '/licenses',
    '/logout',
    '/scans',
    '/login',
    '/password_reset',
    '/register',
    '/stop-change',
    '/teams',
  ],
  ...['/verify-email', '/api-docs', '/s'],
];

/** Route → an address of it, and texts of its first screen. */
const shown = new Map<string, readonly [address: string, ...texts: string[]]>([
  ['/', ['/', 'Kingdom 1001']],
  ['/faq', ['/faq', '>What does Muster do?</h3>']],
  ['/eula', ['/eula', 'Muster end user licence']],
  ['/imprint', ['/imprint', '<h1>Imprint</h1>']],
  ['/privacy', ['/privacy', 'Who is responsible']],
  ['/maps', ['/maps', '<h1>']],
  ['/removal', ['/removal', '<h1>']],
  ['/recipes', ['/recipes', '>Who is below goal in a war<', 'curl -sf', 'import json']],
  ['/leaderboard/', ['/leaderboard', '>120<']],
  ['/leaderboard/governor', ['/leaderboard/governor', 'Governor 1<', 'Governor 8<']],
  ['/ko/leaderboard/governor', ['/ko/leaderboard/governor', '전투력', 'Governor 1<', 'Governor 8<']],
  ['/ko/faq', ['/ko/faq', '>Muster는 무엇을 하나요?</h3>']],
  ['/leaderboard/kingdom', ['/leaderboard/kingdom', '>1001<']],
  ['/leaderboard/alliance', ['/leaderboard/alliance', '>A1<']],
  ['/leaderboard/governor/$governorId', ['/leaderboard/governor/8', '<h1', 'Governor 8']],
  ['/leaderboard/kingdom/$kingdomId', ['/leaderboard/kingdom/1001', '<h1', 'Governor 1<']],
  ['/leaderboard/alliance/$kingdomId/$tag', ['/leaderboard/alliance/1001/A1', '<h1', 'Governor 1<']],
]);

beforeAll(async () => {
  const rows = Array.from({ length: 120 }, (_, index) =>
    governor(index + 1, 9e7 - index * 1000, { name: `Governor ${index + 1}` }),
  );
  await publishRows('rok', 1001, dayStart(DAY) + 5 * HOUR, rows);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);

  const { admin, id } = await madeEvent();
  await load(admin, id, START, [fighter(1, 701, 10), fighter(2, 703, 10)]);
  await load(admin, id, START + HOUR, [fighter(1, 701, 5000), fighter(2, 703, 50)]);
  shown.set('/dashboards/$dashboardId', [`/dashboards/${id}`, 'leads by', '>Fighter 1<', '>Fighter 2<']);
  const kingdom = `/dashboards/${id}/kingdoms/701`;
  shown.set('/dashboards/$dashboardId/kingdoms/$kingdom', [kingdom, '<h1', '>Fighter 1<']);

  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([701])] });
  await work(await bot());
  const item: string = (await settled(user)).items[0].item_id;
  const share = (await user.call('POST', `/v1/order/${item}/shares`, { days: 3 })).data;
  const strongest = (await user.call('GET', `/v1/order/${item}/download?type=json&sort=Power&count=12`)).data.rows;
  const ids = strongest.map(({ governor_id }: { governor_id: number }) => `>${governor_id}<`);
  const { sums } = (await user.call('GET', `/v1${share.path}`)).data;
  const [power, deads] = [sums.power.value, sums.deads.value].map((sum) => `value="${sum}"`) as [string, string];
  shown.set('/shared/$token', [share.path, '<h1>Kingdom 701</h1>', 'type=csv', power, deads, ...ids]);

  const [from] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1, t4: 100, name: 'Ash' }]));
  const [to] = await keep(user, '2026-01-19.csv', fileOf([{ id: 1, t4: 150, name: 'Ash' }]));
  const payload = { name: 'Pass 4', ranges: [{ from: [from], to: [to] }], settings: REPORT_SETTINGS };
  const report = (await user.call('POST', '/v1/reports', payload)).data;
  const link = (await user.call('POST', `/v1/reports/${report.report_id}/links`, { days: 1 })).data;
  shown.set('/reports/shared/$token', [link.path, '<h1>Pass 4</h1>', '>Ash<']);
});

/** Removes what only scripts read. */
const markupOf = (html: string): string =>
  html
    .replace(/<head>[\s\S]*?<\/head>/, '')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll('<!-- -->', '');

it('every public page has its first rows in its HTML', async () => {
  const lacking = async () => {
    const lacks: string[] = [];
    for (const [route, [address, ...texts]] of shown) {
      const html = markupOf(await (await exports.default.fetch(`http://muster.test${address}`)).text());
      lacks.push(...texts.filter((text) => !html.includes(text)).map((text) => `${route}: ${text}`));
    }
    return lacks;
  };
  // A busy machine may be late with some data at first.
  await eventually(async () => expect(await lacking()).toEqual([]));
});

it('no public page is missing here', async () => {
  const routes = (await (await env.ASSETS.fetch('http://muster.test/pages.json')).json()) as string[];
  const known = (route: string) =>
    shown.has(route.replace(/^\/cod-dashboards/, '/dashboards')) ||
    WITHOUT_ROWS.some((each) => route === each || route.startsWith(`${each}/`));
  expect(routes.filter((route) => !known(route))).toEqual([]);
});
