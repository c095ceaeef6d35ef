import { Hono } from 'hono';
import * as z from 'zod';
import { done, rowId } from '../../domain/answers.ts';
import { adminNews, newNews, newsEdit, newsPublished } from '../../domain/news.ts';
import { proof } from '../../domain/reason.ts';
import { notFound, Refusal } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf, proved } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listAllNews, publishNews, removeNews } from '../models/messages/news.ts';
import { changeNews } from '../services/messages/change-news.ts';

const newsParam = z.object({ id: rowId.describe('News: `id` of GET /v1/admin/news.') });

/** Refuses a time that is over. */
function checkTime(published_at: number | null): void {
  if (published_at !== null && published_at <= Date.now())
    throw new Refusal('invalid', 'published_at: is in the past.');
}

/** News on the dashboard of all users. */
export const adminNewsDesk = new Hono<UserEnv>()
  .use(admin)
  .get('/news', answers('News, also those that are published later', adminNews), async (context) =>
    answer(context, { news: await listAllNews(context.get('db')) }),
  )
  .post(
    '/news',
    validate('json', newNews),
    answers('Publish news on the dashboard', newsPublished),
    async (context) => {
      const asked = context.req.valid('json');
      checkTime(asked.published_at);
      return answer(context, { id: await publishNews(context.get('db'), asked, adminOf(context)) });
    },
  )
  .put(
    '/news/:id',
    validate('param', newsParam),
    validate('json', newsEdit),
    answers('Change news', done),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      checkTime(asked.published_at);
      await changeNews(context.get('db'), asked, adminOf(context));
      return answer(context, {});
    },
  )
  .delete(
    '/news/:id',
    validate('param', newsParam),
    validate('json', proof),
    proved,
    answers('Remove news', done),
    async (context) => {
      const { id } = context.req.valid('param');
      if (!(await removeNews(context.get('db'), id, adminOf(context)))) throw notFound('news');
      return answer(context, {});
    },
  );
