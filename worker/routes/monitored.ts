import { Hono } from 'hono';
import { monitoredKingdoms as monitoredAnswer } from '../../domain/kingdoms/contract.ts';
import { newsList } from '../../domain/news.ts';
import { answer } from '../answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { monitoredKingdoms } from '../models/kingdoms/monitored.ts';
import { listNews } from '../models/messages/news.ts';

/** What the dashboard and the reports page show. */
export const monitored = new Hono<UserEnv>({ strict: false })
  .get('/monitored/kingdoms', keyScope('read'), signedIn, answers(monitoredAnswer), async (context) =>
    answer(context, { kingdoms: await monitoredKingdoms(context.get('db'), context.get('user').id) }),
  )
  .get('/news', signedIn, answers(newsList), async (context) =>
    answer(context, { news: await listNews(context.get('db')) }),
  );
