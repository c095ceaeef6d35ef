import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { DEAD_LINK } from '../../domain/dead-link.ts';
import { accountShares, share, sharedResults, shareList } from '../../domain/orders/answers.ts';
import { downloadQuery, shareCreate } from '../../domain/orders/contract.ts';
import { downloaded } from '../../domain/scans/answers.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { FILE_TYPES } from '../files/export.ts';
import { answers, sends } from '../middleware/answers.ts';
import { addressOf, limited, limitedByUser } from '../middleware/limits.ts';
import { type AppEnv, anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { allShares, revokeShare, type Share, sharesOf } from '../models/orders/shares.ts';
import { drawCard } from '../services/boards/draw-card.ts';
import { findOrder } from '../services/orders/find-order.ts';
import { deliverResults } from '../services/results/deliver-results.ts';
import { countRows } from '../services/results/page-results.ts';
import { shareResults } from '../services/results/share-results.ts';
import { sharedCard, spanOf } from '../services/results/shared-card.ts';
import { behindShare, sharePath } from '../services/results/shared-link.ts';
import { shortPath } from '../short-links.ts';
import { linkPicture, studioOf } from './cards.ts';

const sharesPerUser = limitedByUser('SHARE_USER');

/** A link as its owner sees it: the token is signed anew, the row decides whether it works. */
const shareAnswer = async (context: Context<UserEnv>, share: Share) => ({
  share_id: share.id,
  created_at: share.created_at,
  expires_at: share.expires_at,
  path: await sharePath(context.env, share),
  short: shortPath(share.id),
});

/** What the token of a link opens, or a refusal that does not tell why it opens nothing. */
async function opened(context: Context<AppEnv>, token: string) {
  const shared = await behindShare(context.env, context.get('db'), token);
  if (!shared) throw new Refusal('not_found', DEAD_LINK);
  return shared;
}

/** Read-only links to the results of an item, or of a whole order together. */
export const shares = new Hono<UserEnv>({ strict: false })
  .get('/account/shares', signedIn, answers(accountShares), async (context) => {
    const links = await allShares(context.get('db'), context.get('user').id);
    return answer(context, {
      shares: await Promise.all(
        links.map(async ({ share, ...about }) => ({
          ...(await shareAnswer(context, share)),
          item_id: share.item_id,
          combined: share.order_id !== null,
          ...about,
        })),
      ),
    });
  })
  .get('/order/:id/shares', keyScope('read'), signedIn, answers(shareList), async (context) => {
    const [db, userId, id] = [context.get('db'), context.get('user').id, context.req.param('id')];
    await findOrder(db, userId, id);
    const links = await sharesOf(db, userId, id);
    return answer(context, { shares: await Promise.all(links.map((share) => shareAnswer(context, share))) });
  })
  .post(
    '/order/:id/shares',
    signedIn,
    sharesPerUser,
    validate('json', shareCreate),
    answers(share),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { days } = context.req.valid('json');
      return answer(context, await shareAnswer(context, await shareResults(db, userId, context.req.param('id'), days)));
    },
  )
  .delete('/order/:id/shares/:share_id', signedIn, answers(done), async (context) => {
    const { id: itemId, share_id: id } = context.req.param();
    const userId = context.get('user').id;
    if (!(await revokeShare(context.get('db'), { userId, itemId, id }))) throw notFound('link');
    return answer(context, {});
  });

/** Files and pictures are made for each who asks: so many for an address. */
const perVisitor = limited<AppEnv>('DOWNLOAD_USER', (context) => addressOf(context) || 'nobody');

/** What anyone with a link may see. */
export const shared = new Hono<AppEnv>({ strict: false })
  .get('/shared/:token', anyone, answers(sharedResults), async (context) => {
    const { game, combined, snapshots, expires_at } = await opened(context, context.req.param('token'));
    const { kingdoms, captured_at } = spanOf(snapshots);
    return answer(context, {
      game,
      kind: snapshots.every(({ kind }) => kind === 'history') ? 'history' : 'scan',
      combined,
      kingdom_id: snapshots[0].kingdom_id,
      kingdom_count: kingdoms,
      captured_at,
      rows: countRows(snapshots),
      expires_at,
    });
  })
  .get(
    '/shared/:token/download',
    anyone,
    perVisitor,
    validate('query', downloadQuery),
    answers(downloaded, ...FILE_TYPES),
    async (context) => {
      const { snapshots } = await opened(context, context.req.param('token'));
      return deliverResults(context.env.STORE, snapshots, context.req.valid('query'), context.req.header('accept'));
    },
  )
  .get('/shared/:token/card.png', anyone, perVisitor, sends('image/png'), async (context) => {
    const card = await sharedCard(context.env.STORE, await opened(context, context.req.param('token')));
    return linkPicture(await drawCard(studioOf(context.env, context.req.raw), card));
  });
