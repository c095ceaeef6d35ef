import type { Db } from '../../db/open.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import type { Operator } from '../../models/service/operator.ts';
import { type Remains, recallItem, remainsOf, type Sold } from '../../models/service/recall.ts';
import { packKingdom } from '../histories/pack-histories.ts';

/** Most keys of one deletion (developers.cloudflare.com/r2/api/workers/workers-api-reference). */
const DELETED_AT_ONCE = 1000;

/**
 * Packs the kingdoms of recalled items again, then deletes their objects. They go last, because their existence marks
 * the recall as unfinished.
 */
async function clear(db: Db, store: R2Bucket, recalled: readonly Remains[]): Promise<void> {
  const kingdoms = new Map(recalled.map(({ game, kingdom_id }) => [`${game} ${kingdom_id}`, { game, kingdom_id }]));
  for (const kingdom of kingdoms.values()) {
    const now = Date.now();
    await packKingdom(db, store, kingdom, now, now);
  }
  const keys = recalled.flatMap((one) => one.keys);
  for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) await store.delete(keys.slice(at, at + DELETED_AT_ONCE));
}

/**
 * Recalls items delivered with a bot's rows, packs their kingdoms again and deletes their objects. Also ends recalls
 * that were cut short. Returns how many of each.
 */
export async function recallSold(
  db: Db,
  store: R2Bucket,
  operator: Operator,
  { bot, items }: { bot: string; items: readonly Sold[] },
): Promise<{ recalled: number; resumed: number }> {
  const unfinished: Remains[] = [];
  await forEachAtOnce(await remainsOf(db, bot), async (remains) => {
    for (const key of remains.keys) if (await store.head(key)) return void unfinished.push(remains);
  });
  const recalled: Remains[] = [];
  for (const { item_id, game, kingdom_id } of items) {
    const keys = await recallItem(db, operator, { item_id, bot });
    if (keys) recalled.push({ game, kingdom_id, keys });
  }
  await clear(db, store, [...unfinished, ...recalled]);
  return { recalled: recalled.length, resumed: unfinished.length };
}
