import { queryOptions } from '@tanstack/react-query';
import { type Cents, dollars } from '../../domain/money/money.ts';
import type { Readiness } from '../../domain/orders/sale.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Products as admins see them. */

const fetchProducts = (signal?: AbortSignal) => dataOf(api.admin.products.$get({}, { init: { signal } }));
export type Products = Awaited<ReturnType<typeof fetchProducts>>;
export type AdminProduct = Products['products'][number];

export const adminProductsQuery = queryOptions({
  queryKey: ['admin', 'products'],
  queryFn: ({ signal }) => fetchProducts(signal),
});

interface PriceForm {
  from: string;
  /** Null removes the price of that day. */
  price: Cents | null;
  version: number;
  reason: string;
  code: string | undefined;
}

export const setPrice = (product_id: string, { price, ...form }: PriceForm) =>
  dataOf(
    api.admin.products[':product_id'].price.$put({
      param: { product_id },
      json: { ...form, price: price === null ? null : dollars(price) },
    }),
  );

interface ReadinessForm {
  readiness: Readiness;
  sentence: string;
  version: number;
  reason: string;
}

export const setReadiness = (product_id: string, json: ReadinessForm) =>
  dataOf(api.admin.products[':product_id'].readiness.$put({ param: { product_id }, json }));
