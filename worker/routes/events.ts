import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import {
  adminEvent,
  adminEventList,
  createdEvent,
  loadedSnapshot,
  markedEvent,
  orderedRefresh,
} from '../../domain/events/answers.ts';
import { dashboardId, eventPayload, snapshotParams, snapshotQuery } from '../../domain/events/contract.ts';
import { type EventMark, stateOf } from '../../domain/events/event.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { forgetEvent } from '../gateways/dashboard-answers.ts';
import { admin } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf } from '../middleware/limits.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { dropEventSnapshot } from '../models/events/event-snapshots.ts';
import {
  createEvent,
  EVENTS_PER_PAGE,
  type Event,
  editEvent,
  eventOf,
  listEvents,
  MARK_FROM,
  markEvent,
} from '../models/events/events.ts';
import { adminEventOf } from '../services/events/admin-event.ts';
import { refreshNow } from '../services/events/gather.ts';
import { loadSnapshot } from '../services/events/load-snapshot.ts';

/** Events as admins make them, feed them and end them. */

const adminOf = (context: Context<UserEnv>) => ({ id: context.get('user').id, address: addressOf(context) });

async function wanted(context: Context<UserEnv>, id: number): Promise<Event> {
  const event = await eventOf(context.get('db'), id);
  if (!event) throw notFound('event');
  return event;
}

const CHANGED_MEANWHILE = 'Somebody changed this event at the same time. Please look at it again.';

const MARK_REFUSED: Readonly<Record<EventMark, string>> = {
  open: 'This event is open already.',
  closed: 'Only an open event can be closed.',
  archived: 'This event is archived already.',
};

async function mark(context: Context<UserEnv>, id: number, as: EventMark) {
  const event = await wanted(context, id);
  const now = Date.now();
  if (!(await markEvent(context.get('db'), event, as, adminOf(context), now)))
    throw new Refusal('conflict', MARK_FROM[as].includes(event.mark) ? CHANGED_MEANWHILE : MARK_REFUSED[as]);
  await forgetEvent(context.env, id);
  return { state: stateOf(event.plan, as, now) };
}

const idParam = validate('param', dashboardId);
const before = z.object({ before: z.coerce.number('must be a number').int().positive().optional() });

export const adminEvents = new Hono<UserEnv>({ strict: false })
  .get('/events', admin, validate('query', before), answers(adminEventList), async (context) => {
    const db = context.get('db');
    const page = await listEvents(db, context.req.valid('query').before);
    const now = Date.now();
    return answer(context, {
      events: await Promise.all(page.map((event) => adminEventOf(db, event, now))),
      next: page.length === EVENTS_PER_PAGE ? (page.at(-1)?.id ?? null) : null,
    });
  })
  .post('/events', admin, validate('json', eventPayload), answers(createdEvent), async (context) => {
    const id = await createEvent(context.get('db'), context.req.valid('json'), adminOf(context));
    return answer(context, { dashboard_id: id });
  })
  .get('/events/:dashboard_id', admin, idParam, answers(adminEvent), async (context) => {
    const event = await wanted(context, context.req.valid('param').dashboard_id);
    return answer(context, await adminEventOf(context.get('db'), event, Date.now()));
  })
  .put(
    '/events/:dashboard_id',
    admin,
    idParam,
    validate('json', eventPayload),
    answers(createdEvent),
    async (context) => {
      const { dashboard_id } = context.req.valid('param');
      const plan = context.req.valid('json');
      const event = await wanted(context, dashboard_id);
      if (event.plan.game !== plan.game) throw new Refusal('invalid', 'game: cannot be changed; make another event.');
      if (!(await editEvent(context.get('db'), event, plan, adminOf(context))))
        throw new Refusal('conflict', CHANGED_MEANWHILE);
      await forgetEvent(context.env, dashboard_id);
      return answer(context, { dashboard_id });
    },
  )
  .post('/events/:dashboard_id/close', admin, idParam, answers(markedEvent), async (context) =>
    answer(context, await mark(context, context.req.valid('param').dashboard_id, 'closed')),
  )
  .post('/events/:dashboard_id/reopen', admin, idParam, answers(markedEvent), async (context) =>
    answer(context, await mark(context, context.req.valid('param').dashboard_id, 'open')),
  )
  .post('/events/:dashboard_id/archive', admin, idParam, answers(markedEvent), async (context) =>
    answer(context, await mark(context, context.req.valid('param').dashboard_id, 'archived')),
  )
  .post('/events/:dashboard_id/refresh', admin, idParam, answers(orderedRefresh), async (context) => {
    const event = await wanted(context, context.req.valid('param').dashboard_id);
    return answer(context, await refreshNow(context.get('db'), event, adminOf(context)));
  })
  .post(
    '/events/:dashboard_id/snapshots',
    admin,
    idParam,
    validate('query', snapshotQuery),
    answers(loadedSnapshot),
    async (context) => {
      const event = await wanted(context, context.req.valid('param').dashboard_id);
      const { captured_at, name } = context.req.valid('query');
      const file = { bytes: new Uint8Array(await context.req.arrayBuffer()), name: name ?? '', captured_at };
      return answer(context, await loadSnapshot(context.env, context.get('db'), event, file, adminOf(context)));
    },
  )
  .delete(
    '/events/:dashboard_id/snapshots/:ts',
    admin,
    validate('param', snapshotParams),
    answers(done),
    async (context) => {
      const { dashboard_id, ts } = context.req.valid('param');
      if (!(await dropEventSnapshot(context.get('db'), dashboard_id, ts, adminOf(context)))) throw notFound('snapshot');
      await forgetEvent(context.env, dashboard_id);
      return answer(context, {});
    },
  );
