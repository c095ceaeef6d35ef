import { Hono } from 'hono';
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
  EVENT_FILE_TYPES,
  fileQuery,
  governorParams,
  linesQuery,
  listQuery,
  rangeQuery,
  snapshotFileQuery,
  snapshotParams,
} from '../../domain/events/contract.ts';
import { openDb } from '../db/open.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { CONTENT_TYPE } from '../files/export.ts';
import { answerOf, streamedAnswer } from '../gateways/dashboard-answers.ts';
import { EVENTS_TAG, eventTag } from '../gateways/workers-cache.ts';
import { typed } from '../http/answer.ts';
import { wantedOf } from '../http/ranges.ts';
import { sendPlain } from '../http/send-bytes.ts';
import { answers, sendsParts } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { STREAMED_FROM } from '../services/events/answer-dashboard.ts';
import { sendFile, snapshotFile } from '../services/events/event-files.ts';
import { listPublic } from '../services/events/list-public.ts';
import { type EventMeta, snapshotMoment, snapshotRange } from '../services/events/public-event.ts';
import {
  answered,
  cachingOf,
  counted,
  idParam,
  kingdomIn,
  namedOf,
  questionOf,
  tagOf,
  withMeta,
} from './event-answers.ts';

const EVENT_FILES = EVENT_FILE_TYPES.map((type) => CONTENT_TYPE[type].split(';')[0] ?? '');

/** Public events: the list, an event's table, lines and files. */
export const dashboards = new Hono<{ Bindings: Env }>()
  .get(
    '/dashboards',
    anyone,
    validate('query', listQuery),
    answers('Running, upcoming and past events', eventList),
    async (context) => {
      const { game } = context.req.valid('query');
      const list = await listPublic(context.env, openDb(context.env), game ?? null);
      const body = JSON.stringify({ success: 1, data: list });
      return typed(eventList, sendPlain(context.req.raw, body, { etag: tagOf(body), caching: cachingOf(EVENTS_TAG) }));
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
      const wanted = context.req.valid('query');
      const ask = async (meta: EventMeta) => {
        const hasBoard = snapshotRange(meta, wanted) !== null;
        const question = hasBoard && questionOf(meta, wanted, { kind: 'board' });
        const board = question && (await answerOf(context.env, id, question, counted(context)));
        const text = board ? new TextDecoder().decode(board) : 'null';
        const body = `{"success":1,"data":{"meta":${JSON.stringify(meta)},"board":${text}}}`;
        return typed(
          eventPage,
          sendPlain(context.req.raw, body, { etag: tagOf(body), caching: cachingOf(eventTag(meta.dashboard_id)) }),
        );
      };
      return withMeta(context, id, ask, namedOf('board', wanted));
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
      const wanted = context.req.valid('query');
      const ask = async (meta: EventMeta) =>
        typed(eventTable, await answered(context, id, questionOf(meta, wanted, { kind: 'table' })));
      return withMeta(context, id, ask, namedOf('table', wanted));
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
        return typed(eventLines, await answered(context, id, question));
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
        return typed(eventGovernor, await answered(context, id, question));
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
      const wanted = context.req.valid('query');
      const ask = async (meta: EventMeta) => {
        const question = questionOf(meta, wanted, { kind: 'data' });
        const rows = meta.snapshots.filter(({ ts }) => ts === question.start || ts === question.end);
        const isLarge = rows.reduce((sum, snapshot) => sum + snapshot.rows, 0) > STREAMED_FROM;
        return typed(eventData, await answered(context, id, question, isLarge ? 'streamed' : 'plain'));
      };
      return withMeta(context, id, ask, namedOf('data', wanted));
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
        const { type, kingdom, headers, ...range } = context.req.valid('query');
        const of = kingdom === undefined ? {} : { kingdom: kingdomIn(meta, kingdom) };
        const question = questionOf(meta, range, { kind: 'file', type, headers, ...of });
        const span = [question.start, question.end];
        const file = { id, meta, type, headers, span, kingdom, caching: cachingOf(eventTag(id)) };
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
        const query = context.req.valid('query');
        const ts = snapshotMoment(meta, wanted);
        await counted(context)();
        const { env } = context;
        const file = { id, meta, ...query, span: [ts], caching: cachingOf(eventTag(id)) };
        return sendFile(file, wantedOf(context), () => snapshotFile(openDb(env), env, { event_id: id, ts, ...query }));
      });
    },
  );
