import type { Db } from '../../db/open.ts';
import type { Operator } from '../../models/service/operator.ts';
import { recallItem, type Sold } from '../../models/service/recall.ts';
import { packKingdom } from '../histories/pack-histories.ts';

/** Recalls items delivered with a bot's rows, deletes their objects and packs their kingdoms again. Returns how many. */
export async function recallSold(
  db: Db,
  store: R2Bucket,
  operator: Operator,
  { bot, items }: { bot: string; items: readonly Sold[] },
): Promise<number> {
  let recalled = 0;
  for (const { item_id, game, kingdom_id } of items) {
    const keys = await recallItem(db, operator, { item_id, bot });
    if (!keys) continue;
    recalled++;
    if (keys.length > 0) await store.delete(keys);
    const now = Date.now();
    await packKingdom(db, store, { game, kingdom_id }, now, now);
  }
  return recalled;
}
