import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { FAQ } from '../../domain/service/faq.ts';
import type { PageAnswer } from '../../domain/service/rendered-page.ts';
import { COLUMNS } from '../../domain/service/welcome.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { renderPublicPage } from '../../worker/services/service/render-page.ts';
import { db, send } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
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

/** Returns a page with all of its data: a busy machine may be late with some at first. */
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
  JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '');

describe('the HTML of a public page', () => {
  it.each([
    ['/leaderboard', '>230</span>'],
    ['/leaderboard/governor', 'Governor 8<'],
    ['/leaderboard/governor?page=3', 'Governor 101<'],
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

  it('of an event says who leads', async () => {
    const { admin, id } = await madeEvent();
    await load(admin, id, START, [fighter(1, 701, 10), fighter(2, 703, 10)]);
    await load(admin, id, START + HOUR, [fighter(1, 701, 5000), fighter(2, 703, 50)]);
    const page = async () => shown(await (await send(`/dashboards/${id}`, {}, SETTINGS)).text());
    await expect.poll(page, { timeout: 20_000 }).toMatch(/<strong>Fire<\/strong> leads by/);
  });

  it('tells nothing about its visitor and has no inline styles or scripts', async () => {
    for (const path of ['/', '/leaderboard/governor', '/faq']) {
      const html = await pageOf(path);
      expect(shown(html)).not.toMatch(/ style="|<style/);
      expect(html).not.toMatch(/<script(?! type="application\/json"| type="module"| src=)/);
      expect(html).not.toContain('<noscript');
    }
  });

  it('shows hostile names as text, in markup and data', async () => {
    const html = await pageOf('/leaderboard/governor');
    expect(shown(html)).not.toMatch(/<img src=x|<script|onmouseover='|" style="color/);
    const [, board] = dataOf(html).find(([key]) => key[0] === 'board') ?? [];
    const { rankings } = board as { rankings: { name: string }[] };
    expect(rankings.slice(0, HOSTILE.length).map(({ name }) => name)).toEqual(HOSTILE);
    expect(html.match(/<script/g)?.length).toBe(html.match(/<\/script>/g)?.length);
  });

  it('says a sorted board waits for all rows instead of showing some in a wrong order', async () => {
    const html = await (await send('/leaderboard/governor?sort=deads', {}, SETTINGS)).text();
    expect(shown(html)).toContain('Loading the board');
    expect(shown(html)).not.toContain('Governor 8<');
  });
});

describe('a page whose data', () => {
  const settings = { support: '', chat: '', api: '' };
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
