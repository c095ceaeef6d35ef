import { dollars } from '../../../domain/money/money.ts';
import { REPAIR_EVERY_MS } from '../../../domain/orders/order.ts';
import { isBad, type Quality } from '../../../domain/scans/quality.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { refusedFor } from '../../errors.ts';
import { wholeTable } from '../../files/parquet.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import { cancelItems } from '../../models/orders/cancellations.ts';
import { type Repairable, repairableItems, repairItem } from '../../models/orders/repairs.ts';
import { findOrder, refusedTo } from './find-order.ts';

/**
 * Cancels an order's items without results, or one item, and refunds them.
 * @throws Refusal not_found, or conflict with the reason if nothing can be cancelled.
 */
export async function cancelOrder(
  db: Db,
  env: Env,
  { userId, id }: { userId: string; id: string },
): Promise<{ cancelled: number; returned: number }> {
  const named = await findOrder(db, userId, id);
  const cancelled = await cancelItems(db, { ...named, userId });
  if (!cancelled) throw await refusedTo(db, 'cancel', named);
  await callOrder(env, named.orderId, (object) => object.cancel(cancelled.items));
  return { cancelled: cancelled.items.length, returned: dollars(cancelled.returned) };
}

/**
 * Returns the positions of rows to scan again, from 0: badly read ones, or all if the results' object is missing. For a
 * whole order, opens only objects with bad rows, because it may have thousands.
 */
export async function badRowsOf(
  store: R2Bucket,
  { key, quality, governors }: Repairable,
  isNamed: boolean,
): Promise<number[]> {
  const counts = JSON.parse(quality ?? '{}') as Partial<Record<Quality, number>>;
  const hasBad = Object.keys(counts).some((each) => isBad(each as Quality));
  if (key === null || (!hasBad && !isNamed)) return [];
  const snapshot = await openIfStored(store, key);
  if (!snapshot) return Array.from({ length: governors }, (_, row) => row);
  if (!hasBad) return [];
  const { quality: marks } = (await wholeTable(snapshot, ['quality'])).texts;
  return (marks ?? []).flatMap((mark, row) => (mark === null ? [] : row));
}

/**
 * Requeues what an order or item lacks or misread. Returns the number of requeued subtasks.
 * @throws Refusal not_found, conflict with the reason, or too_many if all of it was repaired recently.
 */
export async function repairOrder(db: Db, env: Env, { userId, id }: { userId: string; id: string }): Promise<number> {
  const named = await findOrder(db, userId, id);
  const { orderId, itemId } = named;
  const items = (await repairableItems(db, orderId)).filter(({ item_id }) => itemId === null || item_id === itemId);
  if (items.length === 0) throw await refusedTo(db, 'repair', named);
  let requeued = 0;
  let tooSoon = 0;
  for (const item of items) {
    const { item_id } = item;
    const badRows = await badRowsOf(env.STORE, item, itemId !== null);
    const put = await repairItem(db, { item, badRows });
    if (put) await callOrder(env, orderId, (object) => object.lookAgain(item_id));
    requeued += put ?? 0;
    if (put === null) tooSoon += 1;
  }
  if (requeued === 0 && tooSoon > 0)
    throw refusedFor(REPAIR_EVERY_MS / 1000, 'This was repaired within the last ten minutes. Please try again later.');
  return requeued;
}
