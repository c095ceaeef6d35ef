import { Hono } from 'hono';
import { done, nextOf } from '../../domain/answers.ts';
import {
  activityFileQuery,
  activityPage,
  activityQuery,
  alertList,
  limitsChange,
} from '../../domain/service/watch-contract.ts';
import { activityCsv } from '../files/activity.ts';
import { streamOf } from '../files/stream-of.ts';
import { answer } from '../http/answer.ts';
import { attachment } from '../http/attachment.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers, sends } from '../middleware/answers.ts';
import { type AppEnv, hiddenKeyScope, type UserEnv } from '../middleware/session.ts';
import { speakingIn } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { activityPages, listActivity } from '../models/service/activity.ts';
import { changeLimits, showAlerts } from '../services/service/alert-limits.ts';
import { writeMetrics } from '../services/service/write-metrics.ts';

const OPEN_METRICS = 'application/openmetrics-text';

/** Figures for monitoring, also by key. Mounted before the routes that are closed to keys. */
export const adminMetrics = new Hono<AppEnv & UserEnv>().get(
  '/metrics',
  hiddenKeyScope('metrics'),
  admin,
  sends('Figures of the service as OpenMetrics', OPEN_METRICS),
  async (context) =>
    new Response(await writeMetrics(context.get('db')), {
      headers: {
        'content-type': `${OPEN_METRICS}; version=1.0.0; charset=utf-8`,
        'cache-control': 'private, no-store',
      },
    }),
);

const ENTRIES_PER_PAGE = 100;

/** Alerts and the activity log. */
export const adminWatch = new Hono<UserEnv>()
  .use(admin)
  .get('/alerts', answers('Current alerts and their limits', alertList), async (context) =>
    answer(context, await showAlerts(context.get('db'))),
  )
  .put('/alerts', validate('json', limitsChange), answers('Change when admins are alerted', done), async (context) => {
    await changeLimits(context.get('db'), context.req.valid('json'), adminOf(context));
    return answer(context, {});
  })
  .get(
    '/activity',
    validate('query', activityQuery),
    answers('What admins, users and the service did, newest first', activityPage),
    async (context) => {
      const entries = await listActivity(context.get('db'), context.req.valid('query'), ENTRIES_PER_PAGE);
      return answer(context, {
        entries: entries.map(({ detail, ...entry }) => ({
          ...entry,
          detail: JSON.parse(detail) as Record<string, unknown>,
        })),
        next: nextOf(entries, ENTRIES_PER_PAGE, ({ id }) => id),
      });
    },
  )
  .get(
    '/activity/download',
    validate('query', activityFileQuery),
    speakingIn('headers'),
    sends('The activity log as CSV', 'text/csv'),
    (context) => {
      const { headers, ...query } = context.req.valid('query');
      const pages = activityPages(context.get('db'), query);
      return new Response(streamOf(activityCsv(pages, headers !== undefined)), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': attachment('activity', 'csv'),
          'cache-control': 'private, no-store',
        },
      });
    },
  );
