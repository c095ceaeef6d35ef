import { queryOptions } from '@tanstack/react-query';
import { centsOf } from '../../domain/money/money.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchGroups = (signal?: AbortSignal) => dataOf(api.products.list.$get({}, { init: { signal } }));

type Group = Awaited<ReturnType<typeof fetchGroups>>[number];

/** A product as the wire has it, with its group, amounts in whole cents as domain/orders/pricing.ts takes them. */
const offerOf = (group: string, product: Group['items'][number]) => ({
  ...product,
  group,
  price: centsOf(product.price) ?? 0,
  price_extra: product.price_extra === null ? null : centsOf(product.price_extra),
});

export type Offer = ReturnType<typeof offerOf>;

export interface OfferGroup {
  name: string;
  items: Offer[];
}

/** What can be ordered, by group. */
export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: async ({ signal }): Promise<OfferGroup[]> => {
    const groups = await fetchGroups(signal);
    return groups.map(({ name, items }) => ({ name, items: items.map((item) => offerOf(name, item)) }));
  },
  staleTime: 5 * 60_000,
});

const fetchOutlooks = (product: string, kingdoms: string, signal: AbortSignal) =>
  dataOf(
    api.products[':product_id'].kingdoms.$get(
      { param: { product_id: product }, query: { kingdoms } },
      { init: { signal } },
    ),
  );

/** What the service knows of a kingdom before it is ordered. */
export type Outlook = Awaited<ReturnType<typeof fetchOutlooks>>[number];

/** What to expect of kingdoms (numbers, separated by commas) that a product is ordered for. */
export const outlooksQuery = (product: string, kingdoms: string) =>
  queryOptions({
    queryKey: ['outlooks', product, kingdoms],
    queryFn: ({ signal }) => fetchOutlooks(product, kingdoms, signal),
    staleTime: 60_000,
  });
