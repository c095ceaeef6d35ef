import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { DEAD_LINK } from '../../domain/dead-link.ts';
import { accountShares, share, sharedResults, shareList } from '../../domain/orders/answers.ts';
import { downloadQuery, MAX_ITEM_SHARES, MAX_SHARES, shareCreate } from '../../domain/orders/contract.ts';
import { refusalOf } from '../../domain/orders/order.ts';
import { downloaded } from '../../domain/scans/answers.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { FILE_TYPES } from '../files/export.ts';
import { answers, sends } from '../middleware/answers.ts';
import { addressOf, limited, limitedByUser } from '../middleware/limits.ts';
import { type AppEnv, anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { itemOf } from '../models/orders/orders.ts';
import { allShares, openShare, revokeShare, type Share, sharesOf } from '../models/orders/shares.ts';
import { drawCard } from '../services/boards/draw-card.ts';
import { deliverResults } from '../services/results/deliver-results.ts';
import { sharedCard } from '../services/results/shared-card.ts';
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

/** Read-only links to an item's results. */
export const shares = new Hono<UserEnv>({ strict: false })
  .get('/account/shares', signedIn, answers(accountShares), async (context) => {
    const links = await allShares(context.get('db'), context.get('user').id);
    return answer(context, {
      shares: await Promise.all(
        links.map(async ({ share, ...about }) => ({
          ...(await shareAnswer(context, share)),
          item_id: share.item_id,
          ...about,
        })),
      ),
    });
  })
  .get('/order/:item_id/shares', keyScope('read'), signedIn, answers(shareList), async (context) => {
    const [db, userId] = [context.get('db'), context.get('user').id];
    const found = await itemOf(db, userId, context.req.param('item_id'));
    if (!found) throw notFound('item');
    const links = await sharesOf(db, userId, found.item.id);
    return answer(context, { shares: await Promise.all(links.map((share) => shareAnswer(context, share))) });
  })
  .post(
    '/order/:item_id/shares',
    signedIn,
    sharesPerUser,
    validate('json', shareCreate),
    answers(share),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const found = await itemOf(db, userId, context.req.param('item_id'));
      if (!found) throw notFound('item');
      const refusal = refusalOf('share', { ...found.item, has_results: found.snapshot !== null });
      if (refusal) throw new Refusal('conflict', refusal);
      const { days } = context.req.valid('json');
      const made = await openShare(db, { itemId: found.item.id, userId, days });
      if (!made)
        throw new Refusal(
          'conflict',
          `An item can have ${MAX_ITEM_SHARES} active links, an account ${MAX_SHARES}: close one first (My Account, Shared links).`,
        );
      return answer(context, await shareAnswer(context, made));
    },
  )
  .delete('/order/:item_id/shares/:share_id', signedIn, answers(done), async (context) => {
    const { item_id: itemId, share_id: id } = context.req.param();
    const userId = context.get('user').id;
    if (!(await revokeShare(context.get('db'), { userId, itemId, id }))) throw notFound('link');
    return answer(context, {});
  });

/** Files and pictures are made for each who asks: so many for an address. */
const perVisitor = limited<AppEnv>('DOWNLOAD_USER', (context) => addressOf(context) || 'nobody');

/** What anyone with a link may see. */
export const shared = new Hono<AppEnv>({ strict: false })
  .get('/shared/:token', anyone, answers(sharedResults), async (context) => {
    const { item, snapshot, expires_at } = await opened(context, context.req.param('token'));
    return answer(context, {
      game: item.game,
      kingdom_id: item.kingdom_id,
      captured_at: snapshot.captured_at,
      rows: snapshot.rows,
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
      const { snapshot } = await opened(context, context.req.param('token'));
      return deliverResults(context.env.STORE, [snapshot], context.req.valid('query'), context.req.header('accept'));
    },
  )
  .get('/shared/:token/card.png', anyone, perVisitor, sends('image/png'), async (context) => {
    const { item, snapshot } = await opened(context, context.req.param('token'));
    const card = await sharedCard(context.env.STORE, { game: item.game, kingdom_id: item.kingdom_id, snapshot });
    return linkPicture(await drawCard(studioOf(context.env, context.req.raw), card));
  });
