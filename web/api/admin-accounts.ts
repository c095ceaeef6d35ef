import { queryOptions } from '@tanstack/react-query';
import type { AccountAct } from '../../domain/accounts/admin-contract.ts';
import type { ACCOUNT_STATES, Role } from '../../domain/accounts/roles.ts';
import { type Cents, dollars } from '../../domain/money/money.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Accounts of all users. */

export type AccountState = (typeof ACCOUNT_STATES)[number];

export interface AccountsFilter {
  search?: string | undefined;
  role?: Role | undefined;
  state?: AccountState | undefined;
  before?: string | undefined;
}

const fetchAccounts = (filter: AccountsFilter, signal?: AbortSignal) =>
  dataOf(api.admin.accounts.$get({ query: { ...filter } }, { init: { signal } }));
export type Account = Awaited<ReturnType<typeof fetchAccounts>>['accounts'][number];

export const accountsQuery = (filter: AccountsFilter) =>
  queryOptions({
    queryKey: ['admin', 'accounts', 'list', filter],
    queryFn: ({ signal }) => fetchAccounts(filter, signal),
  });

const fetchAccount = (user_id: string, signal?: AbortSignal) =>
  dataOf(api.admin.accounts[':user_id'].$get({ param: { user_id } }, { init: { signal } }));
export type WholeAccount = Awaited<ReturnType<typeof fetchAccount>>;

export const wholeAccountQuery = (user_id: string) =>
  queryOptions({
    queryKey: ['admin', 'accounts', user_id],
    queryFn: ({ signal }) => fetchAccount(user_id, signal),
  });

interface Reasoned {
  reason: string;
  code: string | undefined;
}

export const actOnAccount = (user_id: string, act: AccountAct, json: Reasoned) =>
  dataOf(
    api.admin.accounts[':user_id'][':act{lock|unlock|end-sessions|reset-two-factor}'].$post({
      param: { user_id, act },
      json,
    }),
  );

export const changeRole = (user_id: string, json: Reasoned & { role: Role; before: Role }) =>
  dataOf(api.admin.accounts[':user_id'].role.$post({ param: { user_id }, json }));

/** `key` stays the same for all attempts of one form. */
export const adjustAccount = (user_id: string, { amount, key, ...rest }: Reasoned & { amount: Cents; key: string }) =>
  dataOf(
    api.admin.accounts[':user_id'].adjust.$post({
      param: { user_id },
      json: { ...rest, amount: dollars(amount) },
      header: { 'idempotency-key': key },
    }),
  );
