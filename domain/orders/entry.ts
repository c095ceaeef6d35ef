import type { Cents } from '../money/money.ts';
import { isReady, type Product, productOf } from './catalogue.ts';
import { checkParams, type OrderEntry } from './contract.ts';
import { priceOf } from './pricing.ts';

/** An entry that has been checked and priced. */
export interface PricedEntry {
  product: Product;
  entry: OrderEntry;
  price: Cents;
}

/** Why an entry cannot be ordered: it never could, or not with today's configuration. */
export interface EntryFlaw {
  kind: 'refused' | 'not_ready';
  flaw: string;
}

/**
 * Checks and prices one entry by the catalogue and the products that are ready (`configured`, ids with commas). What
 * the client said of the price is not looked at.
 */
export function priceEntry(entry: OrderEntry, configured: string): PricedEntry | EntryFlaw {
  const product = productOf(entry.type);
  if (!product) return { kind: 'refused', flaw: `there is no product '${entry.type}'.` };
  if (!isReady(product, configured))
    return { kind: 'not_ready', flaw: `${product.group}: ${product.name} cannot be ordered yet.` };
  const flaw = checkParams(product, entry.params);
  return flaw ? { kind: 'refused', flaw } : { product, entry, price: priceOf(product, entry.params) };
}
