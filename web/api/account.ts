import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { centsOf } from '../../domain/money/money.ts';
import { storedUser, storeUser } from '../session.ts';
import { ApiError, dataOf } from './client.ts';

/** Fetched when someone is or wants to be signed in: this file is part of every page, and visitors call nothing. */
const typed = async () => (await import('./typed.ts')).api;

/** Who is signed in, or null. The stored name follows the server's answer. */
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
  // Another tab may have spent of the balance, or ended the session.
  refetchOnWindowFocus: 'always',
});

/** Whether someone is signed in as far as is known: whoever was here before counts until the server has answered. */
export function isSignedIn(client: QueryClient): boolean {
  const account = client.getQueryData(accountQuery.queryKey);
  return account === undefined ? storedUser() !== null : account !== null;
}

/** The balance of an account, which the wire has in dollars, in whole cents. */
export const balanceOf = (account: { balance: number }): number => centsOf(account.balance) ?? 0;

/**
 * Signs in; `code` is the second factor's, where there is one.
 * @throws ApiError 401 where name or password are wrong, and with the reason 'two_factor' where a code is needed.
 */
export const login = async (username: string, password: string, code?: string) =>
  dataOf((await typed()).login.$post({ json: { username, password, code } }));

/** Ends the session on the server. */
export const logout = async () => dataOf((await typed()).logout.$post());

/** Forgets everything that belonged to the user who left. */
export function forgetUser(client: QueryClient): void {
  storeUser(null);
  client.clear();
  client.setQueryData(accountQuery.queryKey, null);
}
