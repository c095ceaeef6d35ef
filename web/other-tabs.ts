import type { QueryClient } from '@tanstack/react-query';
import { accountQuery, forgetUser } from './api/account.ts';
import { storedUser } from './session.ts';

/**
 * Follows sign-ins and sign-outs that happen elsewhere, until `gone` aborts: in another tab, on another device, or
 * while the page was in the back/forward cache. Another user's data must not stay visible, and nobody may order on
 * another account. `lookAgain` reruns the route guards; if the user has changed, the page reloads.
 */
export function followOtherTabs(client: QueryClient, lookAgain: () => unknown, gone: AbortSignal): void {
  const known = () => client.getQueryData(accountQuery.queryKey);
  const look = () => {
    const user = storedUser();
    if (user === (known()?.user ?? null)) return;
    if (known()) location.reload();
    // If this request fails, the next page repeats it.
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
    const hasChanged = told && before && known()?.user !== before.user;
    before = known();
    if (!hasChanged) return;
    // A page that was suspended, or that has no storage, hears of another user from the service alone.
    if (known()) return location.reload();
    forgetUser(client);
    lookAgain();
  });
  gone.addEventListener('abort', leave);
}
