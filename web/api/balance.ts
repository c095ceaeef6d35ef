import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { EntryKind } from '../../domain/money/ledger.ts';
import { type Cents, dollars } from '../../domain/money/money.ts';
import { accountQuery } from './account.ts';
import { apiBase, dataOf } from './client.ts';
import { api } from './typed.ts';

/** Filters of the statement. Days are 'YYYY-MM-DD' in UTC, inclusive. */
export interface StatementFilter {
  kind?: EntryKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const fetchBalance = (signal?: AbortSignal) => dataOf(api.account.balance.$get({}, { init: { signal } }));

/** Balance, uncovered refunds and warning threshold, in dollars. */
export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: ({ signal }) => fetchBalance(signal),
});

export type Balance = Awaited<ReturnType<typeof fetchBalance>>;

const fetchStatement = (filter: StatementFilter, before: number | null, signal?: AbortSignal) =>
  dataOf(api.account.statement.$get({ query: { ...filter, before: before?.toString() } }, { init: { signal } }));

export type StatementPage = Awaited<ReturnType<typeof fetchStatement>>;
export type StatementLine = StatementPage['lines'][number];

/** The statement, newest entries first, in pages. */
export const statementQuery = (filter: StatementFilter) =>
  infiniteQueryOptions({
    queryKey: ['statement', filter],
    queryFn: ({ pageParam, signal }) => fetchStatement(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });

/** URL of the same entries as csv. */
export function statementAddress(filter: StatementFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return `${apiBase()}/v1/account/statement/download${query.size ? `?${query}` : ''}`;
}

/** URL of the Stripe receipt for a top-up. */
export const receiptAddress = (paymentId: string): string => `${apiBase()}/v1/payment/receipt/${paymentId}`;

/** Refetches what shows the user's own money, after an act has moved some. */
export const refetchMoney = (client: QueryClient): Promise<unknown> =>
  Promise.all(
    [accountQuery.queryKey, balanceQuery.queryKey, ['statement']].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );

/**
 * Opens a Stripe checkout page. `key` stays the same for all attempts of one form; `back` is where the payer returns
 * to.
 * @throws ApiError 400 if the amount is invalid, 503 if Stripe does not answer.
 */
export const openCheckout = (amount: Cents, key: string, back?: 'order') =>
  dataOf(api.payment.checkout.$post({ json: { amount: dollars(amount), back }, header: { 'idempotency-key': key } }));

const askStatus = (session_id: string) => dataOf(api.payment.status.$post({ json: { session_id } }));

export type PaymentAnswer = Awaited<ReturnType<typeof askStatus>>;

/** State of a payment, polled every 3 s while Stripe processes it. */
export const paymentQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['payment', sessionId],
    queryFn: () => askStatus(sessionId),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? 3_000 : false),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Sets the balance below which a warning is mailed; null turns the warning off. */
export const setWarning = (threshold: Cents | null) =>
  dataOf(api.account['low-balance'].$post({ json: { threshold: threshold === null ? null : dollars(threshold) } }));
