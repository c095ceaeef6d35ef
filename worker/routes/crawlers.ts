import { Hono } from 'hono';
import { BOARD_KINDS } from '../../domain/boards/leaderboard.ts';
import { DAY_MS } from '../../domain/days.ts';
import { GAME_IDS, inGame } from '../../domain/games/game-names.ts';
import type { Env } from '../env.ts';
import { escaped } from '../files/plain-text.ts';
import { HEADERS } from '../middleware/headers.ts';

/** Files for search engines: allowed paths and existing pages. */

/** Signed-in screens and API calls, which search engines should skip. */
const CLOSED = ['/v1/', '/account', '/admin', '/dashboard$', '/order', '/payment', '/scans', '/compare', '/logout'];

/** Public pages that always exist. */
const PAGES = [
  '/',
  '/faq',
  '/leaderboard',
  '/maps',
  '/api-docs',
  '/eula',
  '/privacy',
  '/removal',
  '/imprint',
  '/register',
  '/login',
];

const boards = (): string[] =>
  BOARD_KINDS.flatMap((kind) => GAME_IDS.map((game) => inGame(`/leaderboard/${kind}`, game)));

const kept = (type: string) => ({
  ...HEADERS,
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'public, max-age=3600',
});

const redirected = (location: string, status: 301 | 302) =>
  new Response(null, { status, headers: { location, 'cache-control': 'public, max-age=3600' } });

export const crawlers = new Hono<{ Bindings: Env }>()
  .get('/robots.txt', async ({ env }) => {
    const lines = [
      'User-agent: *',
      ...CLOSED.map((path) => `Disallow: ${path}`),
      `Sitemap: ${env.SITE_ORIGIN}/sitemap.xml`,
    ];
    return new Response(`${lines.join('\n')}\n`, { headers: kept('text/plain') });
  })
  .get('/.well-known/security.txt', async ({ env }) => {
    // RFC 9116 requires an expiry date; it is computed for each request.
    const expires = new Date(Date.now() + 180 * DAY_MS).toISOString();
    const lines = [
      `Contact: mailto:${env.SUPPORT_EMAIL}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${env.SITE_ORIGIN}/.well-known/security.txt`,
    ];
    return new Response(`${lines.join('\n')}\n`, { headers: kept('text/plain') });
  })
  .get('/.well-known/change-password', async () => redirected('/account', 302))
  .get('/favicon.ico', async () => redirected('/icon-192.png', 301))
  .get('/sitemap.xml', async ({ env }) => {
    const urls = [...PAGES, ...boards()].map((path) => `<url><loc>${escaped(env.SITE_ORIGIN + path)}</loc></url>`);
    const map = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
    return new Response(map, { headers: kept('application/xml') });
  });
