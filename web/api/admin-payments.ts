import { queryOptions } from '@tanstack/react-query';
import { type Cents, dollars } from '../../domain/money/money.ts';
import type { PaymentFilter } from '../../domain/money/payment-filters.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchComparisons = (signal?: AbortSignal) => dataOf(api.admin.reconciliations.$get({}, { init: { signal } }));
export type Comparison = Awaited<ReturnType<typeof fetchComparisons>>['days'][number];

/** Results of the nightly comparison of ledger and Stripe, newest day first; amounts in dollars. */
export const comparisonsQuery = queryOptions({
  queryKey: ['admin', 'reconciliations'],
  queryFn: ({ signal }) => fetchComparisons(signal),
});

export interface PaymentsFilter {
  search?: string | undefined;
  state?: PaymentFilter | undefined;
  before?: string | undefined;
}

const fetchPayments = (filter: PaymentsFilter, signal?: AbortSignal) =>
  dataOf(api.admin.payments.$get({ query: { ...filter } }, { init: { signal } }));
export type PaymentPage = Awaited<ReturnType<typeof fetchPayments>>;
export type ListedPayment = PaymentPage['payments'][number];

/** Top-ups of all users, newest first. */
export const paymentsQuery = (filter: PaymentsFilter) =>
  queryOptions({
    queryKey: ['admin', 'payments', filter],
    queryFn: ({ signal }) => fetchPayments(filter, signal),
  });

const fetchPayment = (payment_id: string, signal?: AbortSignal) =>
  dataOf(api.admin.payments[':payment_id'].$get({ param: { payment_id } }, { init: { signal } }));
export type WholePayment = Awaited<ReturnType<typeof fetchPayment>>;

/** One top-up; Stripe is asked each time. */
export const paymentQuery = (payment_id: string) =>
  queryOptions({
    queryKey: ['admin', 'payments', payment_id],
    queryFn: ({ signal }) => fetchPayment(payment_id, signal),
  });

/** Takes a top-up's state from Stripe. */
export const settlePayment = (payment_id: string, reason: string) =>
  dataOf(api.admin.payments[':payment_id'].settle.$post({ param: { payment_id }, json: { reason } }));

/**
 * Changes a user's balance by a signed amount. `key` stays the same for all attempts of one form.
 * @throws ApiError 403 for a wrong code of the second factor, 404 if the user does not exist, 409 if the balance is too
 * low.
 */
export const adjustBalance = (
  { username, amount, reason, code }: { username: string; amount: Cents; reason: string; code: string | undefined },
  key: string,
) =>
  dataOf(
    api.admin.adjustments.$post({
      json: { username, amount: dollars(amount), reason, code },
      header: { 'idempotency-key': key },
    }),
  );
