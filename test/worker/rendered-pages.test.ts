import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import type { eventPage } from '../../domain/events/answers.ts';
import { FAQ } from '../../domain/service/faq.ts';
import { type PageAnswer, readPageData } from '../../domain/service/page-data.ts';
import { COLUMNS } from '../../domain/service/welcome.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { renderPublicPage } from '../../worker/services/service/render-page.ts';
import { caller, db, send, signedInUser } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
import { fileOf, keep, SETTINGS as REPORT_SETTINGS } from './own-scans.ts';
import { governor, publishRows } from './scans.ts';

/** Public pages as the Worker sends them: their first screen is in the HTML. */

const DAY: Day = '2026-03-09';
const ROWS = 230;
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '" style="color:red',
  "' onmouseover='alert(1)",
  '\u202egnp.exe\u2066',
  '&lt;b&gt;',
];

/** Markup that a hostile name would have made. */
const INJECTED = /<img src=x|<script|onmouseover='|" style="color/;

beforeAll(async () => {
  const at = dayStart(DAY) + 5 * 3_600_000;
  const rows = Array.from({ length: ROWS }, (_, index) =>
    governor(index + 1, 9e7 - index * 1000, { name: HOSTILE[index] ?? `Governor ${index + 1}` }),
  );
  await publishRows('rok', 1001, at, rows);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
});

const SETTINGS = {
  ...env,
  CHAT_INVITE: 'https://chat.test/?a=1&b="2"',
  SUPPORT_EMAIL: 'help@muster.test',
  READY_PRODUCTS: 'rok-kingdom-scan',
};

/** Returns a page with all of its data, some of which may be late on a busy machine. */
async function pageOf(path: string, settings = SETTINGS): Promise<string> {
  let html = '';
  await expect
    .poll(
      async () => {
        html = await (await send(path, {}, settings)).text();
        return html;
      },
      { timeout: 20_000 },
    )
    .not.toMatch(/>Loading /);
  return html;
}

/** Returns what is shown without scripts. */
const shown = (html: string): string =>
  html
    .replace(/<head>[\s\S]*?<\/head>/, '')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll('<!-- -->', '');

const dataOf = (html: string): PageAnswer[] =>
  readPageData(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '');

