import { type Context, Hono } from 'hono';
import * as z from 'zod';
import {
  allianceBoard,
  boardDays,
  boardParam,
  governorBoard,
  kingdomBoard,
  rankingQuery,
  rowDays as rowDaysAnswer,
  rowDaysQuery,
  sortFields,
} from '../../domain/boards/contract.ts';
import {
  BOARD_KINDS,
  type BoardId,
  type BoardKind,
  type BoardManifest,
  type BoardOrder,
  boardId,
  firstPublication,
  type GameBoards,
  type Metric,
  metricOf,
  metricsOf,
  newestShown,
  orderIn,
  ROWS_PER_PAGE,
  type Served,
  SLICE_SIZES,
  served,
  shownDays,
  typesOf,
} from '../../domain/boards/leaderboard.ts';
import type { BoardAnswer } from '../../domain/boards/rows.ts';
import { DAY_MS, type Day } from '../../domain/days.ts';
import { GAMES, type GameId, isGameId } from '../../domain/games/games.ts';
import { sentence } from '../../domain/language/text.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import {
  cachedManifest,
  cachedPart,
  cacheName,
  currentManifest,
  manifestWith,
  nearestMade,
  nearestPart,
} from '../gateways/board-cache.ts';
import type { BoardPart, BoardSet } from '../gateways/board-store.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { answer, typed } from '../http/answer.ts';
import { keep, keptFor } from '../http/kept.ts';
import { sendPacked } from '../http/send-bytes.ts';
import { countCaller } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { HEADERS } from '../middleware/headers.ts';
import { anyone } from '../middleware/session.ts';
import { newRequestId, REQUEST_ID } from '../middleware/trace.ts';
import { validate } from '../middleware/validate.ts';
import { boardRows, packedAnswer, packedSorted } from '../services/boards/board-rows.ts';
import { packedRowDays, rowDaysName } from '../services/boards/row-days.ts';

/**
 * The public boards. Responses are bytes made when a board was published and are usually in this isolate's memory, so
 * nothing is parsed, queried or awaited. Mounted before the session lookup, because visitors have no session.
 */

interface Asked {
  game: GameId;
  kind: BoardKind;
  metric: Metric;
  /** -1: all rows. */
  count: number;
  page: number;
  /** The board's day; undefined: the newest. */
  day: Day | undefined;
  /** Null: by rank. */
  order: BoardOrder | null;
  /** True for the specification's bare array of kingdoms. */
  bare: boolean;
}

type Query = z.output<typeof rankingQuery>;
type RowQuery = z.output<typeof rowDaysQuery>;

/** Refuses a value that is not allowed. */
const refuse = (at: string, value: string, allowed: readonly (string | number)[]) =>
  new Refusal(
    'invalid',
    sentence("'{value}' is not one of {allowed}.", { value: value.slice(0, 40), allowed: allowed.join(', ') }, at),
  );

function gameOf(game: string): GameId {
  if (!isGameId(game)) throw refuse('game', game, Object.keys(GAMES));
  return game;
}

function metricFor(kind: BoardKind, game: GameId, type: string): Metric {
  const metric = metricOf(game, type);
  if (!metric || !metricsOf(kind).includes(metric)) throw refuse('type', type, typesOf(kind, game));
  return metric;
}

function orderOf(
  { sort, ascending, language }: Query,
  kind: BoardKind,
  game: GameId,
  count: number,
): BoardOrder | null {
  if (sort === undefined) return null;
  const fields = sortFields(kind, game);
  if (!fields.includes(sort)) throw refuse('sort', sort, fields);
  if (count === -1)
    throw new Refusal(
      'invalid',
      sentence('must be one of {allowed} if the rows are sorted.', { allowed: SLICE_SIZES.join(', ') }, 'count'),
    );
  return orderIn({ field: sort, ascending: ascending === 'true' }, language);
}

