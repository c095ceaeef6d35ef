import { Hono } from 'hono';
import { downloadQuery, orderParam } from '../../domain/orders/contract.ts';
import { combinedResults, downloaded } from '../../domain/scans/answers.ts';
import { FILE_MEDIA_TYPES } from '../files/export.ts';
import { answer } from '../http/answer.ts';
import { wantedOf } from '../http/ranges.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { combineResults } from '../services/results/combine-results.ts';
import { deliverResults } from '../services/results/deliver-results.ts';
import { findResults } from '../services/results/find-results.ts';

const downloadsPerUser = limitedByUser('DOWNLOAD_USER');

export const downloads = new Hono<UserEnv>()
  .get(
    '/order/:id/download',
    keyScope('read'),
    signedIn,
    downloadsPerUser,
    validate('param', orderParam),
    validate('query', downloadQuery),
    answers(
      'Results of an item, or with all=true of an order; JSON also in pages (count, page)',
      downloaded,
      ...FILE_MEDIA_TYPES,
    ),
    async (context) => {
      const query = context.req.valid('query');
      const snapshots = await findResults(
        context.get('db'),
        context.get('userId'),
        context.req.valid('param').id,
        query,
      );
      return deliverResults(context.env, snapshots, query, wantedOf(context));
    },
  )
  .get(
    '/order/:id/combined',
    keyScope('read'),
    signedIn,
    downloadsPerUser,
    validate('param', orderParam),
    answers('Sums of an order’s results, by kingdom and in total', combinedResults),
    async (context) => {
      const asked = { userId: context.get('userId'), id: context.req.valid('param').id };
      return answer(context, await combineResults(context.get('db'), context.env.STORE, asked));
    },
  );
