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
