import { Hono } from 'hono';
import { downloadQuery } from '../../domain/contract.ts';
import type { Db } from '../db/open.ts';
import { deliver } from '../deliver.ts';
import { notFound } from '../errors.ts';
import { limited } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { itemOf, orderOf, snapshotsOfOrder } from '../models/orders.ts';

/** Keys of the snapshots that an id stands for: an item's own, or those of all items of its order. */
async function snapshotKeys(db: Db, userId: string, id: string, all: boolean): Promise<string[]> {
  if (/^\d+$/.test(id)) {
    const order = await orderOf(db, userId, Number(id));
    if (!order) throw notFound('order');
    return (await snapshotsOfOrder(db, order.id)).map(({ key }) => key);
  }
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  if (all) return (await snapshotsOfOrder(db, found.item.order_id)).map(({ key }) => key);
  return found.snapshot ? [found.snapshot.key] : [];
}

export const downloads = new Hono<UserEnv>({ strict: false }).get(
  '/order/:id/download',
  signedIn,
  limited<UserEnv>('DOWNLOAD_USER', (context) => context.get('user').id),
  validate('query', downloadQuery),
  async (context) => {
    const query = context.req.valid('query');
    const id = context.req.param('id');
    const snapshots = await snapshotKeys(context.get('db'), context.get('user').id, id, query.all);
    return deliver(context, snapshots, query);
  },
);
