import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyManifest } from '../../domain/boards/leaderboard.ts';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { boardHead } from '../../worker/routes/pages.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, send } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** The head of a page, as browsers, search engines and chats read it before its script runs. */

const DAY: Day = '2026-03-09';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e\u0007';

beforeAll(async () => {
  const at = dayStart(DAY) + 5 * 3_600_000;
  await publishRows('rok', 1001, at, [
    governor(1, 9e7),
    governor(3, 7e7, { name: HOSTILE }),
    governor(4, 6e7, { name: 'x'.repeat(61) }),
    governor(5, 5e7, { name: `${'x'.repeat(59)} yes` }),
  ]);
  await publishRows('rok', 1002, at + 1, [governor(6, 3e7)]);
  await publishRows('cod', 1001, at, [{ lord_id: 1, name: 'Lord of one', power: 5e6, merits: 700 }]);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
});

describe('the head of a page', () => {
  const page = async (path: string) => (await caller().fetch(path)).text();

  it('names the board and its day', async () => {
    const html = await page('/leaderboard/governor?game=rok&type=killpoints');
    expect(html).toContain('<title>Governor leaderboard by killpoints · Rise of Kingdoms · Muster</title>');
    expect(html).toContain('<h1>Governor leaderboard</h1>');
    expect(html).toMatch(
      /<meta property="og:description" content="\d+ governors of Rise of Kingdoms, ranked by killpoints as of /,
    );
  });

  it('preloads what the screen shows first, and the account on a user’s page', async () => {
    const asked = async (path: string) =>
      [...(await page(path)).matchAll(/<link rel="preload" as="fetch" crossorigin="([^"]+)" href="([^"]+)">/g)].map(
        ([, how, href]) => `${how} ${href}`,
      );
    // Rendered pages carry their data.
    for (const path of ['/', '/leaderboard', '/leaderboard/governor']) expect(await asked(path)).toEqual([]);
    expect(await asked('/orders/new')).toEqual(['use-credentials /v1/account', 'anonymous /v1/products/list']);
    // Results of an item preload that item; orders and whole orders have combined results only.
    expect(await asked('/order/i0f')).toEqual(['use-credentials /v1/account', 'use-credentials /v1/order/item/i0f']);
    for (const other of ['/order/17', '/order/i0f?all=true', '/order/i0f/more'])
      expect(await asked(other)).not.toContain('use-credentials /v1/order/item/i0f');
    expect(await asked('/admin/bots')).toEqual(['use-credentials /v1/account']);
    expect(await asked('/login')).toEqual([]);
    expect(await asked('/no/such/page')).toEqual([]);
  });

  it('preloads from where the script calls the API', async () => {
    const answer = await send('/orders/new', {}, { ...env, API_BASE: 'https://api.test' }, 'http://muster.test');
    expect(headOf(await answer.text()).preloads).toEqual([
      'use-credentials https://api.test/v1/account',
      'anonymous https://api.test/v1/products/list',
    ]);
  });

  it('shows hostile names as text', async () => {
    const html = await page('/players/3');
    expect(html).toContain('property="og:title" content="&lt;img src=x onerror=alert(1)&gt; · Muster"');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('\u202e');
  });

  const SITE_CARD = /^\/v1\/cards\/muster-\d+\.png$/;
  const cardOf = (board: string) => new RegExp(`^/v1/cards/${board}/2026-03-09/[0-9a-f]{16}-\\d+\\.png$`);
  const HOME = 'Muster · Scans and statistics of Rise of Kingdoms and Call of Dragons';
  const OWN = 'use-credentials /v1/account';

  // Address, canonical address, title, description, picture, preloads, heading.
  it.each<[string, string, string, string | RegExp, RegExp, string[], string]>([
    ['/?from=mail', '/', HOME, /^Order a scan of any kingdom/, cardOf('rok/kingdom-power'), [], 'Welcome to Muster!'],
    [
      '/faq',
      '/faq',
      'Frequently asked questions · Muster',
      /^How scans work/,
      SITE_CARD,
      [],
      'Frequently asked questions',
    ],
    ['/imprint', '/imprint', 'Imprint · Muster', /^Who runs this/, SITE_CARD, [], 'Imprint'],
    ['/privacy', '/privacy', 'Privacy · Muster', /^Which personal data/, SITE_CARD, [], 'Privacy'],
    [
      '/leaderboard/?game=cod',
      '/leaderboard',
      'Leaderboards · Muster',
      /^The strongest kingdoms/,
      cardOf('rok/kingdom-power'),
      [],
      'Leaderboards',
    ],
    [
      '/leaderboard/kingdom?sort=power',
      '/leaderboard/kingdom',
      'Kingdom leaderboard by power · Rise of Kingdoms · Muster',
      '2 kingdoms of Rise of Kingdoms, ranked by power as of 9 Mar 2026.',
      cardOf('rok/kingdom-power'),
      [],
      'Kingdom leaderboard',
    ],
    [
      '/leaderboard/kingdom?game=chess&type=pawns',
      '/leaderboard/kingdom',
      'Kingdom leaderboard by power · Rise of Kingdoms · Muster',
      '2 kingdoms of Rise of Kingdoms, ranked by power as of 9 Mar 2026.',
      cardOf('rok/kingdom-power'),
      [],
      'Kingdom leaderboard',
    ],
    [
      '/leaderboard/governor/?game=cod&type=merits&q=x',
      '/leaderboard/governor?game=cod&type=merits',
      'Lord leaderboard by merits · Call of Dragons · Muster',
      /^1 lord of Call of Dragons, ranked by merits as of 9 Mar 2026\.$/,
      cardOf('cod/governor-score'),
      [],
      'Lord leaderboard',
    ],
    [
      '/leaderboard/alliance?game=cod',
      '/leaderboard/alliance?game=cod',
      'Alliance leaderboard by power · Call of Dragons · Muster',
      '0 alliances of Call of Dragons, ranked by power as of 9 Mar 2026.',
      cardOf('cod/alliance-power'),
      [],
      'Alliance leaderboard',
    ],
    [
      '/players/1?game=cod&days=30',
      '/players/1?game=cod',
      'Lord of one · Muster',
      'Lord of one, lord 1 of server 1001 in Call of Dragons: power, merits and rank day by day.',
      SITE_CARD,
      [OWN],
      '',
    ],
    [
      '/players/1',
      '/players/1',
      'Governor 1 · Muster',
      'Governor 1, governor 1 of kingdom 1001 in Rise of Kingdoms: power, killpoints and rank day by day.',
      SITE_CARD,
      [OWN],
      '',
    ],
    ['/players/4', '/players/4', `${'x'.repeat(60)} · Muster`, /^x{60}, governor 4 of/, SITE_CARD, [OWN], ''],
    ['/players/5', '/players/5', `${'x'.repeat(59)} · Muster`, /^x{59}, governor 5 of/, SITE_CARD, [OWN], ''],
    [
      '/kingdoms/1001',
      '/kingdoms/1001',
      'Kingdom 1001 · Muster',
      'Kingdom 1001 of Rise of Kingdoms: power, alliances, migrations and the best players, day by day.',
      SITE_CARD,
      [OWN],
      '',
    ],
  ])(
    'of %s has a title, a description and a picture under one canonical address',
    async (path, address, title, description, picture, preloads, heading) => {
      const head = headOf(await page(path));
      const one = `http://muster.test${address}`;
      expect(head).toMatchObject({ title, canonical: one, preloads, heading });
      expect(head.description).toMatch(description);
      const image = head.told['og:image'] ?? '';
      expect(image.replace('http://muster.test', '')).toMatch(picture);
      expect(head.told).toEqual({
        'og:site_name': 'Muster',
        'og:type': 'website',
        'og:title': title,
        'og:description': head.description,
        'og:url': one,
        'og:image': image,
        'og:image:type': 'image/png',
        'og:image:width': '1200',
        'og:image:height': '630',
        'og:image:alt': title,
        'twitter:card': 'summary_large_image',
        'twitter:image': image,
      });
    },
  );

  it.each([
    ['/leaderboard/nothing', 'Muster'],
    ['/players/77', 'Governor 77 · Muster'],
    ['/players/4?game=cod', 'Lord 4 · Muster'],
    ['/players/x', 'Muster'],
    ['/kingdoms/4000', 'Kingdom 4000 · Muster'],
    ['/kingdoms/1002?game=cod', 'Server 1002 · Muster'],
    ['/kingdoms/x', 'Muster'],
    ['/dashboards/x', 'Muster'],
    ['/dashboards/99999999', 'Muster'],
    ['/cod-dashboards/x', 'Muster'],
    ['/no/such/page', 'Muster'],
    ['/shared/made-up', 'Muster'],
    ['/reports/shared/made-up', 'Muster'],
    ['/s/made-up', 'Muster'],
    ['/s/00000', 'Muster'],
  ])('%s has a title, status 404 and no caching', async (path, title) => {
    const response = await caller().fetch(path);
    expect(headOf(await response.text()).title).toBe(title);
    expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('never takes an address from the request’s host', async () => {
    for (const path of ['/', '/faq', '/leaderboard/kingdom', '/players/1', '/v1/openapi.json', '/sitemap.xml']) {
      const response = await send(path, { headers: { host: 'evil.example' } }, env, 'https://evil.example');
      const text = await response.text();
      expect([path, response.status, text.includes('evil.example')]).toEqual([path, 200, false]);
    }
    const { told } = headOf(await (await send('/', {}, env, 'https://evil.example')).text());
    expect([told['og:image'], told['twitter:image']]).toEqual([
      expect.stringMatching(/^http:\/\/muster\.test\/v1\/cards\//),
      told['og:image'],
    ]);
  });

  it('shows the kingdoms’ picture on the home page and above all boards', async () => {
    const pictures = await Promise.all(
      ['/', '/leaderboard', '/leaderboard/kingdom'].map(async (path) => headOf(await page(path)).told['og:image']),
    );
    expect(new Set(pictures).size).toBe(1);
  });

  it('of a missing board has no picture and no day', () => {
    const head = boardHead(emptyManifest(), 'rok', 'governor', 'power', dayStart(DAY));
    expect(head).toMatchObject({ card: null, description: 'The governors of Rise of Kingdoms, ranked by power.' });
  });

  it('drops the ETag of the plain file', async () => {
    const plain = '<!doctype html><html><head><title>Plain</title></head><body></body></html>';
    const ASSETS = {
      fetch: async () => new Response(plain, { headers: { 'content-type': 'text/html', etag: '"plain"' } }),
    } as unknown as Fetcher;
    const response = await send('/faq', {}, { ...env, ASSETS });
    expect(response.headers.get('etag')).toBeNull();
    expect(await response.text()).toContain('<title>Frequently asked questions · Muster</title>');
  });

  it('is not added to files of the build', async () => {
    const response = await caller().fetch('/favicon.svg');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('is not added for a missing file, which gets a plain sentence', async () => {
    for (const path of ['/assets/old-1234.js', '/card-fonts/none.woff']) {
      const response = await caller().fetch(path);
      expect([response.status, await response.text()]).toEqual([404, 'There is no such file.']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

/** The head of a page as browsers, search engines and chats read it. */
interface PageHead {
  title: string;
  description: string;
  /** Everything in a `property`, and the names `robots` and `twitter:*`. */
  told: Record<string, string>;
  canonical: string;
  /** `how path` of the answers that the page preloads. */
  preloads: string[];
  /** The heading that shows until the script draws the page. */
  heading: string;
}

const MARKS: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' };
const read = (text = ''): string => text.replace(/&(quot|lt|gt|#39|amp);/g, (_, mark: string) => MARKS[mark] ?? '');

function headOf(html: string): PageHead {
  const one = (pattern: RegExp): string => read(pattern.exec(html)?.[1]);
  const told = [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+|robots)" content="([^"]*)">/g)];
  const asked = html.matchAll(/<link rel="preload" as="fetch" crossorigin="([^"]+)" href="([^"]+)">/g);
  return {
    title: one(/<title>([^<]*)</),
    description: one(/<meta\s+name="description"\s+content="([^"]*)"/),
    told: Object.fromEntries(told.map(([, name, content]) => [name, read(content)])),
    canonical: one(/<link rel="canonical" href="([^"]+)">/),
    preloads: [...asked].map(([, how, path]) => `${how} ${read(path)}`),
    heading: one(/<h1>([^<]*)</),
  };
}