describe('the HTML of a public page', () => {
  it.each([
    ['/leaderboard', '>230</span>'],
    ['/leaderboard/governor', 'Governor 8<'],
    ['/leaderboard/governor?page=3', 'Governor 101<'],
    ['/leaderboard/governor?page=9999', 'Governor 201<'],
    ['/leaderboard/governor?sort=deads', 'Governor 230<'],
    ['/leaderboard/governor?sort=deads&page=3', 'Governor 130<'],
    ['/leaderboard/governor?sort=deads&page=9999', 'Governor 30<'],
    ['/leaderboard/governor?sort=shoe_size', 'Governor 8<'],
    ['/leaderboard/governor?sort=shoe_size&page=9999', 'Governor 201<'],
    ['/leaderboard/kingdom?sort=total_deads', '>1001<'],
    ['/leaderboard/alliance?page=9999', '>A1<'],
    ['/leaderboard/governor?row=70602639&page=1', 'Governor 8<'],
    ['/leaderboard/alliance', '>A1<'],
    ['/leaderboard/kingdom', '>1001<'],
    ['/eula', 'Muster end user licence'],
  ])('of %s has its first rows', async (path, text) => {
    expect(shown(await pageOf(path))).toContain(text);
  });

  it('of the home page says what the product is, what it costs and where to go', async () => {
    const html = shown(await pageOf('/'));
    for (const text of Object.values(COLUMNS)) expect(html).toContain(text);
    for (const part of ['Kingdom 1001', 'href="/register"', '$0.50 per 100 governors', '> Not yet<'])
      expect(html).toContain(part);
    expect(html).toContain('href="https://chat.test/?a=1&amp;b=&quot;2&quot;"');
    const mailed = shown(await pageOf('/', { ...SETTINGS, CHAT_INVITE: '' }));
    expect(mailed).toContain('Ask for one at <a href="mailto:help@muster.test">');
  });

  it('of the FAQ answers every question, with the prices of today', async () => {
    const html = shown(await pageOf('/faq'));
    for (const { question } of FAQ.flatMap(({ entries }) => entries))
      expect(html).toContain(`>${question.replaceAll('&', '&amp;').replaceAll("'", '&#x27;')}</h3>`);
    expect(html).toContain('90-day history: $2.00 per 100 governors');
    expect(html).toContain('(not on sale yet)');
    expect(html).toContain('mailto:help@muster.test');
  });

  it('of an event names the leader and has the first rows of its table', async () => {
    const { admin, id } = await madeEvent();
    const names = HOSTILE.map((name, index) => fighter(index + 1, 701, 10, { 'Governor Name': name }));
    await load(admin, id, START, [...names, fighter(12, 703, 10)]);
    const later = [...names.map((row) => ({ ...row, 'T5 Kills': 5000 })), fighter(12, 703, 50, { Deads: 1 })];
    await load(admin, id, START + HOUR, later);
    const html = await pageOf(`/dashboards/${id}`);
    expect(shown(html)).toMatch(/<strong>Fire<\/strong> leads by/);
    expect(shown(html)).toContain('>8 governors<');
    expect(shown(html)).toContain('>Fighter 12<');
    expect(shown(html)).toContain(`href="/dashboards/${id}?tab=2"`);
    expect(shown(html)).not.toMatch(INJECTED);
    const [, page] = dataOf(html).find(([key]) => key[0] === 'event') ?? [];
    const room = async () => shown(await (await send(`/dashboards/${id}/kingdoms/701`, {}, SETTINGS)).text());
    await expect.poll(room, { timeout: 20_000 }).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(await room()).not.toMatch(INJECTED);
    const { top } = (page as z.infer<typeof eventPage>).board ?? { top: [] };
    const whole = await caller().call('GET', `/v1/dashboards/${id}/table`);
    expect(new Set(top.map(({ name }) => name))).toEqual(new Set(whole.data.name));
    // Deads that fell are unverified, in the first rows as in the whole table.
    expect(top.at(-1)).toMatchObject({
      name: 'Fighter 12',
      doubts: { deads: Object.keys(whole.data.doubts.deads)[0] },
    });
  });

  it('of a shared report has its first rows until its link ends, and is not cached', async () => {
    const user = await signedInUser(0);
    const [from] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1, t4: 100, name: 'Ash' }]));
    const [to] = await keep(user, '2026-01-19.csv', fileOf([{ id: 1, t4: 150, name: 'Ash' }]));
    const ranges = [{ from: [from], to: [to] }];
    const payload = { name: 'Pass 4', ranges, settings: REPORT_SETTINGS };
    const { data: report } = await user.call('POST', '/v1/reports', payload);
    const { data: link } = await user.call('POST', `/v1/reports/${report.report_id}/links`, { days: 1 });
    const html = await pageOf(link.path);
    expect(shown(html)).toContain('<h1>Pass 4</h1>');
    expect(shown(html)).toContain('>Ash<');
    expect((await send(link.path, {}, SETTINGS)).headers.get('cache-control')).toBe('no-store');
    await user.call('DELETE', `/v1/reports/${report.report_id}/links/${link.link_id}`);
    const ended = await send(link.path, {}, SETTINGS);
    expect(ended.status).toBe(404);
    expect(await ended.text()).not.toContain('Ash');
  });

  it('names the scripts of its own build, also if an older one was cached', async () => {
    const build = (name: string) => ({
      fetch: async (request: Request | string) => {
        if (new URL(typeof request === 'string' ? request : request.url).pathname !== '/')
          return env.ASSETS.fetch(request);
        const page = `<!doctype html><head><script type="module" src="/assets/${name}.js"></script></head><div id="root">`;
        return new Response(page, { headers: { 'content-type': 'text/html', etag: `"${name}"` } });
      },
    });
    for (const name of ['old', 'new', 'old']) {
      const html = await (await send('/imprint', {}, { ...SETTINGS, ASSETS: build(name) as typeof env.ASSETS })).text();
      expect(html.match(/\/assets\/(old|new)\.js/g)).toEqual([`/assets/${name}.js`]);
      expect(shown(html)).toContain('<h1>');
    }
  });

  it('says that content loaded by the browser needs JavaScript', async () => {
    const html = await (await send('/leaderboard/governor?q=moss', {}, SETTINGS)).text();
    expect(shown(html)).toContain('<noscript>JavaScript is needed to load the board.</noscript>');
  });

  it('reveals nothing about the visitor and has no inline styles or scripts', async () => {
    for (const path of ['/', '/leaderboard/governor', '/faq']) {
      const html = await pageOf(path);
      expect(shown(html)).not.toMatch(/ style="|<style/);
      expect(html).not.toMatch(/<script(?! type="application\/json"| type="module"| src=)/);
      expect(html).not.toContain('<noscript');
    }
  });

  it('shows hostile names as text, in markup and data', async () => {
    const html = await pageOf('/leaderboard/governor');
    expect(shown(html)).not.toMatch(INJECTED);
    const [, board] = dataOf(html).find(([key]) => key[0] === 'board') ?? [];
    const { rankings } = board as { rankings: { name: string }[] };
    expect(rankings.slice(0, HOSTILE.length).map(({ name }) => name)).toEqual(HOSTILE);
    expect(html.match(/<script/g)?.length).toBe(html.match(/<\/script>/g)?.length);
  });

  it.each([
    '/leaderboard/governor/1',
    '/leaderboard/kingdom/1001',
    '/leaderboard/alliance/1001/A1',
    '/leaderboard/governor?sort=name&ascending=true',
  ])('of %s shows hostile names as text', async (path) => {
    const html = await pageOf(path);
    expect(shown(html)).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(shown(html)).not.toMatch(INJECTED);
    expect(html.match(/<script/g)?.length).toBe(html.match(/<\/script>/g)?.length);
  });

  it('says a searched board waits for all rows instead of showing some that do not match', async () => {
    const html = await (await send('/leaderboard/governor?q=moss', {}, SETTINGS)).text();
    expect(shown(html)).toContain('Loading the board');
    expect(shown(html)).not.toContain('Governor 8<');
  });
});

