import type { Product } from '../../../domain/orders/catalogue.ts';
import { MAX_LOOKED_UP } from '../../../domain/orders/outlook.ts';
import type { KingdomOutlook } from '../../../domain/orders/outlook-contract.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { outlooksOf, storedOf } from '../../models/kingdoms/outlook.ts';

/** Returns what to expect of kingdoms before they are ordered, in the order given. */
export async function lookUpKingdoms(
  db: Db,
  { kind, game }: Pick<Product, 'kind' | 'game'>,
  ids: readonly number[],
): Promise<KingdomOutlook[]> {
  if (ids.length > MAX_LOOKED_UP[kind])
    throw new Refusal('invalid', `kingdoms: must be ${MAX_LOOKED_UP[kind]} at most for this product.`);
  const outlooks = await outlooksOf(db, game, ids);
  return Promise.all(
    outlooks.map(async (each) => ({ ...each, stored: kind === 'history' ? await storedOf(db, game, each) : null })),
  );
}
