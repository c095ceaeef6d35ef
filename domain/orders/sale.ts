import { type Day, dayOf } from '../days.ts';
import { type Cents, dollars } from '../money/money.ts';
import { PRODUCTS, type Product } from './catalogue.ts';

/**
 * The products for sale and their prices. The catalogue and the deployment's setting are the defaults; admins change
 * them while the service runs.
 */

export interface DatedPrice {
  /** The day in UTC from which it holds. */
  from: Day;
  price: Cents;
}

export const READINESS = ['available', 'paused'] as const;
export type Readiness = (typeof READINESS)[number];

/** A product's prices and readiness as admins set them. */
export interface Terms {
  /** Oldest first. Before the first one, the catalogue's price holds. */
  prices: readonly DatedPrice[];
  /** Null if the deployment's setting decides. */
  readiness: Readiness | null;
  /** Tells customers why it is paused; empty otherwise. */
  sentence: string;
}

export const NO_TERMS: Terms = { prices: [], readiness: null, sentence: '' };

export interface Sale {
  /**
   * The deployment's setting: ids of the products on sale, separated by commas, with the day in UTC if they open later
   * ('rok-history@2027-02-01') (specification, section 4).
   */
  configured: string;
  /** By product id. */
  terms: Readonly<Record<string, Terms>>;
}

/** Returns what is for sale if admins set nothing. */
export const configuredSale = (configured: string): Sale => ({ configured, terms: {} });

const termsOf = ({ id }: Pick<Product, 'id'>, { terms }: Sale): Terms => terms[id] ?? NO_TERMS;

/** Returns the price that holds on a day. */
export const priceOn = (product: Product, { prices }: Terms, day: Day): Cents =>
  prices.findLast(({ from }) => from <= day)?.price ?? product.price;

/** Returns a product at the price of the day. */
export const onSale = (product: Product, sale: Sale, now: number): Product => ({
  ...product,
  price: priceOn(product, termsOf(product, sale), dayOf(now)),
});

/** Returns when a product opens for orders, in epoch milliseconds; 0 if it is open, null if unknown. */
export function onSaleFrom(product: Pick<Product, 'id'>, sale: Sale): number | null {
  const { readiness } = termsOf(product, sale);
  if (readiness !== null) return readiness === 'available' ? 0 : null;
  for (const entry of sale.configured.split(',')) {
    const [id, day] = entry.trim().split('@');
    if (id === product.id) return day === undefined ? 0 : Date.parse(day);
  }
  return null;
}

/** Returns whether a product can be ordered now. */
export function isReady(product: Pick<Product, 'id'>, sale: Sale, now = Date.now()): boolean {
  const from = onSaleFrom(product, sale);
  return from !== null && from <= now;
}

/** Returns why admins paused a product, as a sentence; null if they did not. */
export function pauseOf(product: Pick<Product, 'id'>, sale: Sale): string | null {
  const { readiness, sentence } = termsOf(product, sale);
  return readiness === 'paused' ? sentence : null;
}

/** Returns when a price changes or a product opens next, in epoch milliseconds; null if nothing is planned. */
export function nextChange(sale: Sale, now: number): number | null {
  const moments = PRODUCTS.flatMap((product) => [
    onSaleFrom(product, sale) ?? 0,
    ...termsOf(product, sale).prices.map(({ from }) => Date.parse(from)),
  ]).filter((moment) => moment > now);
  return moments.length > 0 ? Math.min(...moments) : null;
}

const usd = (cents: Cents | null) => (cents === null ? null : dollars(cents));

/** Returns the answer of `GET /v1/products/list`: groups with their items, amounts in dollars. */
export function listing(sale: Sale, now = Date.now()) {
  const products = PRODUCTS.map((product) => onSale(product, sale, now));
  return [...Map.groupBy(products, ({ group }) => group)].map(([name, items]) => ({
    name,
    items: items.map((product) => ({
      ...product,
      price: dollars(product.price),
      price_extra: usd(product.price_extra),
      ready: isReady(product, sale, now),
      ready_from: onSaleFrom(product, sale) || null,
      paused: pauseOf(product, sale),
    })),
  }));
}
