import { Hono } from 'hono';
import { BOARD_KINDS } from '../../domain/boards/leaderboard.ts';
import { DAY_MS } from '../../domain/days.ts';
import { GAME_IDS, inGame } from '../../domain/games/game-names.ts';
import { hasProfiles } from '../configuration/page-settings.ts';
import type { Env } from '../env.ts';
import { NOTHING_HERE, Refusal } from '../errors.ts';
import { escaped } from '../files/plain-text.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { keptFor } from '../http/kept.ts';
import { HEADERS } from '../middleware/headers.ts';
import { profilePaths } from '../services/boards/show-profile.ts';
import { alternates } from './page-head.ts';

/** Files for search engines: allowed paths and existing pages. */

/** Pictures of links. X shows none that it may not fetch. They come first, because some crawlers obey the first match. */
const OPEN = ['/v1/cards/', '/v1/*/card.png'];

/** Signed-in screens and API calls, which search engines should skip. */
const CLOSED = ['/v1/', '/account', '/admin', '/dashboard$', '/order', '/payment', '/scans', '/compare', '/logout'];

/** Public pages that always exist. */
const PAGES = [
  '/',
  '/faq',
  '/leaderboard',
  '/maps',
  '/api-docs',
  '/recipes',
  '/eula',
  '/privacy',
  '/removal',
  '/imprint',
  '/register',
  '/login',
];

const boards = (): string[] =>
  BOARD_KINDS.flatMap((kind) => GAME_IDS.map((game) => inGame(`/leaderboard/${kind}`, game)));

/** Sitemaps of public profiles. */
const PROFILE_MAPS = BOARD_KINDS.flatMap((kind) =>
  GAME_IDS.map((game) => ({ name: `/sitemap-${game}-${kind}.xml`, game, kind })),
);

/** Returns a sitemap (sitemaps.org). */
const sitemap = (
  root: 'urlset' | 'sitemapindex',
  namespaces: string,
  entries: readonly string[],
  tags: readonly string[] = [],
): Response =>
  new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>\n${entries.map((entry) => `${entry}\n`).join('')}</${root}>\n`,
    { headers: kept('application/xml', tags) },
  );

const XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"';

const entryOf = (entry: 'url' | 'sitemap', address: string, others = ''): string =>
  `<${entry}><loc>${escaped(address)}</loc>${others}</${entry}>`;

/** Returns links to a page's address in every language, as its head has them. */
const linksOf = (site: string, path: string): string =>
  alternates(site, path)
    .map(({ language, address }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escaped(address)}"/>`)
    .join('');

const kept = (type: string, tags: readonly string[] = []) => ({
  ...HEADERS,
  'content-type': `${type}; charset=utf-8`,
  ...keptFor({ browser: 3600, edge: 3600, stale: 0, tags }),
});

const redirected = (location: string, status: 301 | 302) =>
  new Response(null, { status, headers: { location, 'cache-control': 'public, max-age=3600' } });

export const crawlers = new Hono<{ Bindings: Env }>()
  .get('/robots.txt', async ({ env }) => {
    const lines = [
      'User-agent: *',
      ...OPEN.map((path) => `Allow: ${path}`),
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
    const profiles = hasProfiles(env) ? PROFILE_MAPS.map(({ name }) => name) : [];
    return sitemap(
      'sitemapindex',
      '',
      ['/sitemap-pages.xml', ...profiles].map((path) => entryOf('sitemap', env.SITE_ORIGIN + path)),
    );
  })
  .get('/sitemap-pages.xml', async ({ env }) =>
    sitemap(
      'urlset',
      XHTML,
      [...PAGES, ...boards()].map((path) => entryOf('url', env.SITE_ORIGIN + path, linksOf(env.SITE_ORIGIN, path))),
    ),
  )
  .get('/:name{sitemap-[a-z]+-[a-z]+\\.xml}', async ({ env, req }) => {
    const map = PROFILE_MAPS.find(({ name }) => name === req.path);
    if (!map || !hasProfiles(env)) throw new Refusal('not_found', NOTHING_HERE);
    const paths = await profilePaths(env.STORE, map.game, map.kind);
    // Without other languages, which would make it larger than a sitemap may be. The pages' heads have them.
    return sitemap(
      'urlset',
      '',
      paths.map((path) => entryOf('url', env.SITE_ORIGIN + path)),
      // It lists the governors who are shown.
      [BOARDS_TAG],
    );
  });
