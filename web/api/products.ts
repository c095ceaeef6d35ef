import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { centsOf } from '../../domain/money/money.ts';
import type { productGroups } from '../../domain/orders/answers.ts';
import { publicData } from './client.ts';

type Group = z.infer<typeof productGroups>[number];

/** Adds the group to a product and converts its amounts to whole cents for domain/orders/pricing.ts. */
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

/** Products by group. */
export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: async (context): Promise<OfferGroup[]> => {
    const groups = await publicData<Group[]>('/v1/products/list', context);
    return groups.map(({ name, items }) => ({ name, items: items.map((item) => offerOf(name, item)) }));
  },
  staleTime: 5 * 60_000,
});
