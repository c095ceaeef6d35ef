import { Hono } from 'hono';
import * as z from 'zod';
import { done } from '../../domain/answers.ts';
import { accountShares, share, sharedResults, shareList } from '../../domain/orders/answers.ts';
import { downloadQuery, linkParam, orderParam, shareCreate } from '../../domain/orders/contract.ts';
import { downloaded } from '../../domain/scans/answers.ts';
import { FILE_MEDIA_TYPES } from '../files/export.ts';
import { answer } from '../http/answer.ts';
import { wantedOf } from '../http/ranges.ts';
import { callerNetwork } from '../middleware/address.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limited, limitedByUser } from '../middleware/limits.ts';
import { type AppEnv, anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { deliverResults } from '../services/results/deliver-results.ts';
import { closeShare, listOwnShares, listSharesOf, shareResults } from '../services/results/share-results.ts';
import { sharedPicture, shownWithSums } from '../services/results/shared-card.ts';
import { findShared } from '../services/results/shared-link.ts';
import { inPictureLanguage, linkPicture, pictureLanguage, studioOf } from './cards.ts';

const sharesPerUser = limitedByUser('SHARE_USER');

const shareParam = orderParam.extend({
  share_id: z.string().describe('A link of it: `share_id` of GET /v1/order/{id}/shares.'),
});

/** Read-only links to the results of an item or of a whole order. */
export const shares = new Hono<UserEnv>()
  .get('/account/shares', signedIn, answers('All active links of the account', accountShares), async (context) =>
    answer(context, await listOwnShares(context.get('db'), context.env, context.get('userId'))),
  )
  .get(
    '/order/:id/shares',
    keyScope('share'),
    signedIn,
    validate('param', orderParam),
    answers('Active links to the results of an item or order', shareList),
    async (context) => {
      const id = context.req.valid('param').id;
      return answer(context, await listSharesOf(context.get('db'), context.env, context.get('userId'), id));
    },
  )
  .post(
    '/order/:id/shares',
    keyScope('share'),
    signedIn,
    sharesPerUser,
    validate('param', orderParam),
    validate('json', shareCreate),
    answers('Create a read-only link to the results of an item or order', share),
    async (context) => {
      const wanted = { id: context.req.valid('param').id, ...context.req.valid('json') };
      return answer(context, await shareResults(context.get('db'), context.env, context.get('userId'), wanted));
    },
  )
  .delete(
    '/order/:id/shares/:share_id',
    keyScope('share'),
    signedIn,
    validate('param', shareParam),
    answers('Revoke a link', done),
    async (context) => {
      await closeShare(context.get('db'), context.get('userId'), context.req.valid('param'));
      return answer(context, {});
    },
  );

/** Files and images are made per request, so they are limited per network. */
const perVisitor = limited<AppEnv>('DOWNLOAD_USER', (context) => callerNetwork(context) || 'nobody');

/** Routes for anyone with a link. */
export const shared = new Hono<AppEnv>()
  .get(
    '/shared/:token',
    anyone,
    validate('param', linkParam),
    answers('The results behind a link', sharedResults),
    async (context) => {
      const found = await findShared(context.get('db'), context.env, context.req.valid('param').token);
      return answer(context, await shownWithSums(context.env.STORE, found));
    },
  )
  .get(
    '/shared/:token/download',
    anyone,
    perVisitor,
    validate('param', linkParam),
    validate('query', downloadQuery),
    answers('The results behind a link, as a file or in the envelope', downloaded, ...FILE_MEDIA_TYPES),
    async (context) => {
      const { snapshots } = await findShared(context.get('db'), context.env, context.req.valid('param').token);
      return deliverResults(context.env, snapshots, context.req.valid('query'), wantedOf(context));
    },
  )
  .get(
    '/shared/:token/card.png',
    anyone,
    perVisitor,
    validate('param', linkParam),
    pictureLanguage,
    inPictureLanguage,
    sends('Image of shared results', 'image/png'),
    async (context) => {
      const { env, req } = context;
      const found = await findShared(context.get('db'), env, req.valid('param').token);
      return linkPicture(await sharedPicture(studioOf(env, req.raw), found));
    },
  );
