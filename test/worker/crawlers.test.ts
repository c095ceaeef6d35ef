import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../domain/language/locales.ts';
import { pagePolicy } from '../../worker/configuration/page-settings.ts';
import { send } from './client.ts';
import { madeEvent } from './events/war.ts';

const SETTINGS = { ...env, CHAT_INVITE: 'https://chat.test/?a=1&b="2"', SUPPORT_EMAIL: 'help@muster.test' };

const get = (path: string) => send(path, {}, SETTINGS);

describe('search engines', () => {
  it('robots.txt excludes signed-in screens and calls except pictures of links, and names the sitemap', async () => {
    const robots = await get('/robots.txt');
    expect(robots.headers.get('content-type')).toContain('text/plain');
    expect((await robots.text()).split('\n')).toEqual([
      'User-agent: *',
      'Allow: /v1/cards/',
      'Allow: /v1/*/card.png',
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

  it('the sitemap names the sitemaps of pages and of profiles', async () => {
    const index = await get('/sitemap.xml');
    expect(index.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const maps = [...(await index.text()).matchAll(/<sitemap><loc>http:\/\/muster\.test([^<]+)<\/loc><\/sitemap>/g)];
    expect(maps).toHaveLength(7);
    for (const [, path = ''] of maps) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await get('/sitemap-rok-x.xml')).status).toBe(404);
    const without = { ...SETTINGS, PUBLIC_PROFILES: '' } as unknown as typeof SETTINGS;
    expect((await send('/sitemap-rok-governor.xml', {}, without)).status).toBe(404);
    expect(await (await send('/sitemap.xml', {}, without)).text()).not.toContain('governor');
  });

  it('the sitemap of pages lists each public page once', async () => {
    const map = await get('/sitemap-pages.xml');
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const listed = [...(await map.text()).matchAll(/<url><loc>http:\/\/muster\.test([^<]+)<\/loc>/g)];
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
      '/recipes',
      '/register',
      '/removal',
    ]);
  });

  it('the sitemap of pages names the address of each page in every language', async () => {
    const map = await (await get('/sitemap-pages.xml')).text();
    expect(map).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"');
    const [, entry = ''] =
      /<loc>http:\/\/muster\.test\/leaderboard\/kingdom\?game=cod<\/loc>(.*)<\/url>/.exec(map) ?? [];
    const links = [...entry.matchAll(/<xhtml:link rel="alternate" hreflang="([\w-]+)" href="([^"]+)"\/>/g)];
    expect(links.map(([, language]) => language)).toEqual([...LOCALES, 'x-default']);
    expect(Object.fromEntries(links.map(([, language, address]) => [language, address]))).toMatchObject({
      en: 'http://muster.test/leaderboard/kingdom?game=cod',
      ko: 'http://muster.test/ko/leaderboard/kingdom?game=cod',
      'x-default': 'http://muster.test/leaderboard/kingdom?game=cod',
    });
    expect(await (await get('/sitemap-rok-governor.xml')).text()).not.toContain('xhtml');
  });

  it('a board has one canonical address for any sorting and search', async () => {
    const html = await (await get('/leaderboard/governor/?game=cod&sort=power&q=x&page=3')).text();
    expect(html).toContain('<link rel="canonical" href="http://muster.test/leaderboard/governor?game=cod">');
    expect(await (await get('/?from=mail')).text()).toContain('<link rel="canonical" href="http://muster.test/">');
  });
});

describe('framing', () => {
  it('is allowed only for the embedded view of an event', async () => {
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
