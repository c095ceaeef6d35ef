import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import {
  eventData,
  eventGovernor,
  eventLines,
  eventList,
  eventMeta,
  eventPage,
  eventTable,
} from '../../domain/events/answers.ts';
import { metricsNamed } from '../../domain/events/columns.ts';
import {
  dashboardId,
  EVENT_FILE_TYPES,
  feedQuery,
  fileQuery,
  governorParams,
  linesQuery,
  listQuery,
  rangeQuery,
  roomParams,
  roomQuery,
  snapshotFileQuery,
  snapshotParams,
  warsParams,
} from '../../domain/events/contract.ts';
import { allianceWars, eventChanges, eventRoom, governorWars, kingdomWars } from '../../domain/events/room-answers.ts';
import { capital } from '../../domain/figures.ts';
import { GAMES } from '../../domain/games/games.ts';
import { allianceParams, allianceQuery } from '../../domain/kingdoms/alliance.ts';
import { kingdomParam } from '../../domain/kingdoms/contract.ts';
import { openDb } from '../db/open.ts';
import type { Env } from '../env.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Card } from '../files/card.ts';
import { CONTENT_TYPE } from '../files/export.ts';
import {
  answerOf,
  eventPictureKey,
  OtherRevision,
  type Question,
  streamedAnswer,
} from '../gateways/dashboard-answers.ts';
import { EVENTS_TAG, eventTag } from '../gateways/workers-cache.ts';
import { typed } from '../http/answer.ts';
import { keptFor } from '../http/kept.ts';
import { wantedOf } from '../http/ranges.ts';
import { sendPacked, sendPlain } from '../http/send-bytes.ts';
import { countCaller } from '../middleware/address.ts';
import { answers, sends, sendsParts } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { drawnCard } from '../services/boards/draw-card.ts';
import { STREAMED_FROM } from '../services/events/answer-dashboard.ts';
import { changesFeed } from '../services/events/changes-feed.ts';
import { recordCard, roomCard } from '../services/events/event-cards.ts';
import { sendFile, snapshotFile } from '../services/events/event-files.ts';
import { eventHeadOf, forgetHead } from '../services/events/find-event.ts';
import { listPublic } from '../services/events/list-public.ts';
import {
  changesSince,
  type EventMeta,
  metaOf,
  snapshotMoment,
  snapshotRange,
} from '../services/events/public-event.ts';
import { allianceWarsOf, governorWarsOf, kingdomWarsOf } from '../services/events/war-records.ts';
import { pictureTag, studioOf } from './cards.ts';

/**
 * The public dashboards. An answer depends only on the event's revision and two snapshots, so it is computed once and
 * cached under them. Only the latest snapshot is looked up again, every few seconds.
 */

// biome-ignore lint/suspicious/noExplicitAny: any route's context will do, whatever its variables.
type PublicContext = Pick<Context<{ Bindings: Env; Variables: any }>, 'env' | 'req'>;

/** Together with the cached head, which is at most 8 s old, no answer is older than half a minute. */
const cachingOf = (tag: string): Record<string, string> => keptFor({ browser: 5, edge: 5, stale: 10, tags: [tag] });

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 24)}"`;

/** Counts callers for whom an answer has to be computed. */
const counted = (context: PublicContext) => () => countCaller(context);

/** Calls `act` the first time only: one call that asks many events counts once. */
function once(act: () => Promise<void>): () => Promise<void> {
  let called: Promise<void> | undefined;
  return () => (called ??= act());
}

const TRIES = 3;

/** Calls `ask` with the public view of the event. Retries if the event changes meanwhile. */
async function withMeta<Made>(
  { env }: PublicContext,
  id: number,
  ask: (meta: EventMeta) => Promise<Made>,
): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    const now = Date.now();
    try {
      return await ask(metaOf(await eventHeadOf(env, id, now), now));
    } catch (error) {
      if (!(error instanceof OtherRevision) || attempt === TRIES) throw error;
      forgetHead(id);
    }
  }
}

type Wanted = { start?: number | undefined; end?: number | undefined };

