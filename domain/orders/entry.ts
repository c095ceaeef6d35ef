import { type Sentence, sentence } from '../language/text.ts';
import { type Cents, dollars } from '../money/money.ts';
import { MAX_ITEMS_PER_ORDER, MAX_RANKS_PER_ORDER, type Product, productOf } from './catalogue.ts';
import type { OrderEntry } from './contract.ts';
import { checkParams } from './params.ts';
import { numberOf, plainParams, priceOf, shownFields, unitsOf } from './pricing.ts';
import { isReady, onSale, pauseOf, type Sale } from './sale.ts';

/** An entry as it is stored: what was bought, without the client's display texts. */
export type KeptEntry = Pick<OrderEntry, 'type' | 'params' | 'price'>;

export interface PricedEntry {
  product: Product;
  entry: KeptEntry;
  price: Cents;
}

/** Why an entry cannot be ordered: invalid, or not for sale now. */
interface EntryFlaw {
  kind: 'refused' | 'not_ready';
  flaw: Sentence;
}

/** Checks one entry and prices it by the prices of the day. The price sent by the client is ignored. */
export function priceEntry(entry: KeptEntry, sale: Sale, now: number): PricedEntry | EntryFlaw {
  const listed = productOf(entry.type);
  if (!listed) return { kind: 'refused', flaw: sentence("there is no product '{name}'.", { name: entry.type }) };
  const product = onSale(listed, sale, now);
  const pause = pauseOf(product, sale);
  const named = {
    product: sentence('{label}: {value}', { label: { message: product.group }, value: { message: product.name } }),
  };
  if (pause !== null) return { kind: 'not_ready', flaw: sentence('{product}: {why}', { ...named, why: pause }) };
  if (!isReady(product, sale, now))
    return { kind: 'not_ready', flaw: sentence('{product} cannot be ordered yet.', named) };
  const flaw = checkParams(product, entry.params);
  if (flaw) return { kind: 'refused', flaw };
  const params = plainParams(product.fields, entry.params);
  const price = priceOf(product, params);
  return { product, entry: { type: entry.type, params, price: dollars(price) }, price };
}

/** Returns why checked entries exceed the limits of one order, as a sentence; null if they do not. */
export function tooMuch(entries: readonly PricedEntry[]): Sentence | null {
  let [items, ranks] = [0, 0];
  for (const { product, entry } of entries) {
    const units = unitsOf(product, entry.params);
    items += units;
    ranks += units * (numberOf(entry.params[product.governors]) ?? 0);
  }
  if (items > MAX_ITEMS_PER_ORDER)
    return sentence('{count} kingdoms or servers are more than the {most} of one order: please make several.', {
      count: items,
      most: MAX_ITEMS_PER_ORDER,
    });
  if (ranks > MAX_RANKS_PER_ORDER)
    return sentence('{count} governors or lords are more than the {most} of one order: please make several.', {
      count: ranks,
      most: MAX_RANKS_PER_ORDER,
    });
  return null;
}

/** Adds the display names of product and fields to a stored entry. */
export function shownEntry(entry: KeptEntry): OrderEntry {
  const { type, params, price } = entry;
  const product = productOf(type);
  if (!product) return { type, params, price };
  const fields = shownFields(product.fields, params);
  return { type, group_name: product.group, product_name: product.name, params, fields, price };
}
