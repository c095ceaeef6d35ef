import type { QueryClient } from '@tanstack/react-query';
import { accountQuery, forgetUser } from './api/account.ts';
import { storedUser } from './session.ts';

/**
 * Follows who is signed in when that changes elsewhere, until `gone`: in another tab, on another device, or while the
 * browser kept this page to come back to. What belongs to somebody who has left is not shown any longer, and nobody
 * orders for another. `lookAgain` has the guards look at who is there; where that is somebody else than before, the page
 * is loaded anew.
 */
export function followOtherTabs(client: QueryClient, lookAgain: () => unknown, gone: AbortSignal): void {
  const known = () => client.getQueryData(accountQuery.queryKey);
  const look = () => {
    const user = storedUser();
    if (user === (known()?.user ?? null)) return;
    if (known()) location.reload();
    // Who cannot be asked for now is asked for by the next screen.
    else void client.fetchQuery({ ...accountQuery, staleTime: 0 }).then(lookAgain, () => undefined);
  };
  addEventListener('storage', look, { signal: gone });
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look();
  };
  addEventListener('pageshow', comeBack, { signal: gone });

  let before = known();
  const leave = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryHash !== JSON.stringify(accountQuery.queryKey)) return;
    const told = event.action.type === 'success' && !event.action.manual;
    const over = told && before && known() === null;
    before = known();
    if (!over) return;
    forgetUser(client);
    lookAgain();
  });
  gone.addEventListener('abort', leave);
}