describe('pages that are rendered at the same time', () => {
  const of = (name: string, profiles: boolean) => ({
    support: `help@${name}.test`,
    chat: `https://chat.${name}.test/`,
    api: `https://api.${name}.test`,
    profiles,
  });

  it('mix neither settings nor data', async () => {
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
    const asking = new Set<string>();
    /** Answers once both pages have asked, so that they are rendered in turns. */
    const ask = (name: string) => async (path: string) => {
      asking.add(name);
      if (asking.size === 2) resolve();
      await bothAsked;
      if (!path.includes('rankings')) return Response.json({ success: 0, msg: 'Not here.' }, { status: 404 });
      const row = { ...governor(1, 5e6, { name: `Governor of ${name}` }), kingdom_id: 1001, rank: 1 };
      const data = { rankings: [row], info: { total: 1, day: DAY, games: ['rok'], page: 0, count: 1 } };
      return Response.json({ success: 1, data });
    };
    const page = (name: string, href: string) =>
      renderPublicPage({ href, settings: of(name, name === 'fire'), ask: ask(name) });
    for (const href of ['/leaderboard/governor', '/', '/faq']) {
      asking.clear();
      const [fire, wind] = await Promise.all([page('fire', href), page('wind', href)]);
      const [inFire, inWind] = [fire, wind].map((each) => `${each?.html} ${each?.data}`);
      expect(inFire).toContain('fire');
      expect(inWind).toContain('wind');
      expect([inFire?.includes('wind'), inWind?.includes('fire')]).toEqual([false, false]);
      if (href !== '/leaderboard/governor') continue;
      expect(shown(fire?.html ?? '')).toContain('Governor of fire<');
      expect([fire, wind].map((each) => each?.html.includes('/leaderboard/governor/1"'))).toEqual([true, false]);
    }
  });
});

describe('a page whose data', () => {
  const settings = { support: '', chat: '', api: '', profiles: true };
  const href = '/leaderboard/kingdom';

  it('is late or refused is sent with its heading and skeletons', async () => {
    const answers = [
      () => new Promise<Response>(() => undefined),
      async () => Response.json({ success: 0, msg: 'Broken.' }, { status: 500 }),
      () => Promise.reject(new TypeError('no network')),
    ];
    for (const ask of answers) {
      const page = await renderPublicPage({ href, settings, ask });
      expect(page).toMatchObject({ whole: false });
      expect(page?.html).toContain('<h1>Kingdom leaderboard</h1>');
      expect(shown(page?.html ?? '')).toContain('Loading the board');
      expect(page?.data).toBe('[]');
    }
  });

  it('cannot be drawn is left to the browser, and logged once', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const ask = async () => Response.json({ success: 1, data: { rankings: [null], info: { total: 1, day: DAY } } });
    for (let times = 0; times < 2; times++) expect(await renderPublicPage({ href, settings, ask })).toBeNull();
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});