/** Validates a ranking call. Refuses with the allowed values. */
function askedOf(kind: BoardKind, named: string, query: Query): Asked {
  const game = gameOf(named);
  const { type, day, count = -1, page = 0 } = query;
  const metric = metricFor(kind, game, type);
  const sizes: readonly number[] = SLICE_SIZES;
  if (count !== -1 && !sizes.includes(count))
    throw new Refusal(
      'invalid',
      sentence('must be -1 for everything, or one of {allowed}.', { allowed: SLICE_SIZES.join(', ') }, 'count'),
    );
  if (page < 0 || (count === -1 && page !== 0))
    throw new Refusal('invalid', 'page: must be 0 or more, and 0 if count is -1.');
  const order = orderOf(query, kind, game, count);
  const bare = kind === 'kingdom' && query.count === undefined && query.page === undefined;
  return { game, kind, metric, count, page, day, order, bare };
}

/** Returns the stored part that contains the requested rows. */
function partOf({ bare, count, page }: Asked): BoardPart {
  if (bare) return 'list';
  return count === -1 ? 'all' : `page-${Math.floor((page * count) / ROWS_PER_PAGE)}`;
}

const DAY_SECONDS = 86_400;

/** Lets caches keep the response until the next board is due, and for a minute if that is late. */
function cachingOf(next: number, now: number): Record<string, string> {
  const seconds = Math.ceil((next - now) / 1000);
  return keptFor({ browser: 60, edge: seconds > 0 ? seconds : 60, stale: DAY_SECONDS, tags: [BOARDS_TAG] });
}

/** Returns the response if no board is old enough to be shown yet. */
function noBoardYet(manifest: BoardManifest, asked: Asked): Response {
  const boards = manifest[asked.game];
  const board = boardId(asked.kind, asked.metric);
  const first = firstPublication(boards, board);
  const info = {
    total: 0,
    day: null,
    captured_at: null,
    next_publication: first,
    since: boards.since,
    first_publication: first,
  };
  const data = asked.bare ? [] : ({ rankings: [], info } satisfies BoardAnswer);
  return Response.json(
    { success: 1, data },
    { headers: { ...HEADERS, ...keptFor({ browser: 60, edge: 60, stale: DAY_SECONDS, tags: [BOARDS_TAG] }) } },
  );
}

/** Returns the refusal of a day without a board: no longer kept, or not public yet. */
function noSuchDay(boards: GameBoards, board: BoardId, now: number): Refusal {
  const days = shownDays(boards, board, now);
  const [newest, oldest] = [days[0], days.at(-1)];
  if (newest === undefined || oldest === undefined) return new Refusal('invalid', 'day: there is no board yet.');
  return new Refusal(
    'invalid',
    sentence('there is no board of that day. Boards exist from {oldest} to {newest}.', { oldest, newest }, 'day'),
  );
}

/** Cuts a stored page down to a smaller count; the result is cached. */
async function sliceOf(store: R2Bucket, set: BoardSet, asked: Asked): Promise<ArrayBuffer | null> {
  const data = await boardRows(store, set, partOf(asked));
  if (!data) return null;
  const from = (asked.page * asked.count) % ROWS_PER_PAGE;
  return packedAnswer({ ...data, rankings: data.rankings.slice(from, from + asked.count) });
}

function checkPage({ count, page }: Asked, { board: { total } }: Served): void {
  const pages = Math.max(1, Math.ceil(total / count));
  if (count !== -1 && page >= pages)
    throw new Refusal(
      'invalid',
      sentence(
        'there are {pages} of {count} rows, so the last one is {last}.',
        { pages, count, last: pages - 1 },
        'page',
      ),
    );
}

/** Returns the cache and ETag name of the requested part of a board. */
function sliceName(asked: Asked): string {
  const { order, bare, count, page } = asked;
  if (order) return ['sorted', ...Object.values(order), count, page].join('-');
  return bare || count === -1 || count === ROWS_PER_PAGE ? partOf(asked) : `slice-${count}-${page}`;
}

