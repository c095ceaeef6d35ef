/**
 * Headers for browsers and caches of every answer, by path. The suite checks every answer (hold-answers.ts); answers
 * that are not listed here must not be stored.
 */

/** Headers of every answer of the API. */
const ALWAYS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cross-origin-resource-policy': 'same-site',
};
/** Users' files: browsers save them and never show them as pages. */
const SAVED = /^(text\/csv|application\/vnd\..+|application\/x-ndjson)$/;

/**
 * Cache headers for browsers and Workers Cache. The latter sends a stored answer to everybody, regardless of cookies.
 */
interface Told {
  browser: string | RegExp;
  edge: string | RegExp | null;
}

const NOBODY: Told = { browser: /^(private, )?no-store$/, edge: null };
const PAGE: Told = { browser: 'public, max-age=0', edge: /^max-age=(60|10|0), stale-while-revalidate=(60|10|0)$/ };
const BOARD: Told = { browser: 'public, max-age=60', edge: /^max-age=\d+, stale-while-revalidate=86400$/ };
const TEN_MINUTES: Told['edge'] = /^max-age=(600|0), stale-while-revalidate=(600|0)$/;
const HOUR: Told['edge'] = 'max-age=3600, stale-while-revalidate=3600';

const FILE: Told = { browser: 'public, max-age=3600', edge: 'max-age=3600, stale-while-revalidate=0' };

/** Paths whose successful answers may be stored, with their exact cache headers. */
const KEPT: readonly (readonly [path: RegExp, told: Told])[] = [
  [/^\/v1\/(governor|alliance|kingdom)\/rankings(\/\w+)?(\/(row|days))?$/, BOARD],
  [/^\/v1\/stats\/global$/, BOARD],
  [/^\/v1\/dashboards(\/.+)?$/, { browser: 'public, max-age=5', edge: 'max-age=5, stale-while-revalidate=10' }],
  [/^\/v1\/leaderboard\/search$/, { browser: 'public, max-age=60', edge: 'max-age=60, stale-while-revalidate=60' }],
  [/^\/v1\/leaderboard\/(governor|kingdom|alliance)\//, { browser: 'public, max-age=60', edge: TEN_MINUTES }],
  [/^\/leaderboard\/(governor|kingdom|alliance)\//, { browser: 'public, max-age=0', edge: TEN_MINUTES }],
  [/^\/v1\/cards\//, { browser: 'public, max-age=86400', edge: 'max-age=2592000, stale-while-revalidate=0' }],
  [/^\/v1\/(reports\/)?shared\/[^/]+\/card\.png$/, { browser: 'private, max-age=300', edge: null }],
  [/^\/v1\/texts\//, { browser: 'public, max-age=300', edge: HOUR }],
  [/^\/v1\/(products\/list|eula)$/, { browser: 'public, max-age=0', edge: /^max-age=\d+, stale-while-revalidate=0$/ }],
  [/^\/v1\/openapi\.json$/, { browser: 'public, max-age=60', edge: HOUR }],
  [/^\/(robots\.txt|sitemap.*\.xml|\.well-known\/security\.txt)$/, FILE],
  [/^\/(favicon\.ico|\.well-known\/change-password)$/, { browser: 'public, max-age=3600', edge: null }],
  [/^\/((reports\/)?shared|s)\//, NOBODY],
];

const isSaid = (said: string | null, told: string | RegExp | null): boolean =>
  told instanceof RegExp ? told.test(said ?? '') : said === told;

const typeOf = (response: Response): string => response.headers.get('content-type')?.split(';')[0] ?? '';

function keptBy(path: string, response: Response): Told | null {
  if (response.status >= 400) return NOBODY;
  const known = KEPT.find(([pattern]) => pattern.test(path))?.[1];
  if (known) return known;
  if (path.startsWith('/v1/')) return NOBODY;
  // Files of the build have headers of their own (web/public/_headers).
  return typeOf(response) === 'text/html' ? PAGE : null;
}

/** Only the pictures of links may be shown on other sites. */
const isShownElsewhere = (path: string, { status }: Response, name: string): boolean =>
  name === 'cross-origin-resource-policy' && path.endsWith('.png') && status < 400;

/** Returns how an answer's headers differ from its path's. */
export function wronglyTold(path: string, response: Response): string[] {
  if (response.status === 101) return [];
  const [said, edge] = ['cache-control', 'cloudflare-cdn-cache-control'].map((name) => response.headers.get(name));
  const told = keptBy(path.replace(/(.)\/$/, '$1'), response);
  const flaws: string[] = [];
  if (told && !(isSaid(said ?? null, told.browser) && isSaid(edge ?? null, told.edge)))
    flaws.push(`is kept by '${said}' and '${edge}', not '${told.browser}' and '${told.edge}'`);
  // Workers Cache stores an answer without cache headers for two hours.
  if (said === null) flaws.push('says nothing of caching');
  if (/public/.test(said ?? '') && response.headers.has('set-cookie')) flaws.push('is public and sets a cookie');
  if (!path.startsWith('/v1/')) return flaws;
  const wrong = Object.entries(ALWAYS).filter(
    ([name, value]) => response.headers.get(name) !== (isShownElsewhere(path, response, name) ? 'cross-origin' : value),
  );
  flaws.push(...wrong.map(([name]) => `says ${name}: ${response.headers.get(name)}`));
  const saved = response.headers.get('content-disposition') ?? '';
  const isFile = SAVED.test(typeOf(response)) || (path === '/v1/account/export' && response.ok);
  if (isFile && !/^attachment; filename="[^"]+\.\w+"/.test(saved)) flaws.push(`is saved as ${saved}`);
  return flaws;
}
