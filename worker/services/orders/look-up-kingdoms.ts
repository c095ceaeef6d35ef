import { sentence } from '../../../domain/language/text.ts';
import type { Product } from '../../../domain/orders/catalogue.ts';
import { MAX_LOOKED_UP } from '../../../domain/orders/outlook.ts';
import type { KingdomOutlook } from '../../../domain/orders/outlook-contract.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { outlooksOf, storedOf } from '../../models/kingdoms/outlook.ts';

/** Returns what to expect of kingdoms before they are ordered, in the order given. */
export async function lookUpKingdoms(
  db: Db,
  store: R2Bucket,
  { kind, game }: Pick<Product, 'kind' | 'game'>,
  ids: readonly number[],
): Promise<KingdomOutlook[]> {
  if (ids.length > MAX_LOOKED_UP[kind])
    throw new Refusal(
      'invalid',
      sentence('must be {count} at most for this product.', { count: MAX_LOOKED_UP[kind] }, 'kingdoms'),
    );
  const outlooks = await outlooksOf(db, game, ids);
  const stored = new Map<number, KingdomOutlook['stored']>();
  const look = async (each: (typeof outlooks)[number]): Promise<void> => {
    stored.set(each.kingdom_id, await storedOf(db, store, game, each));
  };
  if (kind === 'history') await forEachAtOnce(outlooks, look);
  return outlooks.map((each) => ({ ...each, stored: stored.get(each.kingdom_id) ?? null }));
}
