import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import {
  adminEvent,
  adminEventList,
  adminEventsQuery,
  createdEvent,
  loadedSnapshot,
  markedEvent,
  orderedRefresh,
} from '../../domain/events/answers.ts';
import { dashboardId, eventPayload, seenPlan, snapshotParams, snapshotQuery } from '../../domain/events/contract.ts';
import { proof } from '../../domain/reason.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf, proved } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { reads, SCAN_BODY, SCAN_BODY_UNSAID } from '../middleware/reads.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { createEvent } from '../models/events/events.ts';
import { findAdminEvent, listAdminEvents } from '../services/events/admin-event.ts';
import { changePlan, dropSnapshot, markAs } from '../services/events/change-event.ts';
import { findEvent } from '../services/events/find-event.ts';
import { refreshNow } from '../services/events/gather.ts';
import { loadSnapshot } from '../services/events/load-snapshot.ts';

/** Routes by which admins create, fill and close events. */

const idParam = validate('param', dashboardId);

export const adminEvents = new Hono<UserEnv>()
  .get(
    '/events',
    admin,
    validate('query', adminEventsQuery),
    answers('Events, newest first, with snapshots and gatherings', adminEventList),
    async (context) => answer(context, await listAdminEvents(context.get('db'), context.req.valid('query'))),
  )
  .post('/events', admin, validate('json', eventPayload), answers('Create an event', createdEvent), async (context) => {
    const plan = context.req.valid('json');
    const id = await createEvent(context.get('db'), plan, adminOf(context), Date.now(), null, 'draft');
    return answer(context, { dashboard_id: id });
  })
  .get(
    '/events/:dashboard_id',
    admin,
    idParam,
    answers('An event, including what is not public yet', adminEvent),
    async (context) =>
      answer(context, await findAdminEvent(context.get('db'), context.req.valid('param').dashboard_id)),
  )
  .put(
    '/events/:dashboard_id',
    admin,
    idParam,
    validate('query', seenPlan),
    validate('json', eventPayload),
    answers('Replace an event’s plan', createdEvent),
    async (context) => {
      const { dashboard_id } = context.req.valid('param');
      const by = { admin: adminOf(context), seen: context.req.valid('query').seen };
      await changePlan(context.get('db'), context.env, dashboard_id, context.req.valid('json'), by);
      return answer(context, { dashboard_id });
    },
  )
  .post(
    '/events/:dashboard_id/publish',
    admin,
    idParam,
    answers('Publish a draft: visitors see the event, and its scans begin', markedEvent),
    async (context) => {
      const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
      return answer(context, await markAs(context.get('db'), context.env, event, 'publish', adminOf(context)));
    },
  )
  .post('/events/:dashboard_id/close', admin, idParam, answers('Close an event', markedEvent), async (context) => {
    const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
    return answer(context, await markAs(context.get('db'), context.env, event, 'close', adminOf(context)));
  })
  .post(
    '/events/:dashboard_id/reopen',
    admin,
    idParam,
    answers('Reopen a closed event', markedEvent),
    async (context) => {
      const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
      return answer(context, await markAs(context.get('db'), context.env, event, 'reopen', adminOf(context)));
    },
  )
  .post('/events/:dashboard_id/archive', admin, idParam, answers('Archive an event', markedEvent), async (context) => {
    const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
    return answer(context, await markAs(context.get('db'), context.env, event, 'archive', adminOf(context)));
  })
  .post(
    '/events/:dashboard_id/refresh',
    admin,
    idParam,
    answers('Gather a snapshot now', orderedRefresh),
    async (context) => {
      const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
      return answer(context, await refreshNow(context.get('db'), event, adminOf(context)));
    },
  )
  .post(
    '/events/:dashboard_id/snapshots',
    admin,
    idParam,
    validate('query', snapshotQuery),
    reads(SCAN_BODY, SCAN_BODY_UNSAID),
    answers('Upload a file of scans as a snapshot', loadedSnapshot),
    async (context) => {
      const event = await findEvent(context.get('db'), context.req.valid('param').dashboard_id);
      const { captured_at, name } = context.req.valid('query');
      const file = { body: context.req.raw.body, name: name ?? '', captured_at };
      return answer(context, await loadSnapshot(context.env, context.get('db'), event, file, adminOf(context)));
    },
  )
  .delete(
    '/events/:dashboard_id/snapshots/:ts',
    admin,
    validate('param', snapshotParams),
    validate('json', proof),
    proved,
    answers('Remove a snapshot from an event', done),
    async (context) => {
      await dropSnapshot(context.get('db'), context.env, context.req.valid('param'), adminOf(context));
      return answer(context, {});
    },
  );
