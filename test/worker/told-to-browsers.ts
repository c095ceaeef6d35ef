/**
 * What browsers and caches are told with each answer, path by path. The suite holds every answer to it
 * (hold-answers.ts): what is not named here is kept by nobody.
 */

/** Of every answer of the API. */
const ALWAYS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'cross-origin-resource-policy': 'same-site',
};
/** Files of people's names: a browser saves them, and shows none as a page. */
const SAVED = /^(text\/csv|application\/vnd\..+|application\/x-ndjson)$/;

const NOBODY = /^(private, )?no-store$/;
const PICTURE = 'public, max-age=31536000, immutable';
const PAGE = 'public, max-age=0, s-maxage=60, stale-while-revalidate=3600';

/** Paths whose good answers may be kept, with what their `cache-control` says to the letter. */
const KEPT: readonly (readonly [path: RegExp, control: string | RegExp])[] = [
  [
    /^\/v1\/(governor|alliance|kingdom)\/rankings(\/\w+)?(\/row)?$/,
    /^public, max-age=60(, s-maxage=\d+, stale-while-revalidate=86400)?$/,
  ],
  [/^\/v1\/\w+\/rankings\/\w+\/days$/, 'public, max-age=60, s-maxage=60'],
  [/^\/v1\/stats\/global$/, 'public, max-age=60, s-maxage=300, stale-while-revalidate=86400'],
  [/^\/v1\/dashboards(\/.+)?$/, 'public, max-age=5'],
  [/^\/v1\/cards\//, PICTURE],
  [/^\/v1\/(reports\/)?shared\/[^/]+\/card\.png$/, 'private, max-age=300'],
  [/^\/v1\/texts\//, 'public, max-age=300'],
  [/^\/v1\/openapi\.json$/, 'public, max-age=60'],
  [/^\/(robots\.txt|sitemap\.xml)$/, 'public, max-age=3600'],
  [/^\/(reports\/)?shared\//, 'no-store'],
];

const isSaid = (said: string, told: string | RegExp): boolean =>
  typeof told === 'string' ? said === told : told.test(said);

const typeOf = (response: Response): string => response.headers.get('content-type')?.split(';')[0] ?? '';

function keptBy(path: string, response: Response): string | RegExp | null {
  if (response.status >= 400) return NOBODY;
  const known = KEPT.find(([pattern]) => pattern.test(path))?.[1];
  if (known) return known;
  if (path.startsWith('/v1/')) return NOBODY;
  // Files of the build have headers of their own (web/public/_headers).
  return typeOf(response) === 'text/html' ? PAGE : null;
}

/** What only the pictures of links may do: be shown on other sites. */
const isShownElsewhere = (path: string, { status }: Response, name: string): boolean =>
  name === 'cross-origin-resource-policy' && path.endsWith('.png') && status < 400;

/** Where an answer's headers say something else than its path's should. */
export function wronglyTold(path: string, response: Response): string[] {
  if (response.status === 101) return [];
  const said = response.headers.get('cache-control') ?? '';
  const told = keptBy(path.replace(/(.)\/$/, '$1'), response);
  const flaws = told === null || isSaid(said, told) ? [] : [`is kept by '${said}', not '${told}'`];
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