/** A call with its bindings. */
type Call = Pick<Context<{ Bindings: Env }>, 'req' | 'env'>;

function answerFrom(manifest: BoardManifest, asked: Asked, call: Call, now: number) {
  const request = call.req.raw;
  const board = boardId(asked.kind, asked.metric);
  const boards = manifest[asked.game];
  const found = served(boards, board, now, asked.day);
  if (!found) {
    if (asked.day !== undefined) throw noSuchDay(boards, board, now);
    return noBoardYet(manifest, asked);
  }
  checkPage(asked, found);
  const set: BoardSet = { game: asked.game, board, day: found.day, version: found.board.version };
  const name = sliceName(asked);
  const etag = `"${found.board.version}-${name}"`;
  const caching = cachingOf(found.next, now);
  const held = cacheName(set, name);
  const ready = cachedPart(held);
  if (ready) {
    remember(request.url, { manifest, day: Math.floor(now / DAY_MS), held, etag, next: found.next });
    return sendPacked(request, ready, { etag, caching });
  }
  return fetched(call, set, asked, name).then((bytes) => sendPacked(request, bytes, { etag, caching }));
}

async function fetched(call: Call, set: BoardSet, asked: Asked, name: string): Promise<ArrayBuffer> {
  const store = call.env.STORE;
  const { order } = asked;
  const made = async () => {
    if (!order) return sliceOf(store, set, asked);
    await countCaller(call);
    return packedSorted(store, set, { ...order, ...asked });
  };
  const stored = partOf(asked);
  const bytes = await (name === stored ? nearestPart(store, set, stored) : nearestMade(set, name, made));
  if (!bytes) throw new Error(`board ${set.game} ${set.board} ${set.day} lacks ${name}`);
  return bytes;
}

function answerBoard(kind: BoardKind, game: string, query: Query, call: Call) {
  const asked = askedOf(kind, game, query);
  const now = Date.now();
  const manifest = cachedManifest(now);
  if (manifest) return answerFrom(manifest, asked, call, now);
  const board = boardId(kind, asked.metric);
  const day = { game: asked.game, board, day: asked.day ?? newestShown(board, now) };
  const reading = manifestWith(call.env.STORE, now, day, partOf(asked));
  return reading.then((fresh) => answerFrom(fresh, asked, call, now));
}

/** Returns the days of a row, computed once for everyone, because every day needs another page. */
async function answerRow(kind: BoardKind, named: string, query: RowQuery, call: Call) {
  const { req, env } = call;
  const game = gameOf(named);
  const board = boardId(kind, metricFor(kind, game, query.type));
  const now = Date.now();
  const boards = (await currentManifest(env.STORE, now))[game];
  const found = served(boards, board, now, query.day);
  if (!found) throw noSuchDay(boards, board, now);
  const { place, day } = query;
  const { total, version } = found.board;
  if (place < 1 || place > total)
    throw new Refusal(
      'invalid',
      sentence('the board of that day goes from {first} to {last}.', { first: 1, last: total }, 'place'),
    );
  const days = shownDays(boards, board, now).filter((each) => each <= day);
  const walk = { store: env.STORE, boards, game, board, days };
  const name = rowDaysName(walk, place);
  const bytes = await nearestMade({ game, board, day, version }, name, async () => {
    await countCaller(call);
    return packedRowDays(walk, place);
  });
  if (!bytes) throw new Error(`board ${game} ${board} ${day} lacks ${name}`);
  return sendPacked(req.raw, bytes, { etag: `"${version}-${name}"`, caching: cachingOf(found.next, now) });
}

/** A response to a URL, valid while manifest and day are the same. */
interface Remembered {
  manifest: BoardManifest;
  day: number;
  held: string;
  etag: string;
  next: number;
}