/** Returns the question about a range of the event. Refuses if there is no snapshot yet. */
function questionOf(meta: EventMeta, wanted: Wanted, more: Omit<Question, 'start' | 'end' | 'revision'>): Question {
  const range = snapshotRange(meta, wanted);
  if (!range) throw new Refusal('not_found', 'There is no snapshot of this event yet.');
  return { ...range, revision: meta.revision, ...more };
}

const etagOf = (
  id: number,
  { revision, kind, start, end, metrics = [], governor_id, kingdom = '', since }: Question,
): string => `"${[id, revision, kind, start, end, ...metrics, governor_id ?? '', kingdom, since ?? ''].join('-')}"`;

/** Returns a kingdom of the event. Refuses if the event has no such kingdom. */
function kingdomIn(meta: EventMeta, kingdom: string): string {
  if (!meta.kingdoms.includes(kingdom))
    throw new Refusal(
      'not_found',
      `${capital(GAMES[meta.game].kingdom.one)} ${kingdom} is not in this event. It has ${meta.kingdoms.join(', ')}.`,
    );
  return kingdom;
}

/** Returns the question about a kingdom's war room. */
function roomQuestion(meta: EventMeta, kingdom: string, wanted: Wanted & { since?: number | undefined }): Question {
  const question = questionOf(meta, wanted, { kind: 'room', kingdom: kingdomIn(meta, kingdom) });
  const since = changesSince(meta, question, wanted.since);
  return since === null ? question : { ...question, since };
}

/** Sends an answer of the event's object, in its packed form if `packed`. */
async function answered(context: PublicContext, id: number, question: Question, packed: boolean): Promise<Response> {
  const bytes = await answerOf(context.env, id, question, counted(context));
  if (!bytes) throw notFound('governor in these snapshots');
  const kept = { etag: etagOf(id, question), caching: cachingOf(eventTag(id)) };
  return packed ? sendPacked(context.req.raw, bytes, kept) : sendPlain(context.req.raw, bytes, kept);
}

/** Returns what reading results in many events needs. The call counts once against the caller's limit. */
const readingFor = (context: PublicContext) => ({
  env: context.env,
  db: openDb(context.env.DB),
  before: once(counted(context)),
});

/** Sends results in events. They change with any event. */
function sendWars({ req }: PublicContext, wars: object): Response {
  const body = JSON.stringify({ success: 1, data: wars });
  return sendPlain(req.raw, body, { etag: tagOf(body), caching: cachingOf(EVENTS_TAG) });
}

