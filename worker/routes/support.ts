import { Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import { newNews, newsPublished } from '../../domain/news.ts';
import { rowId } from '../../domain/service/admin.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import type { UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { publishNews, removeNews } from '../models/messages/news.ts';

const rowParam = z.object({ id: rowId });
/** News for everybody. */
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
  });
