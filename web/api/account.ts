import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { centsOf } from '../../domain/money/money.ts';
import { storeUser } from '../session.ts';
import { ApiError, dataOf } from './client.ts';

/** Loads the typed client on demand: this file is part of every page, and visitors call no API. */
const typed = async () => (await import('./typed.ts')).api;

/** The signed-in user, or null. Also updates the stored user name. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => {
    try {
      const account = await dataOf((await typed()).account.$get({}, { init: { signal } }));
      storeUser(account.user);
      return account;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      storeUser(null);
      return null;
    }
  },
  staleTime: 60_000,
  // Another tab may have spent from the balance or ended the session.
  refetchOnWindowFocus: 'always',
});

/** Returns whether a user is signed in. Until the server answers, a remembered name decides. */
export const isSignedIn = (account: object | null | undefined, remembered: boolean): boolean =>
  account === undefined ? remembered : account !== null;

/** Converts an account's balance from dollars to whole cents. */
export const balanceOf = (account: { balance: number }): number => centsOf(account.balance) ?? 0;

/**
 * Signs in. `code` is the second factor, if the account has one.
 * @throws ApiError 401 if the name or password is wrong, or with reason 'two_factor' if a code is required.
 */
export const login = async (username: string, password: string, code?: string) =>
  dataOf((await typed()).login.$post({ json: { username, password, code } }));

export const logout = async () => dataOf((await typed()).logout.$post());

/** Removes all data of the signed-out user. */
export function forgetUser(client: QueryClient): void {
  storeUser(null);
  client.clear();
  client.setQueryData(accountQuery.queryKey, null);
}