/** Sends an image of an event as it is now. It is drawn once for each of the event's scans. */
async function sendCard(
  context: PublicContext,
  meta: EventMeta,
  of: string,
  make: () => Promise<Card | null>,
): Promise<Response> {
  const id = meta.dashboard_id;
  const tag = `${of}-${pictureTag(meta)}`;
  const png = await drawnCard(studioOf(context.env, context.req.raw), eventPictureKey(id, tag), async () => {
    await countCaller(context);
    return make();
  });
  if (!png) throw notFound('score in this event yet');
  return new Response(png, {
    headers: {
      'content-type': 'image/png',
      ...cachingOf(eventTag(id)),
      // Other sites may embed it.
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
}

const EVENT_FILES = EVENT_FILE_TYPES.map((type) => CONTENT_TYPE[type].split(';')[0] ?? '');
const FEED_TYPE = 'application/feed+json';
const idParam = validate('param', dashboardId);

export const dashboards = new Hono<{ Bindings: Env }>()
  .get(
    '/dashboards',
    anyone,
    validate('query', listQuery),
    answers('Running, upcoming and past events', eventList),
    async (context) => {
      const { game } = context.req.valid('query');
      const list = await listPublic(context.env, openDb(context.env.DB), game ?? null);
      const body = JSON.stringify({ success: 1, data: list });
      return typed(eventList, sendPlain(context.req.raw, body, { etag: tagOf(body), caching: cachingOf(EVENTS_TAG) }));
    },
  )
  .get(
    '/dashboards/governors/:governor_id',
    anyone,
    validate('param', warsParams),
    answers('A governor’s score, rank and gains in each event', governorWars),
    async (context) => {
      const wars = await governorWarsOf(readingFor(context), context.req.valid('param').governor_id);
      return typed(governorWars, sendWars(context, wars));
    },
  )
  .get(
    '/dashboards/kingdoms/:id',
    anyone,
    validate('param', kingdomParam),
    validate('query', allianceQuery),
    answers('A kingdom’s rank and score in each event', kingdomWars),
    async (context) => {
      const { game } = context.req.valid('query');
      const wars = await kingdomWarsOf(readingFor(context), game, context.req.valid('param').id);
      return typed(kingdomWars, sendWars(context, wars));
    },
  )
  .get(
    '/dashboards/alliances/:kingdom/:tag',
    anyone,
    validate('param', allianceParams),
    validate('query', allianceQuery),
    answers('An alliance’s rank and score in each event', allianceWars),
    async (context) => {
      const { game } = context.req.valid('query');
      const wars = await allianceWarsOf(readingFor(context), game, context.req.valid('param'));
      return typed(allianceWars, sendWars(context, wars));
    },
  )
  .get(
    '/dashboards/:dashboard_id',
    anyone,
    idParam,
    answers('An event: camps, kingdoms, dates and snapshots', eventMeta),
    (context) =>
      withMeta(context, context.req.valid('param').dashboard_id, async (meta) => {
        const body = JSON.stringify({ success: 1, data: meta });
        return typed(
          eventMeta,
          sendPlain(context.req.raw, body, { etag: tagOf(body), caching: cachingOf(eventTag(meta.dashboard_id)) }),
        );
      }),
  )
  .get(
    '/dashboards/:dashboard_id/page',
    anyone,
    idParam,
    validate('query', rangeQuery),
    answers('An event with its scoreboard and first governors', eventPage),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const range = snapshotRange(meta, context.req.valid('query'));
        const question = range && { ...range, revision: meta.revision, kind: 'board' as const };
        const board = question && (await answerOf(context.env, id, question, counted(context)));
        const text = board ? new TextDecoder().decode(board) : 'null';
        const body = `{"success":1,"data":{"meta":${JSON.stringify(meta)},"board":${text}}}`;
        return typed(
          eventPage,
          sendPlain(context.req.raw, body, { etag: tagOf(body), caching: cachingOf(eventTag(meta.dashboard_id)) }),
        );
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/table',
    anyone,
    idParam,
    validate('query', rangeQuery),
    answers('All governors of an event between two snapshots, as columns', eventTable),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const question = questionOf(meta, context.req.valid('query'), { kind: 'table' });
        return typed(eventTable, await answered(context, id, question, true));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/lines',
    anyone,
    idParam,
    validate('query', linesQuery),
    answers('Gains and totals of camps and kingdoms over the snapshots', eventLines),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const { metrics: named, ...range } = context.req.valid('query');
        const metrics = metricsNamed(meta.game, named);
        if ('flaw' in metrics) throw new Refusal('invalid', metrics.flaw);
        const question = questionOf(meta, range, { kind: 'lines', metrics });
        return typed(eventLines, await answered(context, id, question, true));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/governor/:governor_id',
    anyone,
    validate('param', governorParams),
    validate('query', rangeQuery),
    answers('How a governor’s score in an event is computed', eventGovernor),
    (context) => {
      const { dashboard_id: id, governor_id } = context.req.valid('param');
      return withMeta(context, id, async (meta) => {
        const question = questionOf(meta, context.req.valid('query'), { kind: 'governor', governor_id });
        return typed(eventGovernor, await answered(context, id, question, true));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/kingdoms/:kingdom',
    anyone,
    validate('param', roomParams),
    validate('query', roomQuery),
    answers('A kingdom in an event: its governors, goals, rank and what changed', eventRoom),
    (context) => {
      const { dashboard_id: id, kingdom } = context.req.valid('param');
      return withMeta(context, id, async (meta) => {
        const question = roomQuestion(meta, kingdom, context.req.valid('query'));
        return typed(eventRoom, await answered(context, id, question, true));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/kingdoms/:kingdom/card.png',
    anyone,
    validate('param', roomParams),
    sends('Image of a kingdom in an event: its rank and its first governors', 'image/png'),
    (context) => {
      const { dashboard_id: id, kingdom } = context.req.valid('param');
      return withMeta(context, id, (meta) =>
        sendCard(context, meta, `k${kingdomIn(meta, kingdom)}`, () => roomCard(context.env, meta, kingdom)),
      );
    },
  )
  .get(
    '/dashboards/:dashboard_id/governor/:governor_id/card.png',
    anyone,
    validate('param', governorParams),
    sends('Image of a governor’s result in an event', 'image/png'),
    (context) => {
      const { dashboard_id: id, governor_id } = context.req.valid('param');
      return withMeta(context, id, (meta) =>
        sendCard(context, meta, `g${governor_id}`, () => recordCard(context.env, meta, governor_id)),
      );
    },
  )
  .get(
    '/dashboards/:dashboard_id/changes',
    anyone,
    idParam,
    validate('query', roomQuery),
    answers('What changed in an event between two snapshots, as sentences', eventChanges),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const { since: wanted, ...range } = context.req.valid('query');
        const question = questionOf(meta, range, { kind: 'changes' });
        const since = changesSince(meta, question, wanted);
        if (since === null) throw new Refusal('not_found', 'Changes need two snapshots. The first one is in.');
        return typed(eventChanges, await answered(context, id, { ...question, since }, true));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/feed.json',
    anyone,
    idParam,
    validate('query', feedQuery),
    sends('What changed in an event or a kingdom of it, scan by scan, as a JSON Feed', FEED_TYPE),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      const { kingdom: asked } = context.req.valid('query');
      return withMeta(context, id, async (meta) => {
        const kingdom = asked === undefined ? undefined : kingdomIn(meta, asked);
        const feed = await changesFeed(context.env, meta, kingdom, counted(context));
        const text = new TextDecoder().decode(feed);
        return sendPlain(context.req.raw, text, {
          etag: tagOf(text),
          caching: cachingOf(eventTag(id)),
          type: FEED_TYPE,
        });
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/data',
    anyone,
    idParam,
    validate('query', rangeQuery),
    answers('Governors, camps and kingdoms with their gains between two snapshots', eventData),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const question = questionOf(meta, context.req.valid('query'), { kind: 'data' });
        const rows = meta.snapshots.filter(({ ts }) => ts === question.start || ts === question.end);
        if (rows.reduce((sum, snapshot) => sum + snapshot.rows, 0) <= STREAMED_FROM)
          return typed(eventData, await answered(context, id, question, false));
        const body = await streamedAnswer(context.env, id, question, counted(context));
        return typed(
          eventData,
          sendPlain(context.req.raw, body, { etag: etagOf(id, question), caching: cachingOf(eventTag(id)) }),
        );
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/download',
    anyone,
    idParam,
    validate('query', fileQuery),
    sendsParts('The gains between two snapshots as a file', ...EVENT_FILES),
    (context) => {
      const id = context.req.valid('param').dashboard_id;
      return withMeta(context, id, async (meta) => {
        const { type, kingdom, ...range } = context.req.valid('query');
        const of = kingdom === undefined ? {} : { kingdom: kingdomIn(meta, kingdom) };
        const question = questionOf(meta, range, { kind: 'file', type, ...of });
        const span = [question.start, question.end];
        const file = { id, meta, type, span, kingdom, caching: cachingOf(eventTag(id)) };
        return sendFile(file, wantedOf(context), () => streamedAnswer(context.env, id, question, counted(context)));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/snapshot/:ts/download',
    anyone,
    validate('param', snapshotParams),
    validate('query', snapshotFileQuery),
    sendsParts('A snapshot of an event as a file', ...EVENT_FILES),
    (context) => {
      const { dashboard_id: id, ts: wanted } = context.req.valid('param');
      return withMeta(context, id, async (meta) => {
        const { type } = context.req.valid('query');
        const ts = snapshotMoment(meta, wanted);
        await counted(context)();
        const { env } = context;
        return sendFile({ id, meta, type, span: [ts], caching: cachingOf(eventTag(id)) }, wantedOf(context), () =>
          snapshotFile(openDb(env.DB), env.STORE, { event_id: id, ts, type }),
        );
      });
    },
  );
