import type * as z from 'zod';
import { sentence } from '../../../domain/language/text.ts';
import type { accountShares, share as shareAnswer, shareList } from '../../../domain/orders/answers.ts';
import { MAX_ITEM_SHARES, MAX_SHARES } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { shortPath } from '../../http/short-links.ts';
import { allShares, openShare, revokeShare, type Share, sharesOf } from '../../models/orders/shares.ts';
import { findOrder, type Named } from '../orders/find-order.ts';
import { findResults, resultsOfOrder } from './find-results.ts';
import { sharePath } from './shared-link.ts';

/** Returns a link as its owner sees it. The token is signed again each time; the row decides whether it works. */
const shownShare = async (env: Env, share: Share): Promise<z.infer<typeof shareAnswer>> => ({
  share_id: share.id,
  created_at: share.created_at,
  expires_at: share.expires_at,
  path: await sharePath(env, share),
  short: shortPath(share.id),
});

/** Returns all active links of a user, with what each shows. */
export async function listOwnShares(db: Db, env: Env, userId: string): Promise<z.infer<typeof accountShares>> {
  const links = await allShares(db, userId);
  const shares = links.map(async ({ share, ...about }) => ({
    ...(await shownShare(env, share)),
    item_id: share.item_id,
    combined: share.order_id !== null,
    ...about,
  }));
  return { shares: await Promise.all(shares) };
}

const sharedBy = ({ orderId, itemId }: Named): string => itemId ?? String(orderId);

/** Revokes a link. @throws Refusal not_found if it is not the user's, leads elsewhere or is already revoked. */
export async function closeShare(db: Db, userId: string, { id, share_id }: { id: string; share_id: string }) {
  const itemId = sharedBy(await findOrder(db, userId, id));
  if (!(await revokeShare(db, { userId, itemId, id: share_id }))) throw notFound('link');
}

/** Returns the active links to an order, by its number, or to an item. @throws Refusal not_found. */
export async function listSharesOf(db: Db, env: Env, userId: string, id: string): Promise<z.infer<typeof shareList>> {
  const links = await sharesOf(db, userId, sharedBy(await findOrder(db, userId, id)));
  return { shares: await Promise.all(links.map((share) => shownShare(env, share))) };
}

/**
 * Creates a link to an item's results, or to those of a whole order, valid for `days` days.
 * @throws Refusal not_found, or conflict if there are no results or too many links.
 */
export async function shareResults(
  db: Db,
  env: Env,
  userId: string,
  { id, days }: { id: string; days: number },
): Promise<z.infer<typeof shareAnswer>> {
  const { orderId, itemId } = await findOrder(db, userId, id);
  const whole = itemId === null;
  const [first] = whole
    ? (await resultsOfOrder(db, userId, id)).map(({ item_id }) => item_id)
    : (await findResults(db, userId, id, { all: false })).map(() => itemId);
  if (first === undefined) throw notFound('item');
  const made = await openShare(db, { itemId: first, orderId: whole ? orderId : null, userId, days });
  if (made) return shownShare(env, made);
  throw new Refusal(
    'conflict',
    sentence(
      '{of, select, order {An order} other {An item}} can have {count} active links, an account {most}: close one first (My Account, Shared links).',
      { of: whole ? 'order' : 'item', count: MAX_ITEM_SHARES, most: MAX_SHARES },
    ),
  );
}
