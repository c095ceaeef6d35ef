import type * as z from 'zod';
import type { downloadQuery } from '../../../domain/orders/contract.ts';
import { itemIn } from '../../../domain/orders/ids.ts';
import { orderRefusal, refusalOf } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { type OrderSnapshot, snapshotsOfNamed, standingsOf } from '../../models/orders/orders.ts';
import { versionsOf } from '../../models/scans/snapshots.ts';
import { findItem, findOrder } from '../orders/find-order.ts';
import type { Stored } from './page-results.ts';

type Wanted = Pick<z.output<typeof downloadQuery>, 'all' | 'version'>;

/**
 * Returns all snapshots of the order that an id refers to.
 * @throws Refusal not_found, or conflict if there are none.
 */
export async function resultsOfOrder(db: Db, userId: string, id: string): Promise<OrderSnapshot[]> {
  const snapshots = await snapshotsOfNamed(db, userId, id);
  if (snapshots.length > 0) return snapshots;
  const { orderId } = await findOrder(db, userId, id, 'read');
  const standings = (await standingsOf(db, [orderId])).get(orderId) ?? {};
  throw new Refusal('conflict', orderRefusal('download', standings) ?? 'There are no results yet.');
}

/**
 * Returns the snapshots that an id refers to: an item's (or an earlier version), or those of its whole order.
 * @throws Refusal not_found, or conflict if there are no results.
 */
export async function findResults(db: Db, userId: string, id: string, { all, version }: Wanted): Promise<Stored[]> {
  if (all || itemIn(id) === null) return resultsOfOrder(db, userId, id);
  const found = await findItem(db, userId, id, 'read');
  if (version !== undefined) {
    const kept = (await versionsOf(db, id)).find((each) => each.version === version);
    if (!kept) throw notFound('version');
    return [{ ...kept, game: found.item.game, kingdom_id: found.item.kingdom_id }];
  }
  const refusal = refusalOf('download', { ...found.item, has_results: found.snapshot !== null });
  if (refusal) throw new Refusal('conflict', refusal);
  return found.snapshot ? [found.snapshot] : [];
}
