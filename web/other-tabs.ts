import type { QueryClient } from '@tanstack/react-query';
import { accountQuery } from './api/account.ts';
import { storedUser } from './session.ts';

/**
 * Follows who is signed in when that changes in another tab, or while the browser kept this page to come back to. What
 * belongs to somebody who has left is not shown any longer, and nobody orders for another: the page is loaded anew,
 * where its guard decides. On a visitor's page the user is welcomed where it stands; `welcome` is called once he is known.
 * Until `gone`.
 */
export function followOtherTabs(client: QueryClient, welcome: () => unknown, gone: AbortSignal): void {
  const look = () => {
    const [user, known] = [storedUser(), client.getQueryData(accountQuery.queryKey)];
    if (user === (known?.user ?? null)) return;
    if (known) location.reload();
    // Who cannot be asked for now is asked for by the next screen.
    else void client.fetchQuery({ ...accountQuery, staleTime: 0 }).then(welcome, () => undefined);
  };
  addEventListener('storage', look, { signal: gone });
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look();
  };
  addEventListener('pageshow', comeBack, { signal: gone });
}
