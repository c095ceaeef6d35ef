import type * as z from 'zod';
import { dayOf } from '../../../domain/days.ts';
import { sentence } from '../../../domain/language/text.ts';
import { changedMeanwhile } from '../../../domain/meanwhile.ts';
import { dollars, formatCents } from '../../../domain/money/money.ts';
import { PRODUCTS, productOf } from '../../../domain/orders/catalogue.ts';
import type { adminProducts, priceChange, readinessChange } from '../../../domain/orders/product-contract.ts';
import {
  type DatedPrice,
  isReady,
  NO_TERMS,
  onSaleFrom,
  priceOn,
  type Sale,
  type Terms,
} from '../../../domain/orders/sale.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { PRODUCTS_TAG, purge } from '../../gateways/workers-cache.ts';
import { allTerms, termsOf, writeTerms } from '../../models/orders/sale.ts';
import type { Setting } from '../../models/service/settings.ts';
import { type Caller, proveFactor } from '../accounts/prove-person.ts';

/** Maximum number of prices stored for a product. Older ones are only in the activity log. */
const MOST_PRICES = 50;

const UNCHANGED: Setting<Terms> = { value: NO_TERMS, version: 0 };

/** Returns the products with their prices and readiness. */
export async function showProducts(db: Db, env: Env, now = Date.now()): Promise<z.infer<typeof adminProducts>> {
  const set = await allTerms(db);
  const today = dayOf(now);
  return {
    today,
    products: PRODUCTS.map((product) => {
      const { value, version } = set[product.id] ?? UNCHANGED;
      const sale: Sale = { configured: env.READY_PRODUCTS, terms: { [product.id]: value } };
      return {
        ...{ id: product.id, game: product.game, group: product.group, name: product.name },
        price: dollars(priceOn(product, value, today)),
        price_chunk: product.price_chunk,
        first_price: dollars(product.price),
        prices: value.prices.map(({ from, price }) => ({ from, price: dollars(price) })),
        ready: isReady(product, sale, now),
        ready_from: onSaleFrom(product, sale) || null,
        readiness: value.readiness,
        sentence: value.sentence,
        version,
      };
    }),
  };
}

/** The values of an edit, by the fields of its form. */
type Wanted = Record<string, unknown>;

interface Change {
  product: string;
  version: number;
  action: string;
  reason: string;
  admin: { id: string; address: string };
  /** Returns the new terms. */
  change: (before: Terms) => Terms;
  /** Returns the edited values in some terms. */
  told: (terms: Terms) => Wanted;
}

/**
 * Stores new terms with their audit entry. @throws Refusal conflict, with the difference, if they changed meanwhile.
 */
async function changeTerms(db: Db, { product, version, action, reason, admin, change, told }: Change): Promise<void> {
  const { value: before } = await termsOf(db, product);
  const after = change(before);
  const written = await writeTerms(
    db,
    product,
    { value: after, version },
    {
      ...{ userId: null, actor: `admin:${admin.id}`, action, subject: product, address: admin.address },
      detail: { reason, before: told(before), after: told(after) },
    },
  );
  if (written) return purge([PRODUCTS_TAG]);
  const { value: theirs } = await termsOf(db, product);
  const [mine, now] = [told(after), told(theirs)];
  throw new Refusal('conflict', changedMeanwhile(mine, now, Object.keys(mine)));
}

/** Returns the prices with one more, which replaces that of the same day. A null price removes it. */
function withPrice(prices: readonly DatedPrice[], from: string, price: number | null): DatedPrice[] {
  const others = prices.filter((each) => each.from !== from);
  const all = price === null ? others : [...others, { from, price }];
  return all.sort((one, other) => (one.from < other.from ? -1 : 1)).slice(-MOST_PRICES);
}

/**
 * Sets the price of a product from a day on. Orders keep the price at which they were placed.
 * @throws Refusal not_found, invalid for a day that is over or has no price to remove, forbidden for a wrong code of
 * the second factor, or conflict if somebody changed the product meanwhile.
 */
export async function changePrice(
  db: Db,
  env: Env,
  { user, address }: Caller,
  { product_id, from, price, version, reason, code }: z.output<typeof priceChange> & { product_id: string },
  now = Date.now(),
): Promise<void> {
  if (!productOf(product_id)) throw notFound('product');
  if (from < dayOf(now))
    throw new Refusal(
      'invalid',
      sentence('is in the past. The first day of a new price is {day}.', { day: dayOf(now) }, 'from'),
    );
  await proveFactor(db, env, user, code);
  await changeTerms(db, {
    ...{ product: product_id, version, reason, action: 'product.priced' },
    admin: { id: user.id, address },
    change: (before) => {
      if (price === null && !before.prices.some((each) => each.from === from))
        throw new Refusal('invalid', sentence('no price begins on {day}.', { day: from }, 'from'));
      const prices = withPrice(before.prices, from, price);
      if (prices[0] && prices.length === MOST_PRICES && prices[0].from > dayOf(now))
        throw new Refusal(
          'invalid',
          sentence('{count} prices are planned already. Remove one first.', { count: MOST_PRICES }, 'from'),
        );
      return { ...before, prices };
    },
    told: ({ prices }) => {
      const set = prices.find((each) => each.from === from);
      return { from, price: set ? formatCents(set.price) : null };
    },
  });
}

/**
 * Makes a product available, or pauses it with a sentence for customers.
 * @throws Refusal not_found, or conflict if somebody changed the product meanwhile.
 */
export async function changeReadiness(
  db: Db,
  { product_id, readiness, sentence, version, reason }: z.output<typeof readinessChange> & { product_id: string },
  admin: { id: string; address: string },
): Promise<void> {
  if (!productOf(product_id)) throw notFound('product');
  await changeTerms(db, {
    ...{ product: product_id, version, reason, admin, action: `product.${readiness}` },
    change: (before) => ({ ...before, readiness, sentence }),
    told: (terms) => ({ readiness: terms.readiness, sentence: terms.sentence || null }),
  });
}
