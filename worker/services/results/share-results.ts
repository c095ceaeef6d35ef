import { MAX_ITEM_SHARES, MAX_SHARES } from '../../../domain/orders/contract.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { openShare, type Share } from '../../models/orders/shares.ts';
import { findOrder } from '../orders/find-order.ts';
import { findResults, resultsOfOrder } from './find-results.ts';

/**
 * Opens the results that an id stands for to whoever has the link, for so many days: those of an item, or by the number
 * of an order those of all its items together.
 * @throws Refusal not_found, or conflict where there are no results or too many links.
 */
export async function shareResults(db: Db, userId: string, id: string, days: number): Promise<Share> {
  const { orderId, itemId } = await findOrder(db, userId, id);
  const whole = itemId === null;
  const [first] = whole
    ? (await resultsOfOrder(db, orderId)).map(({ item_id }) => item_id)
    : (await findResults(db, userId, id, { all: false })).map(() => itemId);
  if (first === undefined) throw notFound('item');
  const made = await openShare(db, { itemId: first, orderId: whole ? orderId : null, userId, days });
  if (made) return made;
  throw new Refusal(
    'conflict',
    `${whole ? 'An order' : 'An item'} can have ${MAX_ITEM_SHARES} active links, an account ${MAX_SHARES}: close one first (My Account, Shared links).`,
  );
}
