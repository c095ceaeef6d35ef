import { Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import { newNews, newsPublished, reportAnswer, reportedIssues } from '../../domain/news.ts';
import { rowId } from '../../domain/service/admin.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { publishNews, removeNews } from '../models/messages/news.ts';
import { answerReport, listReports } from '../models/orders/reports.ts';

const rowParam = z.object({ id: rowId });
const reportsQuery = z.object({
  open: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

/** Messages from admins: news for everybody and answers to issue reports. */
export const support = new Hono<UserEnv>()
  .post(
    '/admin/news',
    admin,
    validate('json', newNews),
    answers('Publish news on the dashboard', newsPublished),
    async (context) => {
      return answer(context, { id: await publishNews(context.get('db'), context.req.valid('json'), adminOf(context)) });
    },
  )
  .delete('/admin/news/:id', admin, validate('param', rowParam), answers('Remove news', done), async (context) => {
    if (!(await removeNews(context.get('db'), context.req.valid('param').id, adminOf(context)))) throw notFound('news');
    return answer(context, {});
  })
  .get(
    '/admin/reports',
    admin,
    validate('query', reportsQuery),
    answers('Reported issues', reportedIssues),
    async (context) => {
      const open = context.req.valid('query').open === 'true';
      return answer(context, { reports: await listReports(context.get('db'), { open }) });
    },
  )
  .post(
    '/admin/reports/:id/answer',
    admin,
    validate('param', rowParam),
    validate('json', reportAnswer),
    answers('Answer a reported issue by mail', done),
    async (context) => {
      const { id } = context.req.valid('param');
      const answered = await answerReport(context.get('db'), id, context.req.valid('json').text, adminOf(context));
      if (!answered) throw notFound('open report');
      return answer(context, {});
    },
  );
