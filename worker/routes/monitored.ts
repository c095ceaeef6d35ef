import { Hono } from 'hono';
import { answer } from '../answer.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { monitoredKingdoms } from '../models/kingdoms/monitored.ts';
import { listNews } from '../models/messages/news.ts';

/** What the dashboard and the reports page show. */
export const monitored = new Hono<UserEnv>({ strict: false })
  .get('/monitored/kingdoms', signedIn, async (context) =>
    answer(context, { kingdoms: await monitoredKingdoms(context.get('db'), context.get('user').id) }),
  )
  .get('/news', signedIn, async (context) => answer(context, { news: await listNews(context.get('db')) }));
