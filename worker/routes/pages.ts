import { type Context, Hono } from 'hono';
import {
  BOARD_KINDS,
  type BoardKind,
  type BoardManifest,
  boardId,
  boardTitle,
  isHidden,
  type Metric,
  metricNoun,
  metricShown,
  newestShown,
  served,
  typeOf,
} from '../../domain/boards/leaderboard.ts';
import { counted, date } from '../../domain/figures.ts';
import { GAMES, type GameId, isGameId } from '../../domain/games/games.ts';
import { governorTitle, kingdomTitle } from '../../domain/games/titles.ts';
import { locale } from '../../domain/language/current.ts';
import { respelledPath, splitPath } from '../../domain/language/locales.ts';
import { isPublicPath, partsOfPage } from '../../domain/language/public-paths.ts';
import { t } from '../../domain/language/text.ts';
import { itemIn } from '../../domain/orders/ids.ts';
import { PAGE_SETTINGS } from '../../domain/service/page-settings.ts';
import { analyticsTag, pagePolicy, pageSettings } from '../configuration/page-settings.ts';
import { openDb } from '../db/open.ts';
import { Refusal } from '../errors.ts';
import { escaped } from '../files/plain-text.ts';
import { currentManifest, manifestWith } from '../gateways/board-cache.ts';
import type { BoardSet } from '../gateways/board-store.ts';
import { builtPage, catalogueOf, isPage, needsOf } from '../gateways/built-web.ts';
import { readAhead } from '../gateways/dashboard-answers.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { keptFor } from '../http/kept.ts';
import { idOfCode } from '../http/short-links.ts';
import { countCaller } from '../middleware/address.ts';
import { HEADERS } from '../middleware/headers.ts';
import type { AppEnv } from '../middleware/session.ts';
import { type Report, reportBehind } from '../models/compare/reports.ts';
import { governorName } from '../models/kingdoms/governors.ts';
import { lastScanOf } from '../models/kingdoms/kingdoms.ts';
import { behindLink, reportPath } from '../services/compare/show-report.ts';
import { eventHeadOf } from '../services/events/find-event.ts';
import { metaOf } from '../services/events/public-event.ts';
import { countRows } from '../services/results/page-results.ts';
import { sharedTitle } from '../services/results/shared-card.ts';
import { behindShare, type Shared, sharePath, shownBy } from '../services/results/shared-link.ts';
import { headOfEvent } from './event-heads.ts';
import { type Drawn, drawnFor, writePage } from './page-content.ts';
import { type Head, onSite, type Preload, preloadTag, tagsOf, titled, writeHead, writeLanguage } from './page-head.ts';
import { homeHead, leaderboardsHead, PLAIN_PATHS, plainHead, UNVERSIONED } from './plain-heads.ts';
import { profiledAt, profileHead } from './profile-head.ts';

/**
 * Heads of public pages, written into the built page while it is sent: link previews and preloads. The page itself
 * stays one static file.
 */

/** The first call of scripts on pages for signed-in users. */
const WHO_ASKS: Preload = { path: '/v1/account', cookies: true };

/** Returns the preloads of some pages for signed-in users. */
function paintedFirst({ pathname, searchParams }: URL): readonly Preload[] {
  if (pathname === '/orders/new') return [{ path: '/v1/products/list' }];
  const [, id] = /^\/order\/(\w+)$/.exec(pathname) ?? [];
  const item = id && !searchParams.has('all') ? itemIn(id) : null;
  return item ? [{ path: `/v1/order/item/${item}`, cookies: true }] : [];
}

const isStyle = (file: string): boolean => file.endsWith('.css');
const styleTag = (file: string): string => `<link rel="stylesheet" crossorigin href="${escaped(file)}">`;
const scriptTag = (file: string): string => `<link rel="modulepreload" crossorigin href="${escaped(file)}">`;

/** True for an event's dashboard without header and footer, which alliances embed in their own sites. */
const isEmbedded = ({ pathname, searchParams }: URL): boolean =>
  /^\/(cod-)?dashboards\//.test(pathname) && searchParams.has('embed');

/** How long a page is kept, in s. Then Workers Cache sends it for as long again while it fetches a newer one. */
const PAGE_SECONDS = 60;
/** Returns how caches keep a page. Browsers ask each time. If it lacks data, so does Workers Cache. */
function cachingOf(head: Head | null, content: Drawn | null): Record<string, string> {
  const { seconds = PAGE_SECONDS, tags = [] } = head ?? {};
  const edge = content && !content.page.whole ? 0 : seconds;
  return keptFor({ browser: 0, edge, stale: edge, tags });
}

