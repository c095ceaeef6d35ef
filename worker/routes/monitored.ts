import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { monitoredKingdoms as monitoredAnswer, monitoredMoves } from '../../domain/kingdoms/contract.ts';
import { newsList } from '../../domain/news.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { noteVisit } from '../models/accounts/visits.ts';
import { listNews } from '../models/messages/news.ts';
import { showMonitored, showMoved } from '../services/kingdoms/show-moved.ts';

/** Data of the dashboard and the reports page. */
export const monitored = new Hono<UserEnv>()
  .get(
    '/monitored/kingdoms',
    keyScope('read'),
    signedIn,
    answers('The user’s monitored kingdoms with their changes over a week', monitoredAnswer),
    async (context) => answer(context, await showMonitored(context.get('db'), context.env, context.get('userId'))),
  )
  .get(
    '/monitored/moves',
    keyScope('read'),
    signedIn,
    answers('Changes in the user’s monitored kingdoms since the last visit', monitoredMoves),
    async (context) => answer(context, await showMoved(context.get('db'), context.env, context.get('userId'))),
  )
  .post(
    '/account/visit',
    signedIn,
    answers('Record a visit, from which changes are counted', done),
    async (context) => {
      await noteVisit(context.get('db'), context.get('userId'));
      return answer(context, {});
    },
  )
  .get('/news', signedIn, answers('The newest ten news', newsList), async (context) =>
    answer(context, { news: await listNews(context.get('db')) }),
  );
