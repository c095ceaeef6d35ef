import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { centsOf } from '../../domain/money.ts';
import { storeUser } from '../session.ts';
import { ApiError, api, dataOf } from './client.ts';

/** Who is signed in, or null. The stored name follows the server's answer. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => {
    try {
      const account = await dataOf(api.account.$get({}, { init: { signal } }));
      storeUser(account.user);
      return account;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      storeUser(null);
      return null;
    }
  },
  staleTime: 60_000,
});

/** The balance of an account, which the wire has in dollars, in whole cents. */
export const balanceOf = (account: { balance: number }): number => centsOf(account.balance) ?? 0;

/**
 * Signs in; `code` is the second factor's, where there is one.
 * @throws ApiError 401 where name or password are wrong, and with the reason 'two_factor' where a code is needed.
 */
export const login = (username: string, password: string, code?: string) =>
  dataOf(api.login.$post({ json: { username, password, code } }));

/** Ends the session on the server. */
export const logout = () => dataOf(api.logout.$post());

/** Forgets everything that belonged to the user who left. */
export function forgetUser(client: QueryClient): void {
  storeUser(null);
  client.clear();
  client.setQueryData(accountQuery.queryKey, null);
}
