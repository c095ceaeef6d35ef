import { Hono } from 'hono';
import type * as z from 'zod';
import { downloadQuery } from '../../domain/contract.ts';
import { orderRefusal, refusalOf } from '../../domain/order.ts';
import type { Db } from '../db/open.ts';
import { deliver } from '../deliver.ts';
import { notFound, Refusal } from '../errors.ts';
import { limited } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { itemOf, orderOf, snapshotsOfOrder, standingsOf } from '../models/orders.ts';
import { versionsOf } from '../models/snapshots.ts';

type Wanted = Pick<z.infer<typeof downloadQuery>, 'all' | 'version'>;

async function combinedKeys(db: Db, orderId: number): Promise<string[]> {
  const keys = (await snapshotsOfOrder(db, orderId)).map(({ key }) => key);
  if (keys.length > 0) return keys;
  const standings = (await standingsOf(db, [orderId])).get(orderId) ?? {};
  throw new Refusal('conflict', orderRefusal('download', standings) ?? 'There are no results yet.');
}

/** Keys of the snapshots that an id stands for: an item's own (or an earlier version), or those of its whole order. */
async function snapshotKeys(db: Db, userId: string, id: string, { all, version }: Wanted): Promise<string[]> {
  if (/^\d+$/.test(id)) {
    const order = await orderOf(db, userId, Number(id));
    if (!order) throw notFound('order');
    return combinedKeys(db, order.id);
  }
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  if (all) return combinedKeys(db, found.item.order_id);
  if (version !== undefined) {
    const kept = (await versionsOf(db, id)).find((each) => each.version === version);
    if (!kept) throw notFound('version');
    return [kept.key];
  }
  const refusal = refusalOf('download', { state: found.item.state, has_results: found.snapshot !== null });
  if (refusal) throw new Refusal('conflict', refusal);
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
    const snapshots = await snapshotKeys(context.get('db'), context.get('user').id, id, query);
    return deliver(context, snapshots, query);
  },
);