/**
 * Returns the built page with the deployment's settings and this head; status 404 if `found` is false. `card` is the
 * board of its image if that is read while the page is made.
 */
async function pageWith(
  context: Context<AppEnv>,
  head: Head | null,
  found = true,
  card?: Promise<BoardSet | null>,
): Promise<Response> {
  const { env } = context;
  const url = new URL(context.req.url);
  const [page, needs, catalogue] = await Promise.all([
    builtPage(env, url.origin),
    needsOf(env, url.origin, url.pathname),
    catalogueOf(env, url.origin, locale()),
  ]);
  if (!page.headers.get('content-type')?.startsWith('text/html')) return page;
  const build = page.headers.get('etag') ?? '';
  const linked = needs.files.filter(isStyle);
  const content =
    found && head ? await drawnFor(context, { ...head, url, build, linked, catalogue: catalogue ?? undefined }) : null;
  const styles = [...linked, ...(content?.styles ?? [])];
  const messages = partsOfPage(url.pathname).flatMap((part) => catalogue?.scripts[part] ?? []);
  const scripts = [...needs.files.filter((file) => !isStyle(file)), ...messages];
  const wanted = [...(needs.guarded ? [WHO_ASKS] : []), ...paintedFirst(url)];
  const settings = escaped(JSON.stringify(pageSettings(env)));
  const asked = [...styles.map(styleTag), ...wanted.map((each) => preloadTag(each, env.API_BASE))].join('');
  const rewriter = new HTMLRewriter()
    .on(`meta[name="${PAGE_SETTINGS}"]`, { element: (element) => void element.setAttribute('content', settings) })
    .on('head', { element: (element) => void element.append(asked + analyticsTag(env), { html: true }) })
    // At the end, because the styles are needed first and would share the phone's connection with them.
    .on('body', { element: (element) => void element.append(scripts.map(scriptTag).join(''), { html: true }) });
  writeLanguage(rewriter);
  if (head) writeHead(rewriter, head, tagsOf(card ? { ...head, card: await card } : head, url, env.SITE_ORIGIN));
  if (content) writePage(rewriter, content.page);
  const answer = new Response(rewriter.transform(page).body, { status: found ? 200 : 404, headers: page.headers });
  // The ETag belongs to the unchanged file.
  answer.headers.delete('etag');
  const framed = found && isEmbedded(url);
  answer.headers.set('content-security-policy', pagePolicy(env, framed));
  if (framed) answer.headers.delete('x-frame-options');
  const headers = found && !head?.unlisted ? cachingOf(head, content) : { 'cache-control': 'no-store' };
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

const gameOf = (context: Context): GameId => {
  const game = context.req.query('game') ?? 'rok';
  return isGameId(game) ? game : 'rok';
};

/** Returns the head of a board, using only the manifest. */
export function boardHead(manifest: BoardManifest, game: GameId, kind: BoardKind, metric: Metric, now: number): Head {
  const { name, [kind]: noun } = GAMES[game];
  const board = boardId(kind, metric);
  const found = served(manifest[game], board, now);
  const by = metricNoun(game, metric);
  return {
    title: t('{board} by {metric} · {game} · Muster', { board: boardTitle(game, kind), metric: by, game: name }),
    card: found && { game, board, day: found.day, version: found.board.version },
    description: found
      ? t('{counted} of {name}, ranked by {metric} as of {day}.', {
          counted: counted(found.board.total, noun.one, noun.many),
          name,
          metric: by,
          day: date(found.day),
        })
      : t(
          '{kind, select, alliance {The alliances of {name}, ranked by {metric}.} kingdom {{game, select, cod {The servers of {name}, ranked by {metric}.} other {The kingdoms of {name}, ranked by {metric}.}}} other {{game, select, cod {The lords of {name}, ranked by {metric}.} other {The governors of {name}, ranked by {metric}.}}}}',
          { kind, game, name, metric: by },
        ),
    rendered: { version: found ? `${found.day}-${found.board.version}` : '' },
    tags: [BOARDS_TAG],
    telling: { game, type: typeOf(game, metric) },
  };
}

/**
 * Returns the board whose image represents all boards: the kingdoms of the first game, which have no publication delay.
 */
async function foremost({ env }: Context<AppEnv>): Promise<BoardSet | null> {
  const now = Date.now();
  const manifest = await currentManifest(env.STORE, now);
  const found = served(manifest.rok, 'kingdom-power', now);
  return found && { game: 'rok', board: 'kingdom-power', day: found.day, version: found.board.version };
}

/**
 * Returns the page of an event under either game's path, or of a kingdom's war room in it; status 404 if there is no
 * such event or kingdom. The page itself redirects to the right path.
 */
async function eventPage(context: Context<AppEnv>, id: number, kingdom?: string): Promise<Response> {
  const now = Date.now();
  const { STORE } = context.env;
  const ahead = () =>
    kingdom === undefined ? readAhead(STORE, id, { kind: 'board', whole: true }) : Promise.resolve();
  const head = await eventHeadOf(context.env, id, now, ahead).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  const shown = head && (await headOfEvent(context.env, metaOf(head, now), () => countCaller(context), kingdom));
  return pageWith(context, shown, shown !== null);
}

/** Returns the head of a report behind a public link. */
function reportHead({ name, game, settings }: Report, token: string): Head {
  return {
    title: onSite(titled(name, t('Report'))),
    description: titled(
      settings.note,
      t(
        '{game, select, cod {What each lord of {name} gained from one scan to the next.} other {What each governor of {name} gained from one scan to the next.}}',
        { game, name: GAMES[game].name },
      ),
    ),
    // The image shows scores. If the report hides them, the service's own image is used.
    ...((settings.columns.length === 0 || settings.columns.includes('dkp')) && {
      picture: `/v1/reports/shared/${encodeURIComponent(token)}/card.png`,
    }),
    unlisted: true,
    rendered: UNVERSIONED,
  };
}

/** Returns the head of results behind a public link. */
function sharedHead(shared: Shared, token: string): Head {
  const { game } = shared;
  const { governor, name } = GAMES[game];
  return {
    title: onSite(sharedTitle(shared)),
    description: t(
      '{game, select, cod {{counted} of {name} with power, merits and kills: to sort, search and download.} other {{counted} of {name} with power, killpoints and kills: to sort, search and download.}}',
      { game, name, counted: counted(countRows(shared.snapshots), governor.one, governor.many) },
    ),
    picture: `/v1/shared/${encodeURIComponent(token)}/card.png`,
    unlisted: true,
    rendered: UNVERSIONED,
  };
}

/** Returns the path behind a short code, or null if its link does not work. */
async function behindCode({ env }: Context<AppEnv>, code: string): Promise<string | null> {
  const id = idOfCode(code);
  if (id === null) return null;
  const db = openDb(env);
  const shared = await shownBy(db, id);
  if (shared) return sharePath(env, { id, expires_at: shared.expires_at });
  const report = await reportBehind(db, id);
  return report && reportPath(env, { id, expires_at: report.expires_at });
}

export const pages = new Hono<AppEnv>()
  .get('/', async (context) => pageWith(context, homeHead(), true, foremost(context)))
  .on('GET', PLAIN_PATHS, async (context) => pageWith(context, plainHead(context.req.path.replace(/\/$/, ''))))
  .get('/leaderboard', async (context) => pageWith(context, leaderboardsHead(), true, foremost(context)))
  .get('/leaderboard/:kind', async (context) => {
    const kind = BOARD_KINDS.find((known) => known === context.req.param('kind'));
    if (!kind) return pageWith(context, null, false);
    const now = Date.now();
    const game = gameOf(context);
    const metric = metricShown(kind, game, context.req.query('type'));
    const board = boardId(kind, metric);
    const newest = { game, board, day: newestShown(board, now) };
    // Most visits begin with the first page.
    const manifest = await manifestWith(context.env.STORE, now, newest, 'page-0');
    return pageWith(context, boardHead(manifest, game, kind, metric, now));
  })
  .get('/leaderboard/:kind{governor|kingdom}/:id', async (context) => {
    const head = await profileHead(
      context,
      gameOf(context),
      profiledAt(context.req.param('kind'), context.req.param()),
    );
    return pageWith(context, head, head !== null);
  })
  .get('/leaderboard/alliance/:kingdom/:tag', async (context) => {
    const head = await profileHead(context, gameOf(context), profiledAt('alliance', context.req.param()));
    return pageWith(context, head, head !== null);
  })
  .get('/dashboards/:id{[0-9]+}', (context) => eventPage(context, Number(context.req.param('id'))))
  .get('/cod-dashboards/:id{[0-9]+}', (context) => eventPage(context, Number(context.req.param('id'))))
  .get('/:kind{dashboards|cod-dashboards}/:id{[0-9]+}/kingdoms/:kingdom', (context) =>
    eventPage(context, Number(context.req.param('id')), context.req.param('kingdom')),
  )
  .get('/players/:id{[0-9]+}', async (context) => {
    const game = gameOf(context);
    const id = Number(context.req.param('id'));
    const [known, manifest] = await Promise.all([
      governorName(openDb(context.env, context.env.DB.withSession('first-unconstrained')), game, id),
      currentManifest(context.env.STORE, Date.now()),
    ]);
    const { name } = GAMES[game];
    const shown = isHidden(manifest[game], id) ? null : known;
    const who = titled(shown?.name ?? '', governorTitle(game, id));
    return pageWith(
      context,
      {
        title: onSite(who),
        description: shown
          ? t(
              '{game, select, cod {{who}, lord {id} of server {kingdom} in {name}: power, merits and rank day by day.} other {{who}, governor {id} of kingdom {kingdom} in {name}: power, killpoints and rank day by day.}}',
              { game, who, id: String(id), kingdom: String(shown.kingdom_id), name },
            )
          : t('{game, select, cod {A lord of {name}.} other {A governor of {name}.}}', { game, name }),
        telling: { game },
      },
      known !== null,
    );
  })
  .get('/kingdoms/:id{[0-9]+}', async (context) => {
    const game = gameOf(context);
    const id = Number(context.req.param('id'));
    const db = openDb(context.env, context.env.DB.withSession('first-unconstrained'));
    const known = (await lastScanOf(db, game, id)) !== null;
    const { name } = GAMES[game];
    const which = kingdomTitle(game, id);
    return pageWith(
      context,
      {
        title: onSite(which),
        description: known
          ? t('{which} of {name}: power, alliances, migrations and the best players, day by day.', { which, name })
          : t('{which} of {name}.', { which, name }),
        telling: { game },
      },
      known,
    );
  })
  .get('/reports/shared/:token', async (context) => {
    const token = context.req.param('token');
    const opened = await behindLink(context.env, openDb(context.env), token);
    return pageWith(context, opened && reportHead(opened.report, token), opened !== null);
  })
  .get('/shared/:token', async (context) => {
    const token = context.req.param('token');
    const opened = await behindShare(context.env, openDb(context.env), token);
    return pageWith(context, opened && sharedHead(opened, token), opened !== null);
  })
  .get('/s/:code', async (context) => {
    const path = await behindCode(context, context.req.param('code'));
    context.header('cache-control', 'no-store');
    // Keeps filters, columns and sort order in the query.
    return path ? context.redirect(path + new URL(context.req.url).search) : pageWith(context, null, false);
  })
  // Ids that are not numbers do not exist.
  .get('/:kind{players|kingdoms|dashboards|cod-dashboards}/:id', (context) => pageWith(context, null, false));

/** The build's folders, in which a missing file is not a page. */
const FOLDERS = ['/assets/', '/card-fonts/'];

/** Returns a file of the build that was not served before the Worker, or null. */
async function builtFile({ env, req }: Context<AppEnv>): Promise<Response | null> {
  const file = await env.ASSETS.fetch(req.raw);
  return file.status === 404 ? null : file;
}

/** All other paths, after the API's routes: a screen, a file of the build, or the not-found page. */
export const otherPages = new Hono<AppEnv>().get('*', async (context) => {
  const { origin, pathname, search } = new URL(context.req.url);
  if (pathname.startsWith('/v1/')) return context.notFound();
  if (FOLDERS.some((folder) => pathname.startsWith(folder)))
    return new Response('There is no such file.', {
      status: 404,
      headers: { ...HEADERS, 'cache-control': 'no-store' },
    });
  if (await isPage(context.env, origin, pathname)) return pageWith(context, null);
  const respelled = respelledPath(pathname);
  if (respelled !== null && isPublicPath(splitPath(respelled).path))
    return new Response(null, {
      status: 301,
      headers: { ...HEADERS, location: respelled + search, 'cache-control': 'public, max-age=3600' },
    });
  return (await builtFile(context)) ?? pageWith(context, null, false);
});
