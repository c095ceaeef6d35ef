import { Hono } from 'hono';
import { feedQuery, governorParams, roomParams, roomQuery, warsParams } from '../../domain/events/contract.ts';
import { allianceWars, eventChanges, eventRoom, governorWars, kingdomWars } from '../../domain/events/room-answers.ts';
import { allianceParams, allianceQuery } from '../../domain/kingdoms/alliance.ts';
import { kingdomParam } from '../../domain/kingdoms/contract.ts';
import { openDb } from '../db/open.ts';
import type { Env } from '../env.ts';
import { notFound, Refusal } from '../errors.ts';
import type { Card } from '../files/card.ts';
import { eventPictureKey, type Question } from '../gateways/dashboard-answers.ts';
import { EVENTS_TAG, eventTag } from '../gateways/workers-cache.ts';
import { typed } from '../http/answer.ts';
import { sendPlain } from '../http/send-bytes.ts';
import { countCaller } from '../middleware/address.ts';
import { answers, sends } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { drawnCard } from '../services/boards/draw-card.ts';
import { changesFeed } from '../services/events/changes-feed.ts';
import { eventCard, recordCard, roomCard } from '../services/events/event-cards.ts';
import { changesSince, type EventMeta } from '../services/events/public-event.ts';
import { allianceWarsOf, governorWarsOf, kingdomWarsOf } from '../services/events/war-records.ts';
import { inPictureLanguage, pictureLanguage, pictureTag, studioOf } from './cards.ts';
import {
  answered,
  cachingOf,
  counted,
  idParam,
  kingdomIn,
  type PublicContext,
  questionOf,
  tagOf,
  type Wanted,
  withMeta,
} from './event-answers.ts';

const FEED_TYPE = 'application/feed+json';

/** Calls `act` the first time only: one call that asks many events counts once. */
function once(act: () => Promise<void>): () => Promise<void> {
  let called: Promise<void> | undefined;
  return () => (called ??= act());
}

/** Returns the question about a kingdom's war room. */
function roomQuestion(meta: EventMeta, kingdom: string, wanted: Wanted & { since?: number | undefined }): Question {
  const question = questionOf(meta, wanted, { kind: 'room', kingdom: kingdomIn(meta, kingdom) });
  const since = changesSince(meta, question, wanted.since);
  return since === null ? question : { ...question, since };
}

/** Returns what reading results in many events needs. The call counts once against the caller's limit. */
const readingFor = (context: PublicContext) => ({
  env: context.env,
  db: openDb(context.env),
  before: once(counted(context)),
});

/** Sends results in events. They change with any event. */
function sendWars({ req }: PublicContext, wars: object): Response {
  const body = JSON.stringify({ success: 1, data: wars });
  return sendPlain(req.raw, body, { etag: tagOf(body), caching: cachingOf(EVENTS_TAG) });
}

/** Sends an image of an event as it is now. It is drawn once for each of the event's scans and languages. */
async function sendCard(
  context: PublicContext,
  meta: EventMeta,
  of: string,
  make: () => Promise<Card | null>,
): Promise<Response> {
  const { env, req } = context;
  const id = meta.dashboard_id;
  const key = eventPictureKey(id, `${of}-${pictureTag(meta)}`);
  const png = await drawnCard(studioOf(env, req.raw), key, async () => {
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

/** Results of governors, kingdoms and alliances in events: wars, war rooms, cards and what changed. */
export const warRooms = new Hono<{ Bindings: Env }>()
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
    '/dashboards/:dashboard_id/kingdoms/:kingdom',
    anyone,
    validate('param', roomParams),
    validate('query', roomQuery),
    answers('A kingdom in an event: its governors, goals, rank and what changed', eventRoom),
    (context) => {
      const { dashboard_id: id, kingdom } = context.req.valid('param');
      return withMeta(context, id, async (meta) => {
        const question = roomQuestion(meta, kingdom, context.req.valid('query'));
        return typed(eventRoom, await answered(context, id, question));
      });
    },
  )
  .get(
    '/dashboards/:dashboard_id/kingdoms/:kingdom/card.png',
    anyone,
    validate('param', roomParams),
    pictureLanguage,
    inPictureLanguage,
    sends('Image of a kingdom in an event: its rank and its first governors', 'image/png'),
    (context) => {
      const { dashboard_id: id, kingdom } = context.req.valid('param');
      return withMeta(context, id, (meta) =>
        sendCard(context, meta, `k${kingdomIn(meta, kingdom)}`, () => roomCard(context.env, meta, kingdom)),
      );
    },
  )
  .get(
    '/dashboards/:dashboard_id/card.png',
    anyone,
    idParam,
    pictureLanguage,
    inPictureLanguage,
    sends('Image of an event: its camps by DKP', 'image/png'),
    (context) =>
      withMeta(context, context.req.valid('param').dashboard_id, (meta) =>
        sendCard(context, meta, 'event', () => eventCard(context.env, meta)),
      ),
  )
  .get(
    '/dashboards/:dashboard_id/governor/:governor_id/card.png',
    anyone,
    validate('param', governorParams),
    pictureLanguage,
    inPictureLanguage,
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
        return typed(eventChanges, await answered(context, id, { ...question, since }));
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
  );
