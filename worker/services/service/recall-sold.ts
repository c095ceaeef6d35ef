import type { Db } from '../../db/open.ts';
import type { Operator } from '../../models/service/operator.ts';
import { type Remains, recallItem, remainsOf, type Sold } from '../../models/service/recall.ts';
import { packKingdom } from '../histories/pack-histories.ts';

/** Packs the kingdom of a recalled item again, then deletes its objects, which show until then that this is to be done. */
async function clear(db: Db, store: R2Bucket, { game, kingdom_id, keys }: Remains): Promise<void> {
  const now = Date.now();
  await packKingdom(db, store, { game, kingdom_id }, now, now);
  await store.delete(keys);
}

/**
 * Recalls items delivered with a bot's rows, packs their kingdoms again and deletes their objects. Before that it ends
 * recalls that were cut short. Returns how many of each.
 */
export async function recallSold(
  db: Db,
  store: R2Bucket,
  operator: Operator,
  { bot, items }: { bot: string; items: readonly Sold[] },
): Promise<{ recalled: number; resumed: number }> {
  let [recalled, resumed] = [0, 0];
  for (const remains of await remainsOf(db, bot)) {
    const objects = await Promise.all(remains.keys.map((key) => store.head(key)));
    if (objects.every((object) => object === null)) continue;
    resumed++;
    await clear(db, store, remains);
  }
  for (const { item_id, game, kingdom_id } of items) {
    const keys = await recallItem(db, operator, { item_id, bot });
    if (!keys) continue;
    recalled++;
    await clear(db, store, { game, kingdom_id, keys });
  }
  return { recalled, resumed };
}