const remembered = new Map<string, Remembered>();
/** Limits the memory for URLs, which anyone can invent. */
const MOST_REMEMBERED = 512;
/** Longer than any valid query of the boards. */
const LONGEST_REMEMBERED = 500;

function remember(url: string, answer: Remembered): void {
  if (url.length > LONGEST_REMEMBERED) return;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(url, answer);
}

/**
 * Returns the response to a URL requested before if its bytes are still in memory, otherwise undefined. Runs before all
 * routing and only looks into two maps.
 */
export function cachedBoard(request: Request, { ALLOWED_ORIGINS }: Env): Response | undefined {
  const known = remembered.get(request.url);
  // Requests from other origins need CORS headers.
  if (!known || request.method !== 'GET' || request.headers.has('origin')) return undefined;
  const now = Date.now();
  if (known.manifest !== cachedManifest(now) || known.day !== Math.floor(now / DAY_MS)) return undefined;
  const bytes = cachedPart(known.held);
  const answer = bytes && sendPacked(request, bytes, { etag: known.etag, caching: cachingOf(known.next, now) });
  if (ALLOWED_ORIGINS !== '') answer?.headers.append('vary', 'Origin');
  answer?.headers.set(REQUEST_ID, newRequestId());
  return answer;
}

const asked = validate('query', rankingQuery);

const OF_KIND = '/:kind{governor|alliance|kingdom}/rankings/:game';
const kindOf = (kind: string): BoardKind => BOARD_KINDS.find((known) => known === kind) ?? 'governor';

const ofGame = validate('param', boardParam);
const ofKind = validate('param', boardParam.extend({ kind: z.enum(BOARD_KINDS).describe('What the board ranks.') }));

export const leaderboards = new Hono<{ Bindings: Env }>()
  // The specification's call without a game means the first game.
  .get(
    '/governor/rankings',
    anyone,
    asked,
    answers('Governor leaderboard, seven days late', governorBoard),
    async (context) => typed(governorBoard, await answerBoard('governor', 'rok', context.req.valid('query'), context)),
  )
  .get(
    '/governor/rankings/:game',
    anyone,
    ofGame,
    asked,
    answers('Governor leaderboard of a game', governorBoard),
    async (context) =>
      typed(
        governorBoard,
        await answerBoard('governor', context.req.param('game'), context.req.valid('query'), context),
      ),
  )
  .get(
    '/alliance/rankings/:game',
    anyone,
    ofGame,
    asked,
    answers('Alliance leaderboard of a game', allianceBoard),
    async (context) =>
      typed(
        allianceBoard,
        await answerBoard('alliance', context.req.param('game'), context.req.valid('query'), context),
      ),
  )
  .get(
    '/kingdom/rankings/:game',
    anyone,
    ofGame,
    asked,
    answers('Kingdom leaderboard of a game', kingdomBoard),
    async (context) =>
      // Without count and page, the specification requires the bare rows.
      typed(kingdomBoard, await answerBoard('kingdom', context.req.param('game'), context.req.valid('query'), context)),
  )
  .get(`${OF_KIND}/days`, anyone, ofKind, answers('Days with a board', boardDays), async (context) => {
    const { kind, game } = context.req.param();
    const now = Date.now();
    const boards = (await currentManifest(context.env.STORE, now))[gameOf(game)];
    // The list changes once a day; a minute's delay is acceptable.
    keep(context, { browser: 60, edge: 60, stale: DAY_SECONDS, tags: [BOARDS_TAG] });
    return answer(context, { days: shownDays(boards, boardId(kindOf(kind), 'power'), now) });
  })
  .get(
    `${OF_KIND}/row`,
    anyone,
    ofKind,
    validate('query', rowDaysQuery),
    answers('A row of a board over the available days', rowDaysAnswer),
    async (context) => {
      const { kind, game } = context.req.param();
      const query = context.req.valid('query');
      return typed(rowDaysAnswer, await answerRow(kindOf(kind), game, query, context));
    },
  );
