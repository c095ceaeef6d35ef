import type { QueryClient } from '@tanstack/react-query';
import type { Locale } from '../../domain/language/locales.ts';
import { storedUser } from '../session.ts';
import { accountQuery } from './account.ts';
import { dataOf } from './client.ts';

/** The language of an account. Apart from other calls of accounts, which every page loads. */

/** Shows a language as the account's, if that is known, before it is stored. */
export async function expectLanguage(client: QueryClient, language: Locale): Promise<void> {
  const { queryKey } = accountQuery;
  if (!client.getQueryData(queryKey)) return;
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (account) => account && { ...account, language });
}

/** Stores the language of the user's pages and mails; for visitors does nothing. */
export async function storeLanguage(client: QueryClient, language: Locale): Promise<void> {
  if (storedUser() === null) return;
  const { queryKey } = accountQuery;
  const known = client.getQueryData(queryKey);
  if (!(known ?? (await client.ensureQueryData(accountQuery)))) return;
  if (!known) await expectLanguage(client, language);
  await dataOf((await import('./typed.ts')).api.account.language.$put({ json: { language } })).catch(
    (error: unknown) => {
      void client.invalidateQueries({ queryKey });
      throw error;
    },
  );
}
