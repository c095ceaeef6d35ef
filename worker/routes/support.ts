import { Hono } from 'hono';
import * as z from 'zod';
import { newNews, reportAnswer } from '../../domain/news.ts';
import { answer } from '../answer.ts';
import { notFound } from '../errors.ts';
import { admin } from '../middleware/admin.ts';
import { addressOf } from '../middleware/limits.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { publishNews, removeNews } from '../models/messages/news.ts';
import { answerReport, listReports } from '../models/orders/reports.ts';

const rowParam = z.object({ id: z.coerce.number('must be a number').int().positive().max(Number.MAX_SAFE_INTEGER) });
const reportsQuery = z.object({
  open: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

/** What admins tell customers: news for everybody, answers to those who reported an issue. */
export const support = new Hono<UserEnv>({ strict: false })
  .post('/admin/news', admin, validate('json', newNews), async (context) => {
    const acting = { id: context.get('user').id, address: addressOf(context) };
    return answer(context, { id: await publishNews(context.get('db'), context.req.valid('json'), acting) });
  })
  .delete('/admin/news/:id', admin, validate('param', rowParam), async (context) => {
    const acting = { id: context.get('user').id, address: addressOf(context) };
    if (!(await removeNews(context.get('db'), context.req.valid('param').id, acting))) throw notFound('news');
    return answer(context, {});
  })
  .get('/admin/reports', admin, validate('query', reportsQuery), async (context) => {
    const open = context.req.valid('query').open === 'true';
    return answer(context, { reports: await listReports(context.get('db'), { open }) });
  })
  .post(
    '/admin/reports/:id/answer',
    admin,
    validate('param', rowParam),
    validate('json', reportAnswer),
    async (context) => {
      const acting = { id: context.get('user').id, address: addressOf(context) };
      const { id } = context.req.valid('param');
      const answered = await answerReport(context.get('db'), id, context.req.valid('json').text, acting);
      if (!answered) throw notFound('open report');
      return answer(context, {});
    },
  );
