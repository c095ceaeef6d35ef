import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { FAQ } from '../../domain/service/faq.ts';
import { COLUMNS } from '../../domain/service/welcome.ts';
import { faqHtml, homeHtml } from '../../worker/files/early-page.ts';
import { pagePolicy } from '../../worker/page-settings.ts';
import { send } from './client.ts';
import { madeEvent } from './events/war.ts';

const SETTINGS = { ...env, CHAT_INVITE: 'https://chat.test/?a=1&b="2"', SUPPORT_EMAIL: 'help@muster.test' };

const get = (path: string) => send(path, {}, SETTINGS);

describe('what search engines ask for', () => {
  it('keeps them from signed-in screens and calls, and names the map', async () => {
    const robots = await get('/robots.txt');
    expect(robots.headers.get('content-type')).toContain('text/plain');
    expect((await robots.text()).split('\n')).toEqual([
      'User-agent: *',
      'Disallow: /v1/',
      'Disallow: /account',
      'Disallow: /admin',
      'Disallow: /dashboard$',
      'Disallow: /order',
      'Disallow: /payment',
      'Disallow: /scans',
      'Disallow: /compare',
      'Disallow: /logout',
      'Sitemap: http://muster.test/sitemap.xml',
      '',
    ]);
  });

  it('lists the public pages by their one address', async () => {
    const map = await get('/sitemap.xml');
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const listed = [...(await map.text()).matchAll(/<url><loc>http:\/\/muster\.test([^<]+)<\/loc><\/url>/g)];
    expect(listed.map(([, path]) => path).sort()).toEqual([
      '/',
      '/api-docs',
      '/eula',
      '/faq',
      '/imprint',
      '/leaderboard',
      '/leaderboard/alliance',
      '/leaderboard/alliance?game=cod',
      '/leaderboard/governor',
      '/leaderboard/governor?game=cod',
      '/leaderboard/kingdom',
      '/leaderboard/kingdom?game=cod',
      '/login',
      '/maps',
      '/privacy',
      '/register',
    ]);
  });

  it('names one address for a board, however it is sorted and searched', async () => {
    const html = await (await get('/leaderboard/governor/?game=cod&sort=power&q=x&page=3')).text();
    expect(html).toContain('<link rel="canonical" href="http://muster.test/leaderboard/governor?game=cod">');
    expect(await (await get('/?from=mail')).text()).toContain('<link rel="canonical" href="http://muster.test/">');
  });
});

describe('pages without a script', () => {
  it('say who this is for and where to go', () => {
    const html = homeHtml(SETTINGS);
    expect(html).toContain('<h1>Welcome to Muster!</h1>');
    expect(html).toContain('href="/register"');
    expect(html).toContain(
      'href="https://chat.test/?a=1&#38;b=&#34;2&#34;"'.replaceAll('&#38;', '&amp;').replaceAll('&#34;', '&quot;'),
    );
  });

  it('say on the home page what the product is and what it costs', () => {
    const html = homeHtml({ ...SETTINGS, READY_PRODUCTS: 'rok-kingdom-scan' });
    for (const [title, text] of Object.entries(COLUMNS)) expect(html).toContain(`<h2>${title}</h2><p>${text}</p>`);
    expect(html).toContain(
      '<p>Kingdom scan: $0.50 per 100 governors, rounded up to the next hundred, for each kingdom.</p>',
    );
    expect(html).toMatch(/<p>Server scan: [^<]+ \(not on sale yet\)\.<\/p>/);
  });

  it('say where to ask for an access code: in the chat, or where there is none by mail', () => {
    expect(homeHtml(SETTINGS)).toContain('Ask for one in the <a href="https://chat.test/');
    expect(homeHtml({ ...SETTINGS, CHAT_INVITE: '' })).toContain(
      'Ask for one at <a href="mailto:help@muster.test">help@muster.test</a>.',
    );
  });

  it('answer every question, and say of each product whether it is on sale', () => {
    const html = faqHtml({ ...SETTINGS, READY_PRODUCTS: 'rok-kingdom-scan' });
    for (const { question } of FAQ.flatMap(({ entries }) => entries))
      expect(html).toContain(`<h3>${question.replaceAll('&', '&amp;')}</h3>`);
    expect(html).toContain(
      'Kingdom scan: $0.50 per 100 governors, rounded up to the next hundred, for each kingdom. Server scan',
    );
    expect(html).toContain(
      '90-day history: $2.00 per 100 governors, rounded up to the next hundred, for each kingdom (not on sale yet).',
    );
    expect(html).toContain('mailto:help@muster.test');
  });
});

describe('framing', () => {
  it('is for the embedded view of an event alone', async () => {
    const { id } = await madeEvent();
    const framed = await get(`/dashboards/${id}?embed=true`);
    expect(framed.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect(framed.headers.get('x-frame-options')).toBeNull();
    const unknown = [`/dashboards/${id + 1}?embed=true`, '/dashboards/x?embed=true', '/cod-dashboards/0?embed'];
    for (const path of [`/dashboards/${id}`, ...unknown, '/?embed=true', '/login?embed=true']) {
      const page = await get(path);
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(page.headers.get('x-frame-options')).toBe('DENY');
    }
    expect(pagePolicy(SETTINGS)).toContain("frame-ancestors 'none'");
  });
});
